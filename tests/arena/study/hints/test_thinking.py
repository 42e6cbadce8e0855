"""Thoughts of bots about options, asked for as the adviser asks."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trio

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games import playouts
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.variants.eleven import Eleven
from bullring.arena.games.rules.variants.standard import Standard
from tests.arena.games.rules.playing import steps
from tests.arena.study.hints.asked import Asked, asked, questions


class Thinker:
    """A bot's `thoughts.py`, running."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": True}

    def ask(self, one: Asked, seconds: float) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = {"match": one.welcome, "question": one.question, "seconds": seconds}
        print(json.dumps(line), file=self.process.stdin, flush=True)
        said: dict[str, Any] = json.loads(self.process.stdout.readline())
        return said


@contextmanager
def thinking(folder: Path) -> Iterator[Thinker]:
    process = subprocess.Popen(
        [sys.executable, "thoughts.py"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        yield Thinker(process)
        assert process.stdin is not None
        process.stdin.close()
    assert process.returncode == 0


def test_montecarlo_thinks_of_each_option_of_each_kind_of_question() -> None:
    with thinking(builtin.folder("montecarlo")) as montecarlo:
        thinks_of_everything(montecarlo, 0.005)


def thinks_of_everything(thinker: Thinker, seconds: float) -> None:
    known = 0
    for kind in GAMES.values():
        asked_for = set()
        for one in questions(kind):
            options, name = one.question["options"], one.question["kind"]
            asked_for.add(name)
            said = thinker.ask(one, seconds)
            if said["best"] is None:
                break  # a game that it does not know
            if name == "draft":
                assert said == {"thoughts": [], "best": options.index(max(options)), "playouts": 0}
                continue
            assert [option for option, *_ in said["thoughts"]] == options
            assert said["playouts"] >= 2
            assert said["thoughts"][said["best"]][1] == min(heads for _, heads, *_ in said["thoughts"])
            assert said["thoughts"][said["best"]][2] == 0
            assert all(heads >= 0 and error >= 0 for _, heads, error, _ in said["thoughts"])
            assert all(takes is None or 0 <= takes <= 1 for *_, takes in said["thoughts"])
        else:
            known += 1
            assert asked_for | {"bull"} >= {decision.kind for decision in kind.decisions}
    assert known >= 11


def test_montecarlo_says_nothing_of_games_that_it_does_not_know() -> None:
    (one, *_) = questions(Standard)
    unknown = Asked(one.game, one.state, one.seat, {**one.welcome, "game": "toy"}, one.question)
    with thinking(builtin.folder("montecarlo")) as montecarlo:
        assert montecarlo.ask(unknown, 0.01) == {"thoughts": [], "best": None, "playouts": 0}


def last_row() -> Asked:
    """The last card of a deal fits nowhere, so the rows cost what lies in them."""
    game = Standard(2)
    (*_, step) = (step for step in steps(game, 3) if step.after.turn == 10 and step.after.deal == 1)
    state = step.after.copy()
    state.rows = [[5, 11, 22, 33, 50], [60], [70, 77], [80]]
    state.row_heads = [sum(game.heads[card] for card in row) for row in state.rows]
    state.hands, state.queue = [[], []], [(3, 1), (90, 0)]
    state.pending = Batch("row", (1,), ((1, 2, 3, 4),))
    return asked(game, state)


def last_card() -> Asked:
    """In 11 nimmt!, the last card of a hand may be laid: the deal is over, and nothing is left in the hand."""
    game = Eleven(2)
    state = next(step.after for step in steps(game, 3)).copy()
    state.hands, state.stacks, state.mover = [[7, 63], [5]], [[1]], 1
    state.pending = Batch("play", (1,), (((5, 1), 1),))
    return asked(game, state)


def test_what_is_certain_is_known() -> None:
    row, card = last_row(), last_card()
    with thinking(builtin.folder("montecarlo")) as montecarlo:
        said = montecarlo.ask(row, 0.01)
        assert [heads for _, heads, *_ in said["thoughts"]] == row.state.row_heads
        assert [takes for *_, takes in said["thoughts"]] == [1, 1, 1, 1]
        assert row.state.row_heads[said["best"]] == min(row.state.row_heads)
        said = montecarlo.ask(card, 0.01)
        assert said["best"] == 0
        assert said["thoughts"][0][1] == 0 < said["thoughts"][1][1]


@pytest.mark.slow
def test_strong_agrees_with_playouts_of_the_arena() -> None:
    async def build() -> Path:
        async with open_sandbox(Wish("none", allow_unsandboxed=True, freeze=False, proven=False)) as sandbox:
            (bot,) = await built_here([load("@strong")], sandbox, BuildLimits())
        return bot.program.folder

    with thinking(trio.run(build)) as strong:
        thinks_of_everything(strong, 0.05)
        for seed in range(4):
            for one in questions(Standard, seed, of_a_kind=2):
                said = strong.ask(one, 0.3)
                options = one.question["options"]
                heads = playouts.values(one.game, one.state, one.seat, options, count=2000, seed=1)[
                    :, :, one.seat
                ].mean(0)
                # On a busy machine it has had few playouts, and says so.
                thoughts, errors = np.array([(thought, error) for _, thought, error, _ in said["thoughts"]]).T
                assert (heads[said["best"]] <= heads + 1 + 3 * errors).all()
                # The bot thinks that it goes on more keenly than others, so only differences can be compared.
                assert (np.abs((thoughts - thoughts.mean()) - (heads - heads.mean())) < 2 + 3 * errors.max()).all()
