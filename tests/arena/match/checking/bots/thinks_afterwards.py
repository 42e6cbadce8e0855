"""Step quiet: it prints to stdout when the match is over."""

import right

right.play(match_over=lambda message: print("scores:", message["scores"], flush=True))
