"""A trained policy as a bot: a folder with the policy, what runs it, and the session with the referee."""

import shutil
from pathlib import Path

from bullring.arena.cells.kits.kit import read_kit
from bullring.arena.cells.kits.new_bot import make
from bullring.errors import BotError
from bullring.installation import FOLDER
from bullring.train.policy.network import CARDS, Policy

_KIT = FOLDER / "train" / "kit"
_RUNNER = FOLDER / "train" / "policy"
_SESSION = FOLDER / "sample_bots" / "python" / "greedy" / "bullring_bot.py"

_README = """\
# {name}

A bot for Bullring that plays by a trained policy, `policy.npz`: {what}.
What runs it is in `policy/`; it needs numpy. `bot.py` is the session with the referee. To exchange the policy, exchange the file.

In this folder:

```console
$ bullring check .
$ bullring match . @greedy --watch
$ bullring submit . --home LADDER
```
"""


def read_policy(path: Path) -> Policy:
    """Read the file of a policy. Raises `BotError`."""
    try:
        return Policy.load(path)
    except OSError as error:
        raise BotError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise BotError(
            f"{path}: {error}; a policy is written by bullring.train.policy.network.Policy.save, see bullring docs training"
        ) from None


def make_bot(path: Path, folder: Path) -> None:
    """Make the folder of a bot that plays by the policy in the file `path`. Raises `BotError`."""
    policy = read_policy(path)
    make(read_kit(_KIT), folder)
    shutil.copytree(_RUNNER, folder / "policy", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(_SESSION, folder)
    shutil.copy(path, folder / "policy.npz")
    what = "it scores cards, and plays games whose rows grow to the right, with any number of seats"
    if policy.reads != CARDS and policy.layout is not None:
        what = f"it is for {policy.layout.game} with {policy.layout.seats} seats"
    (folder / "README.md").write_text(_README.format(name=folder.name, what=what), "utf-8")
