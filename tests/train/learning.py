"""`make learning`: learn as `bullring train` does, make a bot of the policy, and play it against the built-in greedy.

Fails if the bot is not ahead by more than chance explains.
"""

import math
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bullring
from bullring.train.learning import Course
from bullring.train.make_bot import make_bot
from bullring.train.policy.network import Policy

SECONDS = 60.0
"""Of processor time."""

MATCHES, DEALS_EACH = 30, 20

LIMITS = bullring.Limits.seconds(start=60, card=10, row=10)


def main() -> None:
    """Learn, play, and say what came out."""
    course = Course()
    course.learn(math.inf, SECONDS, lambda *_: True)
    last = course.measured[-1]
    _tell(
        f"learned from {last.deals} deals in {last.seconds:.0f} s of processor time: {last.elo:+.0f} ± {last.error:.0f} Elo"
        " against the house in the simulator"
    )
    leads = _leads_at_the_table(course.policy)
    mean, spread = leads.mean(), 1.96 * leads.std(ddof=1) / np.sqrt(len(leads))
    _tell(
        f"{mean:+.2f} ± {spread:.2f} heads a deal against @greedy, two and two, in {MATCHES} matches of {DEALS_EACH} deals"
    )
    if mean - spread <= 0:
        sys.exit("the policy is not ahead of @greedy")


def _leads_at_the_table(policy: Policy) -> NDArray[np.float64]:
    """By match, the heads a deal that the bot takes less than @greedy."""
    with tempfile.TemporaryDirectory() as folder:
        file, bot = Path(folder) / "policy.npz", Path(folder) / "self-taught"
        policy.save(file)
        make_bot(file, bot)
        reports = bullring.play_matches(
            str(bot),
            "@greedy",
            str(bot),
            "@greedy",
            count=MATCHES,
            options={"deals": DEALS_EACH},
            seeds=[f"learning-{number}" for number in range(MATCHES)],
            limits=LIMITS,
            allow_unsandboxed=True,
        )
    assert not any(report.faults for report in reports)
    return np.array([np.dot(report.scores, (-1, 1, -1, 1)) / 2 / DEALS_EACH for report in reports])


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
