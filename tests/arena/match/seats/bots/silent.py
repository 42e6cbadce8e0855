"""Says hello and never anything else."""

import polite

polite.say(polite.HELLO)
for _ in polite.messages():
    pass
