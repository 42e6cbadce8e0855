"""Who sits in the hostile bot's seat in the match of reference: plays what the referee would play for it, and nothing else."""

import hostile

hostile.play()
