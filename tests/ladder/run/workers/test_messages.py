"""Messages between a ladder and its referee processes come out as they went in."""

from dataclasses import replace
from pathlib import Path

import pytest

from bullring.arena.cells.bots.bot import Bot, Contents
from bullring.arena.cells.processes.frames import Frames
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.match.cost import Spent
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.ladder.run.workers.messages import (
    Answer,
    Block,
    Changed,
    Drop,
    Dropped,
    Failed,
    Held,
    Match,
    Meet,
    Order,
    OrderReader,
    OrderWriter,
    Outcome,
    Play,
    Played,
    Seat,
    Seated,
    Setup,
    Spoiled,
    answer_bytes,
    answer_of,
)
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.rows import ListRow, MatchRow, SeatRow

BOT = Bot(
    "a bot",
    Program(("python3", "bot.py"), Path("/bots/a"), reads=(Path("/data"),), caps=Caps(memory=1 << 28)),
    "match",
    contents=Contents("sha256:00", whole=True, image="sha256:11"),
)
OTHER = replace(BOT, name="another")
SETUP = Setup(
    Limits.seconds(card=0.2, bank=5),
    Wish("bwrap", freeze=False, images=("debian:12",)),
    Owner("home", (Path("/home/x"), Path("/y"))),
    ListRow(3, "nifty", {"deals": 2}, 2),
    "duel",
    "a key",
    3,
    "/home/x/live",
    {"node": {"speed": 1.5}},
)
SPOILED = (Spoiled(True, "a stall"), Spoiled(False, "it died"))
PLAY = Play([Match(number, [BOT, OTHER], [4, 5], Seed("ab" * 32, "cd" * 16)) for number in (7, 8)], True, SPOILED)
ROW = packed(
    MatchRow(
        *(7, 3, "duel", 7, Seed("ab", "cd"), "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z", "a stall", False, 2),
        [SeatRow(4, 12, 1, ["timeout"], False, {3: 4, 17: 1}, {"heads_per_deal": 1.5}, Spent(1_500_000, 300_000, 1))],
        "5ea1" * 16,
    )
)
SEAT = Seat(4, 12, 1, 5, 1_500_000, 300_000, 1, 900_000, {"kind": "timeout", "turn": 2})
ANSWERS: list[Answer] = [
    Block(
        [Played(7, [Outcome(7, None, ROW, [SEAT]), Outcome(8, "a stall", ROW, [SEAT, SEAT])], SPOILED)],
        [b"\n\0packed", b""],
    ),
    Failed(7, "no space left\non device"),
    Dropped(8),
    Held(8, ["a bot", "b"]),
    Seated([7, 9]),
    Changed(9, {"a bot": "its files have changed"}),
]


def test_orders_come_out_as_they_went_in_however_they_are_cut() -> None:
    writer, reader = OrderWriter(), OrderReader()
    orders: list[Order] = [SETUP, PLAY, Drop(), Drop(("a bot",)), replace(PLAY, within=1.5)]
    sent = b"".join(map(writer.write, orders))
    heard = [order for at in range(0, len(sent), 7) for order in reader.feed(sent[at : at + 7])]
    assert [order for order in heard if not isinstance(order, Meet)] == orders


def test_a_bot_is_described_once_and_again_when_it_is_another_one() -> None:
    writer = OrderWriter()
    first, again = writer.write(PLAY), writer.write(PLAY)
    assert list(OrderReader().feed(first)) == [Meet(4, BOT), Meet(5, OTHER), PLAY]
    assert first.endswith(again)
    built = replace(BOT, contents=Contents("sha256:00", built="sha256:22"))
    changed = Play([replace(match, bots=[built, OTHER]) for match in PLAY.matches])
    reader = OrderReader()
    assert [*reader.feed(first + writer.write(changed))][-2:] == [Meet(4, built), changed]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_answers(answer: Answer) -> None:
    (message,) = Frames().feed(answer_bytes(answer))
    assert answer_of(message) == answer
