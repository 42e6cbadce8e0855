"""What a ladder and its referee processes say to each other comes out as it went in."""

import json
from pathlib import Path

import pytest

from bullring.arena.bots.bot import Bot, Contents
from bullring.arena.clock.limits import Limits
from bullring.arena.cost import Spent
from bullring.arena.sandbox.caps import Caps
from bullring.arena.sandbox.identity import Owner
from bullring.arena.sandbox.program import Program
from bullring.arena.sandbox.wish import Wish
from bullring.arena.seeds import Seed
from bullring.ladder.crews.messages import (
    Answer,
    Changed,
    Drop,
    Dropped,
    Failed,
    Held,
    Match,
    Order,
    Outcome,
    Play,
    Played,
    SeatOutcome,
    Setup,
    answer_line,
    answer_of,
    order_line,
    order_of,
)

BOT = Bot(
    "a bot",
    Program(("python3", "bot.py"), Path("/bots/a"), reads=(Path("/data"),), caps=Caps(memory=1 << 28)),
    "match",
    contents=Contents("sha256:00", whole=True, image="sha256:11"),
)
SEAT = SeatOutcome(
    *(12, 1, ["timeout"], False, {3: 4, 17: 1}, {"heads_per_deal": 1.5}, Spent(1_500_000, 300_000, 1), 900_000),
    {"kind": "timeout", "turn": 2},
)
ORDERS: list[Order] = [
    Setup(
        Limits.seconds(card=0.2, bank=5),
        Wish("bwrap", freeze=False, images=("debian:12",)),
        Owner("home", (Path("/home/x"), Path("/y"))),
        "a key",
        3,
    ),
    Play(
        "nifty",
        {"deals": 2},
        [
            Match(
                number, [BOT, BOT], Seed("ab" * 32, "cd" * 16), Path(f"/home/x/records/{number}.jsonl"), {"ladder": "x"}
            )
            for number in (7, 8)
        ],
    ),
    Drop(),
    Drop(("a bot",)),
]
ANSWERS: list[Answer] = [
    Played(
        7,
        [
            Outcome(number, "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z", "5ea1" * 16, void, 2, [SEAT, SEAT])
            for number, void in ((7, None), (8, "a stall"))
        ],
    ),
    Failed(7, "no space left\non device"),
    Dropped(8),
    Held(8, ["a bot", "b"]),
    Changed(9, {"a bot": "its files have changed"}),
]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: type(order).__name__)
def test_orders(order: Order) -> None:
    line = order_line(order)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert order_of(line) == order


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_answers(answer: Answer) -> None:
    line = answer_line(answer)
    assert line.count(b"\n") == 1
    assert json.loads(line)[0] == type(answer).__name__
    assert answer_of(line) == answer
