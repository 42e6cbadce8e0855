"""The compiled sample bots, built as their bot.toml says: legal, sensible and in time in every game."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from io import BufferedReader
from pathlib import Path
from statistics import mean
from typing import Any

import msgpack
import pytest
import trio

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.bots.manifest import read_manifest
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import OURS, PYTHON
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import GAMES
from tests.sample_bots.in_process import FOLDER, KNOWN, Chance, game_of_one_deal, heads, takes_the_first_of_what_is_new

pytestmark = pytest.mark.xdist_group("built")  # one process builds, and nobody waits for it

COMPILED = sorted(path.parent for path in FOLDER.glob("*/*/bot.toml") if read_manifest(path.parent).build)
TAKES_A_WHILE = ("strong",)
"""To build. These are tested by `make slow`."""
DEALS = 20


class Program:
    """A running bot that is asked over its pipes, without a referee and without clocks."""

    def __init__(self, folder: Path, limit_us: int, *words: str) -> None:
        self._limit_us = limit_us
        command = [sys.executable if word in (PYTHON, OURS) else word for word in read_manifest(folder).run]
        self.process = subprocess.Popen([*command, *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert isinstance(self.process.stdout, BufferedReader)
        self._reader = self.process.stdout
        self.in_json = self._reader.peek(1)[:1] == b"{"
        self._unpacker = msgpack.Unpacker()
        assert self._said()["type"] == "hello"

    def welcome(self, message: dict[str, Any]) -> None:
        self._tell({"type": "welcome", "clock": "wall", **message})

    def decide(self, message: dict[str, Any]) -> Any:
        time = {"limit_us": self._limit_us, "bank_us": 0, "last_us": 0}
        self._tell({"type": "decide", "id": 7, "events": [], **message, "time": time})
        choice = self._said()
        assert choice["id"] == 7
        return choice["option"] if "option" in choice else message["options"][choice["index"]]

    def close(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self._reader.read() == b""
        self._reader.close()
        return self.process.wait()

    def _tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self.process.stdin.write(line if self.in_json else msgpack.packb(message))
        self.process.stdin.flush()

    def _said(self) -> dict[str, Any]:
        if self.in_json:
            said: dict[str, Any] = json.loads(self._reader.readline())
            return said
        for said in self._unpacker:
            return said
        data = self._reader.read1()
        assert data, "it has ended"
        self._unpacker.feed(data)
        return self._said()


@pytest.fixture(
    scope="module",
    params=[pytest.param(each, marks=pytest.mark.slow if each.name in TAKES_A_WHILE else ()) for each in COMPILED],
    ids=lambda folder: folder.name,
)
def folder(request: pytest.FixtureRequest, builds: Path) -> Path:
    """The folder of a built bot."""
    bot = load(str(request.param))
    if bot.build[0] not in (PYTHON, OURS) and shutil.which(bot.build[0]) is None and not os.environ.get("CI"):
        pytest.skip(f"not here: {bot.build[0]}")

    async def build() -> Path:
        async with open_sandbox(Wish(allow_unsandboxed=True)) as sandbox:
            return (await built(bot, sandbox, builds, BuildLimits())).program.folder

    return trio.run(build)


@pytest.fixture
def program(folder: Path) -> Iterator[partial[Program]]:
    """Starts the bot; called with the limit of its decisions, in microseconds, and words to add to its command."""
    running: list[Program] = []

    def start(limit_us: int, *words: str) -> Program:
        running.append(Program(folder, limit_us, *words))
        return running[-1]

    yield partial(start)
    for each in running:
        assert each.close() == 0


@pytest.mark.parametrize("name", KNOWN)
def test_it_plays_every_game_that_it_knows_far_better_than_chance(name: str, program: partial[Program]) -> None:
    bot = program(1000, "--playouts", "100")
    tables = [
        heads(game_of_one_deal(name, 4), [bot, Chance(), bot, Chance()], f"compiled {deal}") for deal in range(DEALS)
    ]
    assert mean(taken[0] + taken[2] for taken in tables) < 0.7 * mean(taken[1] + taken[3] for taken in tables)


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_at_the_smallest_and_the_largest_table_without_any_time(name: str, program: partial[Program]) -> None:
    bot = program(0)
    for seats in GAMES[name].seat_range:
        heads(game_of_one_deal(name, seats), [bot, *(Chance() for _ in range(seats - 1))], "large")


def test_games_and_kinds_to_come_are_answered_with_the_first_option(program: partial[Program]) -> None:
    takes_the_first_of_what_is_new(program(1000))


def test_what_it_cannot_read_does_not_end_it(program: partial[Program]) -> None:
    bot = program(1000)
    assert bot.process.stdin is not None
    if not bot.in_json:
        pytest.skip("it reads with the package msgpack")
    bot.process.stdin.write(b'nonsense\n{"type":"news","of":[1.5,null,true,{"a":"\\u00fc"}]}\n\n')
    bot.welcome({"game": "standard", "options": {}, "seats": 4, "seat": 0, "start": 0, "seed": 0})
    assert bot.decide({"kind": "card", "view": {}, "options": [5, 7]}) == 5


def test_with_a_fixed_number_of_playouts_its_answers_follow_from_the_seed(folder: Path) -> None:
    running = [Program(folder, 0, "--playouts", "200") for _ in range(2)]
    for name in GAMES:
        game = game_of_one_deal(name, 3) if name != "online" else GAMES[name](4)
        first, second = (heads(game, [bot, *(Chance() for _ in range(game.seats - 1))], "fixed") for bot in running)
        assert first == second
    assert [bot.close() for bot in running] == [0, 0]


def test_a_card_that_surely_takes_a_dear_row_is_kept_back(program: partial[Program]) -> None:
    bot = program(0, "--playouts", "400")
    bot.welcome({"game": "standard", "options": {}, "seats": 2, "seat": 0, "start": 0, "seed": 1})
    rows, heads_of_rows = [[11, 22, 33, 44, 55], [60], [70], [80]], [27, 3, 3, 3]
    lying = {
        "rows": rows,
        "row_heads": heads_of_rows,
        "played": [],
        "piles": [[], []],
        "heads": [0, 0],
        "scores": [0, 0],
    }
    view = {"deal": 1, "turn": 9, **lying, "seat": 0, "hand": [56, 81]}
    assert bot.decide({"kind": "card", "view": view, "options": [56, 81]}) == 81


COMPILED_SINCE_THE_HELLO = """
import sys

import kernels
from bot import Strong
from games import warm_up
from numba.core.event import install_recorder

from bullring.arena.games.rules.registry import GAMES
from tests.sample_bots.in_process import Chance, game_of_one_deal, heads

warm_up()
with install_recorder("numba:compile") as compiled:
    for name, kind in GAMES.items():
        for seats in {4, kind.seat_range[1]}:
            heads(game_of_one_deal(name, seats), [Strong(1), *(Chance() for _ in range(seats - 1))], "compiled")
print([str(event.data["dispatcher"]) for _, event in compiled.buffer if event.is_start])
"""


def test_all_kernels_of_strong_are_ready_before_its_hello(folder: Path) -> None:
    """Afterwards a clock runs, and to load or to compile a kernel takes longer than a quick decision may."""
    if not (folder / "kernels").exists():
        pytest.skip("its kernels are its program")
    environment = {**os.environ, "BULLRING_COMPILE": "1", "PYTHONPATH": str(FOLDER.parent)}
    command = [sys.executable, "-c", COMPILED_SINCE_THE_HELLO]
    said = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert (said.stdout, said.stderr) == ("[]\n", "")


@pytest.mark.slow
def test_strong_cpp_beats_a_copy_of_montecarlo_with_as_many_playouts(tmp_path: Path) -> None:
    """The program that measures it, as its README says, in short."""
    folder = FOLDER / "cpp" / "strong-cpp"
    sources = [word for word in read_manifest(folder).build if word.endswith(".cpp") and word != "bot.cpp"]
    duel = str(tmp_path / "duel")
    subprocess.run(["g++", "-std=c++20", "-O2", "-o", duel, "duel.cpp", *sources], cwd=folder, check=True)
    command = [duel, "play", "standard", "4", "60", "2000", "2000"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"heads ([\d.]+) v ([\d.]+)", said)
    assert found is not None, said
    assert float(found[1]) < float(found[2])
