"""What a bot costs the arena in a match, besides the time of its decisions."""

from dataclasses import dataclass


@dataclass
class Cost:
    """The cost of one bot in one match: starting it, ending it, and its processor time. Times in microseconds."""

    starts: int = 0
    """1 if a process was started for this match; 0 if one was waiting."""
    start_us: int = 0
    """From the start of that process to its hello, or to the verdict that there was none."""
    asked: bool = False
    """Whether the bot itself made the start necessary: it wants a new process for each match, or its last one ended by itself.

    Otherwise the arena needed one more process, or had ended one to make room.
    """
    end_us: int = 0
    """From the end of the match until its process was gone, if the process ended with the match."""
    cpu_us: int = 0
    """Processor time since its process was last measured. A bot that costs little is measured once in several matches, and the
    others report 0, so only sums over many matches mean something."""
