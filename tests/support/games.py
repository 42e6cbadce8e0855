"""Which games a quick test plays."""

import pytest

from bullring.arena.games.rules.registry import GAMES

DIFFERENT = ("standard", "hand", "eleven")
"""Games that are very different. The others are tested in `make slow`."""

some_games = [name if name in DIFFERENT else pytest.param(name, marks=pytest.mark.slow) for name in GAMES]
"""The names of all games, for `parametrize`."""
