"""Takes too long to say hello. Bound: five seconds."""

import time

from hostile import play

time.sleep(5)
play()
