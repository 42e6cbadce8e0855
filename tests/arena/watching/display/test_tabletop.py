"""The table of any size: every game at every moment fits, shows what lies open, and is filled exactly."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.style import Style

from bullring.arena.games.rules.board import Rows, Stacks
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.stages import Falls, Took
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.tabletop import history, sorry, tabletop, toned, too_small
from bullring.arena.watching.picture.picture import Frame, Line, Picture
from bullring.arena.watching.picture.steps import Asked, Ended
from tests.arena.watching.display.pictures import SIZES, game, match


def metas(block: Block, key: str) -> dict[int, str]:
    """The text with a meta, by its value: that of the last place."""
    return {
        span.style.meta[key]: line.plain[span.start : span.end]
        for line in block.lines
        for span in line.spans
        if isinstance(span.style, Style) and key in span.style.meta
    }


def some(frames: list[Frame], count: int) -> Iterator[Frame]:
    """Some of them, from all parts of a match, and the last one."""
    step = max(1, len(frames) // count)
    yield from frames[step // 2 :: step]
    yield frames[-1]


@pytest.mark.parametrize("name", GAMES)
def test_every_size_is_filled_exactly_at_every_moment(name: str) -> None:
    low, high = GAMES[name].seat_range
    for seats, (width, height) in zip((low, high, high, high), SIZES, strict=True):
        for frame in some(game(name, seats), 1):
            drawn = tabletop(frame, width, height, waited=2.5, phase=0.3)
            assert (drawn.width, drawn.height) == (width, height)
            assert all(line.cell_len == width for line in drawn.lines)


@pytest.mark.parametrize("name", GAMES)
def test_cards_rows_stacks_and_seats_are_found_at_a_click(name: str) -> None:
    for frame in some(game(name, min(4, GAMES[name].seat_range[1])), 2):
        drawn = tabletop(frame, 80, 24)
        assert set(metas(drawn, "seat")) == set(range(len(frame.picture.seats)))
        for part in frame.picture.board:
            if isinstance(part, Rows):
                assert set(metas(drawn, "row")) == set(range(1, len(part.rows) + 1))
                assert {card for row in part.rows for card in row} <= set(metas(drawn, "pick"))
            if isinstance(part, Stacks):
                assert {stack[-1] for stack in part.stacks if stack} <= set(metas(drawn, "pick"))


def test_the_cards_just_played_to_stacks_are_always_visible() -> None:
    frames = [frame for frame in game("eleven", 4) if len(frame.picture.fresh) > 2]
    for frame in some(frames, 6):
        assert set(frame.picture.fresh) <= set(metas(tabletop(frame, 80, 24), "pick"))


def test_who_thinks_is_said_with_a_clock_and_whose_card_lies_face_down() -> None:
    frame = next(frame for frame in match() if isinstance(frame.step, Asked) and len(frame.step.seats) == 4)
    some_answered = frame.picture.with_seat(1, asked=False, down=True)
    lines = tabletop(Frame(frame.step, some_answered), 80, 24, waited=7.2).plain.splitlines()
    (answered,) = [line for line in lines if line.startswith("1 ")]
    assert "ready" in answered
    assert "░" in answered
    assert sum("thinking 7 s" in line for line in lines) == 3


def test_the_least_important_columns_go_first() -> None:
    frame = next(frame for frame in match() if isinstance(frame.step, Falls))
    seats = tuple(replace(seat, faults=1) for seat in frame.picture.seats)
    frame = Frame(frame.step, replace(frame.picture, seats=seats))
    heads = {width: tabletop(frame, width, 13).plain.splitlines()[1] for width in range(40, 100, 4)}
    wide = {title: min(w for w, head in heads.items() if title in head) for title in ("median", "last ms", "faults")}
    assert wide["median"] > wide["last ms"] > wide["faults"]
    assert "total" in heads[60]
    assert "total" in heads[80]
    assert "last ms" in heads[80]


@pytest.mark.parametrize("height", [14, 22])
def test_rows_are_cards_and_names_are_whole_on_80_columns(height: int) -> None:
    """14 lines are left by the cost of a decision, 22 without it."""
    for frame in (frame for frame in match() if isinstance(frame.step, Falls)):
        drawn = tabletop(frame, 80, height, past=height > 14).plain
        assert drawn.count("▝") + drawn.count("┗") >= 4
        assert all(seat.name[:8] in drawn for seat in frame.picture.seats)


def test_the_sums_of_deals_have_whole_names_beside_the_board() -> None:
    heads = next(line for line in tabletop(match()[-1], 120, 40).plain.splitlines()[2:] if "greedy" in line[70:])
    assert all(name in heads[70:] for name in ("montecar", "greedy", "random"))


def test_a_row_of_five_is_marked_and_a_row_that_falls_names_its_owner_without_colours() -> None:
    falls = next(frame for frame in match() if isinstance(frame.step, Falls))
    for width, height in SIZES[:3]:
        drawn = tabletop(falls, width, height).plain
        assert re.search(rf"▶{falls.picture.falling} .*(falls to|→) \w+", drawn, re.DOTALL)
    full = next(
        frame
        for frame in match()
        for part in frame.picture.board
        if isinstance(part, Rows) and any(len(row) == 5 for row in part.rows)
    )
    assert re.search(r"!\d.*full", tabletop(full, 80, 24).plain, re.DOTALL)


def test_heads_fly_from_the_row_to_their_taker() -> None:
    took = next(frame for frame in match() if isinstance(frame.step, Took))
    assert isinstance(took.step, Took)

    def line_of_heads(phase: float) -> int:
        lines = tabletop(took, 80, 24, phase=phase).lines
        return next(
            at
            for at, line in enumerate(lines)
            for span in line.spans
            if "on red" in str(span.style) and line.plain[span.start : span.end].startswith(f" {took.step.heads} ")  # type: ignore[union-attr]
        )

    lines = [line_of_heads(phase) for phase in (0.0, 0.5, 0.99)]
    assert lines == sorted(lines, reverse=True)
    assert lines[0] > lines[-1]


def test_the_winner_is_named_when_all_is_over() -> None:
    assert isinstance(match()[-1].step, Ended)
    for width, height in SIZES:
        assert "montecarlo wins with 17 heads" in tabletop(match()[-1], width, height).plain


@pytest.mark.parametrize(("width", "height"), [(39, 12), (40, 11), (1, 1), (0, 0)])
def test_a_terminal_that_is_too_small_is_told_so(width: int, height: int) -> None:
    assert too_small(width, height)
    assert sorry(width, height).height == height
    assert tabletop(match()[0], width, height).height == height


def test_no_line_of_the_history_is_cut() -> None:
    long = Line(1, 2, f"fault of mine: protocol in card: {'x' * 70} and so on", "fault")
    for width in (40, 80):
        shown = history(Picture(log=(long,)), width, 6, stamped=False).plain
        assert re.sub(r"\s", "", shown) == re.sub(r"\s", "", long.text)


def test_names_that_take_other_room_than_they_have_letters_leave_the_table_straight() -> None:
    frame = next(frame for frame in match() if isinstance(frame.step, Falls))
    names = ["日本語のボットです", "e\u0301\u0301\u0301te\u0301", "🐂" * 12, "[red]x[/red]"]
    picture = frame.picture
    for seat, name in enumerate(names):
        picture = picture.with_seat(seat, name=name)
    for width, height in SIZES:
        drawn = tabletop(Frame(frame.step, picture), width, height)
        assert all(line.cell_len == width for line in drawn.lines)
    assert "[red]x[/red]" in tabletop(Frame(frame.step, picture), 80, 24).plain


def test_a_stack_that_falls_names_its_owner() -> None:
    falls = next(frame for frame in game("eleven", 4) if isinstance(frame.step, Falls))
    for width, height in SIZES:
        assert re.search(rf"stack {falls.picture.falling} falls to bot \w", tabletop(falls, width, height).plain)


@pytest.mark.parametrize("told", [["a takes row 1: 2 heads"], ["a takes", "row 1: 2", "heads"]])
def test_the_heads_of_a_row_have_a_colour_wherever_the_line_breaks(told: list[str]) -> None:
    drawn = list(toned(told, Line(1, 1, " ".join(told), "take")))
    coloured = " ".join(
        text.plain[span.start : span.end].strip() for text in drawn for span in text.spans if span.style
    )
    assert coloured == "2 heads"
