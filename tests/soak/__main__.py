"""`python -m tests.soak 60m`: a soak of any length, with its figures."""

import sys
import tempfile
from pathlib import Path

from tests.hostile.leftovers import Surroundings
from tests.soak.course import LIMITS, soak
from tests.soak.field import MOST_HOSTILE, field
from tests.soak.summary import summary
from tests.soak.verdict import problems


def main() -> None:
    """Exits with 1 if anything is not as it should be."""
    length = sys.argv[1] if len(sys.argv) > 1 else "60m"
    hostile = int(sys.argv[2]) if len(sys.argv) > 2 else MOST_HOSTILE
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        Path(folder).chmod(0o755)
        made = field(Path(folder), hostile, LIMITS)
        before = Surroundings.seen("bwrap", made.token)
        course = soak(made, length)
        found = problems(course, before)
        print("\n".join(summary(course)))
        print("\n".join(found) or "nothing is wrong")
    sys.exit(bool(found))


main()
