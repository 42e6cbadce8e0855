"""The bot in the hostile bot's seat in the match of reference: it plays the referee's fallbacks, and does nothing else."""

import hostile

hostile.play()
