"""Step matches: it ends after one match, and its bot.toml does not say so."""

import sys

import right

right.play(match_over=lambda message: sys.exit())
