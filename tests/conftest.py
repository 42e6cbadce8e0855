"""What holds for all tests."""

import os

# Most tests look at bots from outside: at their process ids, at what they write for the test to read. Those of the sandbox say
# which tier they mean.
os.environ["BULLRING_SANDBOX"] = "none"
os.environ["BULLRING_ALLOW_UNSANDBOXED"] = "1"
