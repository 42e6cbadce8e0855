"""`make learning`: learn for a minute by each recipe of docs/training.md, and take its bot to a ladder and to greedy's table.

Fails if a recipe fails, if its bot cannot be submitted, or if that of `bullring train` is not ahead of @greedy by more than chance
explains.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bullring
from bullring.installation import FOLDER

JAX = Path("build") / "jax"
"""Where the Makefile puts JAX."""

PPO = [sys.executable, str(FOLDER / "docs" / "recipes" / "ppo_jax.py")]

COMMAND = str(Path(sys.executable).parent / "bullring")

RECIPES = {
    "train": [COMMAND, "train", "policy.npz", "--for", "60s"],
    "ppo": [*PPO, "policy.npz", "--seconds", "60"],
    "league": [*PPO, "policy.npz", "--seconds", "60", "--league"],
}
"""Each writes policy.npz, after a minute of processor time."""

MATCHES, DEALS_EACH = 30, 20

LIMITS = bullring.Limits.seconds(start=60, card=10, row=10)


def main() -> None:
    """Learn, submit, play, and say what came out."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _run([COMMAND, "ladder", "init", "arena"], folder)
        for name, recipe in RECIPES.items():
            _run(recipe, folder)
            _run([COMMAND, "new", "python", name, "--from-policy", "policy.npz"], folder)
            _run([COMMAND, "submit", name, "--home", "arena"], folder)
            leads = _leads(folder / name)
            mean, spread = leads.mean(), 1.96 * leads.std(ddof=1) / np.sqrt(len(leads))
            print(
                f"{name}: {mean:+.2f} ± {spread:.2f} heads a deal against @greedy, two and two, in {MATCHES} matches of"
                f" {DEALS_EACH} deals",
                flush=True,
            )
            if name == "train" and mean - spread <= 0:
                sys.exit("the policy is not ahead of @greedy")


def _run(words: list[str], folder: Path) -> None:
    """Run a command there, and fail if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(JAX.resolve())} if words[: len(PPO)] == PPO else None
    print(f"$ {' '.join([Path(words[0]).name, *words[1:]])}", flush=True)
    done = subprocess.run(words, cwd=folder, env=environment, check=False)
    if done.returncode:
        sys.exit(f"it ended with status {done.returncode}")


def _leads(bot: Path) -> NDArray[np.float64]:
    """By match, the heads a deal that the bot takes less than @greedy."""
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


if __name__ == "__main__":
    main()
