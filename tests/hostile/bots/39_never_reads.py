"""Says hello and never reads what it is told. Bound: five seconds."""

import time

from hostile import HELLO, say

say(HELLO)
time.sleep(5)
