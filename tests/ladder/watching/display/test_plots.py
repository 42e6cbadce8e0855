"""Plots of ratings and of pairs: what a person reads in them."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from bullring.ladder.standings.columns import settled
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.meetings import Meetings
from bullring.ladder.watching.display.figures import course_figure, pairs_figure
from bullring.ladder.watching.display.plots import Course, course_plot, cut, meetings_map, pairs_map, whole, window
from tests.ladder.standings.test_lines import ROWS

ENDED = "2026-01-02T03:04:06Z"
EVIL = "_$x^2$ <b>&amp;\x1b[31m"


def course(bot: str, ratings: list[float], width: float = 30.0) -> Course:
    points = [
        Point(10 * at, 10 * at, ENDED, rating, rating - width, rating + width) for at, rating in enumerate(ratings, 1)
    ]
    return Course.of(bot, points)


def shown(lines: Any) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


@pytest.mark.parametrize(("width", "height"), [(80, 21), (60, 12), (160, 47)])
def test_courses_fill_the_room_and_are_named(width: int, height: int) -> None:
    found = list(
        course_plot([course("greedy", [1400.0, 1450, 1520]), course("random", [1250.0, 1200, 1210])], width, height)
    )
    text = shown(found)
    assert "greedy  1520" in text
    assert "random  1210" in text
    assert len(found) <= max(height, 10)
    assert all(line.cell_len <= width for line in found)
    assert re.search(r"^ *1400┤", text, re.M) or re.search(r"^ *1500┤", text, re.M)


def test_a_wild_beginning_does_not_squash_the_plot() -> None:
    wild = Course(
        "wild", [(1, 900.0, -4172.0, 6798.0), *((10 * at, 1500.0 + at, 1480.0, 1530.0) for at in range(1, 20))]
    )
    low, high = window([wild])
    assert 1400 < low <= 1480
    assert 1530 <= high < 1600
    assert cut([wild], low, high) == (-4172.0, 6798.0)
    assert "early intervals are cut: one goes from -4172 to 6798" in shown(course_plot([wild], 80, 21))


def test_a_course_begins_where_its_interval_tells_something() -> None:
    young = Course("young", [(at, 1500.0, 1500.0 - 400 / at, 1500.0 + 400 / at) for at in range(1, 21)])
    assert young.settled(2).points[0][0] == 10
    assert young.settled(1000) == young
    low, high = whole([young.settled(2)])
    assert low < 1460 < 1540 < high


def test_points_without_a_rating_are_left_out_and_open_intervals_are_said() -> None:
    late = Course.of("late", [Point(1, 1, ENDED, None, None, None), Point(2, 2, ENDED, 1500.0, None, 1700.0)])
    assert len(late.points) == 1
    text = shown(course_plot([late], 80, 21))
    assert "late  1500?  (under 1700)" in text
    assert "one has no end" in text


def pair(bot: str, other: str, share: float, matches: int = 4) -> dict[str, Any]:
    return {"bot": bot, "other": other, "share": share, "matches": matches}


def test_a_map_of_pairs_has_per_cent_and_says_what_is_behind_them() -> None:
    lines = list(pairs_map(["a", EVIL], [pair("a", EVIL, 0.8), pair(EVIL, "a", 0.2, 9)], 80))
    assert lines[1].plain.split() == ["1", "a", "·", "80"]
    assert lines[2].plain.rstrip().endswith("20      ·")
    assert "\x1b" not in shown(lines)
    assert "from 4 to 9 matches" in lines[3].plain


@pytest.mark.parametrize(("count", "left_out"), [(12, False), (40, False), (80, True)])
def test_a_map_of_many_fits_80_columns(count: int, left_out: bool) -> None:
    bots = [f"bot {number}" for number in range(count)]
    lines = list(pairs_map(bots, [pair(one, two, 0.5) for one in bots for two in bots if one != two], 80))
    assert all(line.cell_len <= 80 for line in lines[: min(count, 60) + 1])
    assert ("of 80 bots" in lines[-1].plain) == left_out
    assert isinstance(lines[0], Text)


def test_pictures_are_the_same_every_time_and_hold_names_as_they_are(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        course_figure([course(EVIL, [1500.0, 1510])], "standard, 2 seats", tmp_path / name, "svg")
        pairs_figure([EVIL, "b"], [pair(EVIL, "b", 0.7)], "standard", tmp_path / f"pairs-{name}", "svg")
    for kind in ("", "pairs-"):
        data = (tmp_path / f"{kind}a.svg").read_bytes()
        assert data == (tmp_path / f"{kind}b.svg").read_bytes()
        text = "".join(ElementTree.fromstring(data).itertext())
        assert "$x^2$ <b>&amp;" in text


def test_the_map_of_those_who_watch_has_the_bots_with_a_place_that_fit() -> None:
    near = [replace(ROWS[1], place=at + 4, bot=f"bot {at}", rating=1600.0 - at) for at in range(2)]
    rows = settled([*ROWS, *near])
    names = [row.bot for row in rows]
    meetings = Meetings(names, [[None if one == two else 0.8 for two in names] for one in names])
    title, head, *lines = meetings_map(meetings, rows, 60).plain.splitlines()
    assert title == "head to head: share of points"
    assert head.split() == ["1", "2", "3", "4"]
    assert lines[0].split() == ["1", "quick", "·", "80", "80", "80"]
    assert not any("new" in line for line in lines)
    assert not meetings_map(meetings, rows, 14).height
    assert not meetings_map(None, rows, 80).height
