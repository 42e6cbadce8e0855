"""Step end: it goes on when its stdin has ended without a bye."""

import time

import right

right.play(end=lambda: time.sleep(60))
