"""The table of a player: everything has its place in any size, and nothing moves."""

import re
from itertools import pairwise

import pytest

from bullring.arena.games.rules.board import Pool
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.display.blocks import whole
from bullring.arena.watching.display.board import Mark
from bullring.arena.watching.display.cards import Size
from bullring.arena.watching.display.playing import ROWS, Note, Plan, planned, playing
from bullring.arena.watching.display.seats import strip
from bullring.arena.watching.picture.picture import Frame
from tests.arena.watching.display.pictures import game
from tests.arena.watching.display.test_tabletop import metas, some
from tests.support.games import some_games

SIZES = ((40, 12), (60, 15), (80, 24), (100, 30), (120, 40), (200, 60))
LONG = "a sentence that is much longer than its place beside the board " * 4
SILENT = (Note("hint"), Note("why"), Note("history"))
TOLD = (Note("hint", LONG), Note("why", f"{LONG}\n{LONG}"), Note("history"))


def drawn(
    frame: Frame, plan: Plan, notes: tuple[Note, ...] = SILENT, marks: dict[int, Mark] | None = None
) -> list[str]:
    """The lines of the table."""
    table = playing(frame, plan, notes, queue="waiting", marks=marks or {})
    assert table.height == plan.title + plan.seats + plan.middle
    assert all(line.cell_len == plan.width for line in table.lines)
    return [line.plain for line in table.lines]


@pytest.mark.parametrize("name", some_games)
def test_every_game_fills_its_place_in_every_size(name: str) -> None:
    for at, (width, height) in enumerate(SIZES):
        seats = GAMES[name].seat_range[at % 2]
        plan = planned(width, height, seats, 10)
        assert plan.middle > 0
        for frame in some(game(name, seats), 1):
            drawn(frame, plan, TOLD)


@pytest.mark.parametrize("seats", [2, 4, 6, 10])
def test_eight_letters_of_each_name_are_shown(seats: int) -> None:
    frame = game("standard", seats)[-1]
    names = [f"{'abcdefghij'[at] * 8}, a long name" for at in range(seats)]
    picture = frame.picture
    for seat, name in enumerate(names):
        picture = picture.with_seat(seat, name=name)
    for width, height in SIZES:
        shown = "\n".join(drawn(Frame(frame.step, picture), planned(width, height, seats, 10)))
        assert all(name[:8] in shown for name in names)


@pytest.mark.parametrize("seats", range(2, 11))
def test_cards_grow_with_the_terminal_and_rows_take_several_lines_where_there_is_room(seats: int) -> None:
    plans = [planned(width, height, seats, 10) for width, height in SIZES]
    assert all(small.board <= large.board and small.hand <= large.hand for small, large in pairwise(plans))
    assert plans[2].board >= Size.BOX
    assert plans[2].hand >= Size.BOX
    assert plans[-1].board == max(Size)
    for plan in plans[2:]:
        assert ROWS * plan.board.height >= plan.height // 2
        assert plan.aside, "hints, lessons and history have a place of their own"
        assert plan.foot


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["standard", "double", "professional"])
def test_nothing_moves_because_something_is_told_or_pointed_at(name: str, size: tuple[int, int]) -> None:
    plan = planned(*size, 4, 10)
    frame = next(frame for frame in some(game(name, 4), 3) if frame.picture.turn > 3)
    edge = plan.width - plan.aside
    silent = [line[:edge] for line in drawn(frame, plan)]
    assert [line[:edge] for line in drawn(frame, plan, TOLD)] == silent
    assert [
        line[:edge] for line in drawn(frame, plan, (Note("hint", on=False), Note("why", on=False), Note("h")))
    ] == silent
    for number in range(1, ROWS + 1):
        pointed = [line[:edge] for line in drawn(frame, plan, marks={number: Mark(words="+12 Ψ", aimed=True)})]
        top = plan.title + plan.seats
        assert pointed[:top] == silent[:top]
        for before, after in zip(silent, pointed, strict=True):
            assert before.find("│") == after.find("│")


def test_a_card_is_shown_where_it_would_go() -> None:
    frame = next(frame for frame in game("standard", 4) if frame.picture.turn == 1)
    for width, height in SIZES:
        table = playing(frame, planned(width, height, 4, 10), SILENT, marks={2: Mark(card=77)})
        assert 77 in metas(table, "pick")
        (line,) = [at for at, line in enumerate(table.lines) if "77" in line.plain][:1]
        spans = [span.style.meta for span in table.lines[line].spans if not isinstance(span.style, str)]
        assert any(meta.get("row") == 2 for meta in spans)


def test_what_has_no_room_is_left_out_by_whole_clauses() -> None:
    told = "Row 3 is full; 12 and 14 went first: it takes 2.5 heads. That is much."
    assert whole(told, 80, 1) == [told]
    assert whole(told, 60, 1) == ["Row 3 is full; 12 and 14 went first: it takes 2.5 heads."]
    assert whole(told, 40, 1) == ["Row 3 is full."]
    assert whole(told, 8, 2) == ["Row 3 is", "full."]
    assert whole("one\ntwo", 10, 1) == ["one"]


@pytest.mark.parametrize("size", SIZES[2:])
def test_open_cards_to_draft_are_whole(size: tuple[int, int]) -> None:
    frame = next(frame for frame in game("logic", 4) if any(isinstance(part, Pool) for part in frame.picture.board))
    shown = "\n".join(drawn(frame, planned(*size, 4, 10), TOLD))
    assert shown.count("▗") == shown.count("▝") == 44


@pytest.mark.parametrize("seats", [2, 4])
def test_open_cards_to_draft_look_like_cards_at_80_columns_and_keep_their_places(seats: int) -> None:
    places: dict[str, tuple[int, int]] = {}
    for frame in game("logic", seats)[: 10 * seats]:
        if not any(isinstance(part, Pool) for part in frame.picture.board):
            continue
        lines = drawn(frame, planned(80, 24, seats, 10), TOLD)
        assert any("▗" in line for line in lines)
        assert any("hint" in line for line in lines)
        for at, line in enumerate(lines):
            for found in re.finditer(r"▐ +(\d+)", line):
                assert places.setdefault(found[1], (at, found.start())) == (at, found.start())
    assert len(places) == 10 * seats + 4


@pytest.mark.parametrize("width", [80, 100, 200])
def test_both_cards_of_a_pair_are_seen_at_each_seat(width: int) -> None:
    pictures = [frame.picture for frame in game("nifty", 4)]
    paired = next(picture for picture in pictures if all(len(seat.cards) == 2 for seat in picture.seats))
    shown = " ".join(line.plain for line in strip(paired, width).lines)
    for seat in paired.seats:
        assert f"{seat.name} {seat.score} {seat.cards[0]} {seat.cards[1]}" in shown
