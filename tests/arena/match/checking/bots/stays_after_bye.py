"""Step bye: it goes on after bye."""

import time

import right

right.play(bye=lambda message: time.sleep(60))
