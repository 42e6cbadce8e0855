"""Takes a while before it says hello."""

import sys
import time

import polite

time.sleep(float(sys.argv[1]))
polite.play()
