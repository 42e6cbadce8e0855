"""`python -m tests.kits [LANGUAGE ...]`: from nothing to a bot on a ladder with each kit, and how long each step takes.

A report, not a test of speed. It exits with 1 if a step fails.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bullring.arena.cells.kits.kit import kits
from tests.support.command import BULLRING

STEPS = ("new", "check", "submit")


def timed(folder: Path, *words: str) -> tuple[float, str]:
    """The seconds that a command took, and what it printed if it failed."""
    begin = time.monotonic()
    done = subprocess.run([str(BULLRING), *words], cwd=folder, capture_output=True, text=True, check=False)
    return time.monotonic() - begin, f"{done.stdout}{done.stderr}" if done.returncode else ""


def main(languages: list[str]) -> int:
    """Print a line for each kit."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="bullring-kits-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        timed(folder, "ladder", "init", "home")
        print(f"{'seconds for':14}{''.join(f'{step:>8}' for step in STEPS)}{'together':>10}")
        for language in languages or kits():
            bot = f"my-{language}"
            steps = (("new", language, bot), ("check", bot), ("submit", bot, "--home", "home"))
            took = []
            for words in steps:
                seconds, complaint = timed(folder, *words)
                took.append(seconds)
                if complaint:
                    failed += 1
                    print(f"{language}: bullring {' '.join(words)}\n{complaint}")
                    break
            print(f"{language:14}{''.join(f'{seconds:8.1f}' for seconds in took)}{sum(took):10.1f}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
