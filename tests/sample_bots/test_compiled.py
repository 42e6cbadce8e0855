"""The compiled sample bots, built as their bot.toml says: legal, sensible and in time in every game."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
import trio

from bullring.arena.bots.loading import load
from bullring.arena.bots.manifest import read_manifest
from bullring.arena.building.build import built
from bullring.arena.building.limits import BuildLimits
from bullring.arena.rules.game import Game
from bullring.arena.rules.registry import GAMES
from bullring.arena.sandbox.opening import open_sandbox
from bullring.arena.sandbox.wish import Wish
from tests.sample_bots.in_process import FOLDER, Chance, heads

pytestmark = pytest.mark.xdist_group("built")  # one process builds, and nobody waits for it

COMPILED = sorted(path.parent for path in FOLDER.glob("*/*/bot.toml") if read_manifest(path.parent).build)
DEALS = 20


class Program:
    """A running bot that is asked over its pipes, without a referee and without clocks."""

    def __init__(self, folder: Path, limit_us: int) -> None:
        self._limit_us = limit_us
        self.process = subprocess.Popen(
            read_manifest(folder).run, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self._said()["type"] == "hello"

    def welcome(self, message: dict[str, Any]) -> None:
        self._tell({"type": "welcome", "clock": "wall", **message})

    def decide(self, message: dict[str, Any]) -> Any:
        time = {"limit_us": self._limit_us, "bank_us": 0, "last_us": 0}
        self._tell({"type": "decide", "id": 7, "events": [], **message, "time": time})
        choice = self._said()
        assert choice["id"] == 7
        return message["options"][choice["index"]]

    def close(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        assert self.process.stdout.read() == ""
        self.process.stdout.close()
        return self.process.wait()

    def _tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message, separators=(",", ":")) + "\n")

    def _said(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        said: dict[str, Any] = json.loads(self.process.stdout.readline())
        return said


@pytest.fixture(scope="module", params=COMPILED, ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest, builds: Path) -> Path:
    """The folder of a built bot."""
    bot = load(str(request.param))
    if shutil.which(bot.build[0]) is None and not os.environ.get("CI"):
        pytest.skip(f"not here: {bot.build[0]}")

    async def build() -> Path:
        async with open_sandbox(Wish(allow_unsandboxed=True)) as sandbox:
            return (await built(bot, sandbox, builds, BuildLimits())).program.folder

    return trio.run(build)


@pytest.fixture
def program(folder: Path) -> Iterator[partial[Program]]:
    """Starts the bot; called with the limit of its decisions, in microseconds."""
    running: list[Program] = []

    def start(limit_us: int) -> Program:
        running.append(Program(folder, limit_us))
        return running[-1]

    yield partial(start)
    for each in running:
        assert each.close() == 0


def game_of_one_deal(name: str, seats: int) -> Game[Any]:
    kind = GAMES[name]
    return kind(seats, {"deals": 1} if "deals" in {spec.name for spec in kind.option_specs} else {})


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_every_game_far_better_than_chance(name: str, program: partial[Program]) -> None:
    bot = program(1000)
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
    bot = program(1000)
    for game, kind in [("game to come", "card"), ("standard", "kind to come"), ("eleven", "kind to come")]:
        bot.welcome({"game": game, "options": {}, "seats": 4, "seat": 0, "start": 0, "seed": 0})
        assert bot.decide({"kind": kind, "view": {}, "options": ["b", "a"]}) == "b"


def test_what_it_cannot_read_does_not_end_it(program: partial[Program]) -> None:
    bot = program(1000)
    assert bot.process.stdin is not None
    bot.process.stdin.write('nonsense\n{"type":"news","of":[1.5,null,true,{"a":"\\u00fc"}]}\n\n')
    bot.welcome({"game": "standard", "options": {}, "seats": 4, "seat": 0, "start": 0, "seed": 0})
    assert bot.decide({"kind": "card", "view": {}, "options": [5, 7]}) == 5
