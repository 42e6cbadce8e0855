"""The picture of a table: every game at every moment fits 80 columns and shows what lies open."""

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from rich.console import Console

from bullring.arena.display.table import LiveTable
from bullring.arena.records.reading import Entry
from bullring.arena.rules.game import Batch
from bullring.arena.rules.registry import GAMES
from bullring.arena.rules.rows import RowGame
from tests.arena.rules import golden

WIDTH = 80


def entries(name: str, seats: int | None = None, options: Mapping[str, object] | None = None) -> list[Entry]:
    """The record of a short match."""
    kind = GAMES[name]
    short = {"deals": 1} if any(spec.name == "deals" for spec in kind.option_specs) else {}
    return list(golden.entries(name, seats or kind.seat_range[0], {**short, **(options or {})}))


def drawn(view: LiveTable) -> str:
    console = Console(width=WIDTH, file=io.StringIO(), force_terminal=False)
    console.print(view)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def pictures(record: list[Entry]) -> Iterator[tuple[LiveTable, str]]:
    """The view after each entry."""
    view = LiveTable()
    for entry in record:
        view.feed(entry)
        yield view, drawn(view)


def first(record: list[Entry], wanted: Any) -> str:
    """The first picture for which `wanted(state)` holds."""
    return next(picture for view, picture in pictures(record) if wanted(view.replay.state))


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_fits_80_columns_and_says_who_is_asked(name: str) -> None:
    record = entries(name)
    step = max(1, len(record) // 40)
    view = LiveTable()
    for number, entry in enumerate(record):
        view.feed(entry)
        if number % step and number != len(record) - 1:
            continue
        picture = drawn(view)
        assert all(len(line) <= WIDTH for line in picture.splitlines())
        pending = view.replay.state.pending
        if isinstance(pending, Batch):
            standings = picture.splitlines()
            for seat in range(view.replay.game.seats):
                (line,) = [line for line in standings if re.match(rf" ?{seat}  bot", line)]
                asked = bool(re.search(r"(thinking|drafts|picks|orders|sorts|more\?)", line))
                assert asked == (seat in pending.seats), (picture, pending)
    assert "place 1" in drawn(view)


@pytest.mark.parametrize("name", [name for name, kind in GAMES.items() if issubclass(kind, RowGame)])
def test_all_cards_of_the_rows_are_shown(name: str) -> None:
    for view, picture in pictures(entries(name)[:30]):
        rows = view.replay.state.rows if view.replay.head else []
        for number, row in enumerate(rows, 1):
            (line,) = [line for line in picture.splitlines() if line.startswith(f" row {number} ")]
            assert [int(card) for card in re.findall(r"\d+", line)][1 : 1 + len(row)] == row


def test_rows_that_grow_at_both_ends_have_a_mark_at_each() -> None:
    picture = first(entries("professional", 3), lambda state: any(len(row) == 3 for row in state.rows))
    assert re.search(r"‹\d+ +\d+ +\d+›", picture)


def test_twins_share_a_place() -> None:
    picture = first(entries("double", 10), lambda state: any(len(set(row)) < len(row) for row in state.rows))
    assert re.search(r"(\d+)=\1", picture)


def test_a_draft_shows_what_is_left_and_who_has_taken_what() -> None:
    picture = first(entries("logic", 3), lambda state: len(state.hands[0]) == 2)
    assert "to draft: " in picture
    assert re.search(r"bot A +holds \d+ \d+", picture)
    assert "draft " in picture.splitlines()[0]


def test_stacks_bulls_and_growing_hands_are_shown() -> None:
    record = entries("eleven", 3)
    picture = first(record, lambda state: any(state.bulls))
    assert re.search(r"stack 1 +\d+ cards?", picture)
    assert "gets a bull" in picture
    assert re.search(r"deck +\d+ cards", picture)
    assert re.search(r"bot \w +known in hand: \d+", picture)
    assert re.search(r"card +hand +bulls +heads", picture)


def test_what_is_kept_in_hand_is_shown() -> None:
    picture = first(entries("hand", 3), lambda state: any(state.known))
    assert re.search(r"bot \w +known in hand: \d+", picture)
    assert re.search(r"bot \w takes row \d", picture)


def test_open_cards_wait_on_the_table() -> None:
    picture = first(entries("open", 3), lambda state: len(state.queue) == 2)
    assert re.search(r"waiting, with its seat: \d+ \(0\), \d+ \(1\)", picture)


def test_the_score_sheet_stands_under_a_finished_tournament() -> None:
    *_, (view, picture) = pictures(entries("tournament", 2))
    hand = " ".join(map(str, view.replay.state.drafted[0]))
    line = next(line for line in picture.splitlines() if hand in line)
    drafter, heads = line.split(hand)
    assert drafter.split() == ["0", "bot", "A"]
    assert [int(number) for number in heads.split()] == view.replay.state.sheet[0]
    total = next(line for line in picture.splitlines() if "in total" in line)
    assert [int(number) for number in re.findall(r"\d+", total)] == view.replay.state.scores


@pytest.mark.parametrize(
    ("name", "seats"), [("eleven", 4), ("eleven", 7), ("logic", 4), ("tournament", 5), ("hand", 7)]
)
def test_the_picture_fits_a_terminal_of_24_lines(name: str, seats: int) -> None:
    view = LiveTable()
    for number, entry in enumerate(entries(name, seats)[:-1]):
        view.feed(entry)
        if number % 30 == 0:
            console = Console(width=WIDTH, height=24, file=io.StringIO(), force_terminal=True)
            assert len(console.render_lines(view)) < 24
