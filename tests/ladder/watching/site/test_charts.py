"""The curve of a rating on the page of a bot, and where there is none."""

import re
from contextlib import closing
from math import inf
from pathlib import Path

import pytest

from bullring.arena.watching.display.elo import rated
from bullring.ladder.watching.display.plots import Course
from bullring.ladder.watching.site.charts import courses, spark
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from tests.ladder.homes import told
from tests.ladder.watching.site.homes import home_of

RISING = [
    (matches, 1400.0 + matches, 1400.0 + matches - 90 / matches, 1400.0 + matches + 90 / matches)
    for matches in range(1, 41)
]


def heights(drawn: str, shape: str) -> list[list[float]]:
    """The heights at which lines, or bands, of a picture have their points, from above; each is drawn for two widths."""
    found = re.findall(rf'<{shape} points="([^"]*)"', drawn)
    return [[float(point.partition(",")[2]) for point in points.split()] for points in found]


def test_the_curve_rises_with_the_rating_and_its_band_is_around_it() -> None:
    drawn = courses([Course("ann", RISING)])
    lines, bands = heights(drawn, "polyline"), heights(drawn, "polygon")
    assert len(lines) == len(bands) == 2
    for line, band in zip(lines, bands, strict=True):
        assert len(line) > 10
        assert line == sorted(line, reverse=True)
        above, below = band[: len(line)], band[: len(line) - 1 : -1]
        assert all(high < middle < low for high, middle, low in zip(above, line, below, strict=True))
    assert f"<title>ann {rated(1440.0, 90 / 40)}</title>" in drawn


def test_a_line_of_a_table_has_the_course_of_a_rating_without_its_wild_beginning() -> None:
    (line,) = heights(spark([Course("ann", RISING)]), "polyline")
    assert line == sorted(line, reverse=True)
    assert len(line) == len(RISING) * 4 // 5


def test_of_several_curves_each_is_named_with_its_last_rating_and_ends_that_nobody_knows_are_left_out() -> None:
    open_ = [(matches, 1500.0, -inf, inf) for matches in range(1, 41)]
    drawn = courses([Course("ann", RISING), Course("<b>", open_)])
    assert len(heights(drawn, "polyline")) == 4
    assert len(heights(drawn, "polygon")) == 2  # those of the first alone
    key = re.findall(r"<li>.*?</svg> (.*?)</li>", drawn)
    assert [name.split()[0] for name in key] == ["ann", "&lt;b&gt;"]
    assert key[0].endswith(rated(1440.0, 90 / 40))


@pytest.mark.slow
def test_the_page_of_a_bot_has_a_curve_once_its_rating_is_sure_enough(tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", 40)
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site"), 1).make(store)
    rows = {row["bot"]: row for row in told("table", "--format", "json", home=home)["rows"]}
    for bot, name in ((1, "ann"), (4, "bob")):
        page = (tmp_path / "site" / "bots" / f"{bot}.html").read_text("utf-8")
        row = rows[name]
        sure = row["error"] is not None and row["error"] <= 200
        assert (f"<title>{name} {rated(row['rating'], row['error'])}</title>" in page) == sure
