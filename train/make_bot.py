"""A trained policy as a bot: a folder with the policy, what runs it, and the session with the referee."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from bullring.arena.cells.bots.bot import MANIFEST
from bullring.arena.cells.kits.kit import read_kit
from bullring.arena.cells.kits.new_bot import make
from bullring.arena.games.rules.registry import GAMES, find
from bullring.errors import BotError
from bullring.installation import FOLDER
from bullring.train import onnx_file
from bullring.train.layout import layout_of
from bullring.train.policy.layout import Layout
from bullring.train.policy.network import OBSERVATION, SHAPES, Policy

_KITS = FOLDER / "train" / "kit"
_RUNNER = FOLDER / "train" / "policy"
_POLICY = "policy.npz"
_SESSION = FOLDER / "sample_bots" / "python" / "greedy" / "bullring_bot.py"

_README = """\
# {name}

A bot for Bullring that plays by a trained network, `{file}`: {what}.
What runs it is in `policy/`; it needs {needs}. `bot.py` is the session with the referee.

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
    _make("npz", folder, _POLICY, policy.layout if policy.reads == OBSERVATION else None, "numpy")
    shutil.copy(_SESSION, folder)
    policy.save(folder / _POLICY)  # without what else is in its file, such as a course of learning


def plays_a_policy(folder: Path) -> bool:
    """Whether this is the folder of such a bot, whose policy another one can replace (`replace_policy`)."""
    return (folder / _POLICY).is_file() and (folder / MANIFEST).is_file()


def replace_policy(policy: Policy, folder: Path) -> None:
    """Let the bot of a folder (`plays_a_policy`) play by another policy from now on. Raises `OSError`."""
    policy.save(folder / _POLICY)


def make_onnx_bot(path: Path, folder: Path, game: str | None, seats: int | None) -> None:
    """Make the folder of a bot that plays by the model in the ONNX file `path`. Raises `BotError`, `RulesError`.

    What the model reads, its shapes tell, as far as `game` and `seats` do not.
    """
    given, outputs = onnx_file.read(path)
    layout: Layout | None = None
    shapes = {shape: reads for reads, shape in SHAPES.items()}
    output = next((one for one in outputs if (given.size, one.size) in shapes), None)
    reads = OBSERVATION if output is None else shapes[given.size, output.size]
    if output is None or game is not None or seats is not None:
        fitting = [(one, each) for one in _layouts(game, seats) for each in outputs if _fits(one, given, each)]
        if len(fitting) != 1:
            raise BotError(
                f"{path} takes {given} and gives {' and '.join(map(str, outputs))}; {_expected(fitting, game, seats)}"
            )
        reads, (layout, output) = OBSERVATION, fitting[0]
    facts = {
        "name": folder.name,
        "reads": reads,
        "layout": layout and layout.facts(),
        "input": given.name,
        "output": output.name,
    }
    _make("onnx", folder, "model.onnx", layout, "the packages in `requirements.txt` (`bullring docs dependencies`)")
    shutil.copy(path, folder / "model.onnx")
    (folder / "model.json").write_text(json.dumps(facts), "utf-8")


def _layouts(game: str | None, seats: int | None) -> Iterator[Layout]:
    """Those of the tables that are meant."""
    for kind in (find(game),) if game is not None else GAMES.values():
        low, high = kind.seat_range
        for count in range(low, high + 1) if seats is None else (seats,):
            if game is not None or low <= count <= high:
                yield layout_of(kind(count))


def _fits(layout: Layout, given: onnx_file.Tensor, output: onnx_file.Tensor) -> bool:
    return (given.size, output.size) == (layout.size, len(layout.actions))


def _expected(fitting: list[tuple[Layout, onnx_file.Tensor]], game: str | None, seats: int | None) -> str:
    """What would fit a model that fits nothing, or several things."""
    if fitting:
        return f"that fits {' and '.join(f'{one.game} with {one.seats} seats' for one, _ in fitting)}; add --game and --seats"
    if game is not None and seats is not None:
        (layout,) = _layouts(game, seats)
        return (
            f"{game} with {seats} seats takes float32 (n, {layout.size}) and gives float32 (n, {len(layout.actions)})"
        )
    return (
        f"expected {_shapes()}, or the observations and actions of a game:"
        " add --game and --seats to see its shapes; bullring docs training"
    )


def _shapes() -> str:
    """The shapes that fit several games."""
    return ", ".join(f"float32 (n, {size}) and (n, {outputs}) for {reads}" for reads, (size, outputs) in SHAPES.items())


def _make(kit: str, folder: Path, file: str, layout: Layout | None, needs: str) -> None:
    """Make the folder, but for the network. Without a layout, it fits several games."""
    make(read_kit(_KITS / kit), folder)
    shutil.copytree(_RUNNER, folder / "policy", ignore=shutil.ignore_patterns("__pycache__"))
    what = "it plays games whose rows grow to the right, with any number of seats"
    if layout is not None:
        what = f"it is for {layout.game} with {layout.seats} seats"
    (folder / "README.md").write_text(_README.format(name=folder.name, file=file, what=what, needs=needs), "utf-8")
