"""Networks in ONNX: what their files say of themselves, and the bots that they become."""

import json
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bullring
from bullring.arena.games.rules.registry import GAMES
from bullring.errors import BotError
from bullring.train import onnx_file
from bullring.train.layout import layout_of
from bullring.train.policy import cards
from bullring.train.policy.onnx import Model
from bullring.train.policy.playing import PolicyPlayer
from tests.support.command import here
from tests.train.playing import lowest


def field(number: int, value: int | bytes | str) -> bytes:
    """A field of a message in protocol buffers."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    done = bytearray()
    while value > 127:
        done.append(value & 127 | 128)
        value >>= 7
    return bytes([*done, value])


def tensor(name: str, *shape: int | str, type: int = 1) -> bytes:
    """A ValueInfoProto. A size that is not fixed has a name."""
    sizes = b"".join(field(1, field(1 if isinstance(size, int) else 2, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, type) + field(2, sizes)))


def model(weights: np.ndarray, *, elsewhere: bool = False, more: bytes = b"") -> bytes:
    """A model of one layer, which multiplies by the weights: such as any ONNX runtime runs."""
    size, outputs = weights.shape
    node = field(1, "x") + field(1, "w") + field(2, "y") + field(4, "MatMul")
    initial = field(1, size) + field(1, outputs) + field(2, 1) + field(8, "w")
    initial += field(14, 1) if elsewhere else field(9, weights.astype("<f4").tobytes())
    graph = field(1, node) + field(2, "g") + field(5, initial) + more
    graph += field(11, tensor("x", "n", size)) + field(11, tensor("w", size, outputs))
    graph += field(12, tensor("y", "n", outputs))
    return field(1, 8) + field(8, field(1, "") + field(2, 13)) + field(7, graph)


def weights_of(game: str, seats: int) -> np.ndarray:
    layout = layout_of(bullring.new_game(game, seats))
    return np.random.default_rng(1).normal(size=(layout.size, len(layout.actions))).astype(np.float32)


def greedy_weights() -> np.ndarray:
    """The card with the fewest expected heads, on a tie the highest."""
    weights = np.zeros((cards.SIZE, 1), np.float32)
    weights[1], weights[12] = -10, 0.5
    return weights


def new(path: Path, *more: str) -> Any:
    return here("new", "python", str(path.parent / "mine"), "--from-onnx", str(path), *more)


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    """An onnxruntime that runs the models of these tests."""

    class Session:
        def __init__(self, path: str, options: Any, providers: list[str]) -> None:
            given, (output,) = onnx_file.read(Path(path))
            data = Path(path).read_bytes()
            size = 4 * given.size * output.size
            at = data.index(varint(9 << 3 | 2) + varint(size)) + len(varint(9 << 3 | 2) + varint(size))
            self._weights = np.frombuffer(data[at : at + size], "<f4").reshape(given.size, output.size)

        def run(self, names: list[str], given: dict[str, np.ndarray]) -> list[np.ndarray]:
            assert names == ["y"]
            assert given["x"].shape == (1, len(self._weights))
            return [given["x"] @ self._weights]

    monkeypatch.setitem(
        sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=Session, SessionOptions=SimpleNamespace)
    )


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("game", GAMES)
def test_a_model_becomes_a_bot_for_the_table_that_fits_its_shapes(game: str, tmp_path: Path) -> None:
    seats = max(3, GAMES[game].seat_range[0])
    (tmp_path / "x.onnx").write_bytes(model(weights_of(game, seats)))
    done = new(tmp_path / "x.onnx")
    assert done.exit_code == 0, done.output
    folder = tmp_path / "mine"
    assert f"it is for {game} with {seats} seats" in (folder / "README.md").read_text()
    assert (folder / "requirements.txt").read_text() == "numpy\nonnxruntime\n"
    player = PolicyPlayer(Model(folder / "model.onnx"))
    report = bullring.play(*[player] * seats, game=game, seed="x")
    assert not report.faults
    layout = player.policy.layout
    assert layout is not None
    assert (layout.game, layout.seats) == (game, seats)


@pytest.mark.usefixtures("runtime")
def test_a_model_that_reads_cards_plays_well_at_any_table(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(model(greedy_weights()))
    assert new(tmp_path / "x.onnx").exit_code == 0
    player = PolicyPlayer(Model(tmp_path / "mine" / "model.onnx"))
    report = bullring.play(player, lowest, options={"deals": 20}, seed="x")
    assert not report.faults
    assert report.ranks == [1, 2]


def test_a_model_that_fits_two_tables_needs_its_game(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(model(weights_of("standard", 10)))
    done = new(tmp_path / "x.onnx")
    assert done.exit_code == 2
    assert "that fits standard with 10 seats and tactics with 10 seats; add --game" in done.stderr
    assert new(tmp_path / "x.onnx", "--game", "tactics").exit_code == 0
    assert json.loads((tmp_path / "mine" / "model.json").read_text())["layout"]["game"] == "tactics"


def test_a_model_that_does_not_fit_is_told_what_would(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(model(np.zeros((1367, 109), np.float32)))
    done = new(tmp_path / "x.onnx", "--game", "standard", "--seats", "4")
    assert done.exit_code == 2
    assert "takes float32 (n, 1367) and gives float32 (n, 109)" in done.stderr
    assert "standard with 4 seats takes float32 (n, 1368) and gives float32 (n, 109)" in done.stderr
    done = new(tmp_path / "x.onnx")
    assert (
        "expected float32 (n, 25) and (n, 1) for cards, float32 (n, 149) and (n, 10) for compact, or the observations"
        in done.stderr
    )
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"print('hello')", "is not a model in ONNX"),
        (model(greedy_weights())[:-20], "is not a model in ONNX"),
        (b"", "has 0 inputs"),
        (model(greedy_weights(), elsewhere=True), "its weights are in another file; save it as one"),
        (model(greedy_weights(), more=field(11, tensor("z", "n", 4))), "has 2 inputs (z, x); expected one"),
        (None, "No such file"),
    ],
)
def test_what_is_no_such_model_is_told(content: bytes | None, says: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "x.onnx").write_bytes(content)
    done = new(tmp_path / "x.onnx")
    assert done.exit_code == 2
    assert says in done.stderr
    assert not (tmp_path / "mine").exists()


def test_any_bytes_are_read_or_refused(tmp_path: Path) -> None:
    right = model(greedy_weights())
    path = tmp_path / "x.onnx"
    random = np.random.default_rng(3)
    for _ in range(300):
        data = bytearray(right)
        for _ in range(random.integers(1, 4)):
            data[random.integers(len(data))] = random.integers(256)
        path.write_bytes(data)
        with suppress(BotError):
            onnx_file.read(path)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("rust", "mine", "--from-onnx", "x"), "--from-onnx makes a bot in Python"),
        (("python", "mine", "--from-onnx", "x", "--from-policy", "y"), "a bot plays by one network"),
        (("python", "mine", "--game", "standard"), "are for --from-onnx"),
    ],
)
def test_options_that_do_not_go_together(
    words: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = here("new", *words)
    assert done.exit_code == 2
    assert says in done.stderr
