"""Playing in lines of text: what is typed, and what is said."""

import asyncio
import os

import pytest

from bullring.arena.games.rulebook.language import speaking
from bullring.arena.games.rules.cards import HEADS
from bullring.arena.study.hints.thoughts import Thought, Thoughts
from bullring.arena.watching.display.text import hint_text
from bullring.arena.watching.people.plain import Typed, chosen, worth_text
from tests.support.patience import PATIENCE


def test_a_terminal_that_is_gone_types_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = os.openpty()
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)

        async def main() -> None:
            typed = Typed()
            os.write(theirs, b"4\n")
            assert await asyncio.wait_for(typed.line(), PATIENCE) == "4"
            os.close(theirs)
            assert await asyncio.wait_for(typed.line(), PATIENCE) is None

        asyncio.run(main())


def test_heads_of_a_hint_have_the_marks_of_the_language() -> None:
    thoughts = Thoughts("strong", (Thought(41, 13.2, 0), Thought(7, 14.0, 0.1, 0.25)), 41)
    with speaking("de"):
        told = hint_text(thoughts)
    assert told.splitlines() == [
        "strong würde 41 wählen",
        "  41: noch 13,2 Hornochsen",
        "  7: noch 14,0 Hornochsen, jetzt 25 % Risiko",
    ]


def test_cards_of_a_hand_tell_their_heads_if_these_are_more_than_one() -> None:
    assert worth_text((13, 55, 60), HEADS) == "13, 55 (7), 60 (3)"


def test_a_number_is_that_of_a_line_where_options_are_numbered() -> None:
    options = [[31, 1], 1, 2]
    assert chosen("1", options, numbered=True) == [31, 1]
    assert chosen("2", options, numbered=True) == 1
    assert chosen("31, 1", options, numbered=True) == [31, 1]
    assert chosen("4", options, numbered=True) is None
    assert chosen("2", [2, 17], numbered=False) == 2
