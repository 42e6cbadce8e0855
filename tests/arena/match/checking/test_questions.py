"""The questions of a check: every kind of every game, and as the referee would ask them."""

from typing import Any

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.checking.questions import questions
from bullring.arena.match.checking.tap import KEPT, LONGEST, Traffic, shown


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_kind_of_decision_is_found(game: Any) -> None:
    found = {asked.kind for seats in game.seat_range for asked in questions(game, seats)}
    assert found == {decision.kind for decision in game.decisions}


def test_a_question_has_a_view_options_and_events_of_its_own() -> None:
    for asked in questions(GAMES["hand"], 2):
        assert asked.options
        assert asked.view["hand"] is not asked.options
        assert {"seat", "hand", "rows"} <= set(asked.view)


def test_traffic_is_bounded() -> None:
    traffic = Traffic()
    for number in range(1000):
        traffic.note("bot", b"x" * 100_000 + b"%d" % number)
    lines = traffic.lines()
    assert len(lines) == KEPT
    assert all(len(line) < LONGEST + 100 for line in lines)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'{"type":"hello"}\n', '{"type":"hello"}'),
        (b"\x81\xa4type\xa3bye", '{"type":"bye"}'),
        (b"\0\0\0\x0a\x81\xa4type\xa3bye", '{"type":"bye"}'),
        (b"\x81\xa4ty", r"\x81\xa4ty"),
        (b"\xff\xfe{", r"\xff\xfe{"),
        (b"\x81\xa1x" + b"\x91" * 5000 + b"\x01", "\\x81\\xa1x"),
        (b"\x81\xa1x\xdf\xff\xff\xff\xff", "\\x81"),
    ],
)
def test_bytes_are_shown_as_messages_or_as_they_are(data: bytes, text: str) -> None:
    assert shown(data).startswith(text)
