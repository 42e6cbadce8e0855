"""Pictures of a list as SVG, in the colours of the page's style."""

from collections.abc import Sequence
from math import isfinite

from markupsafe import Markup, escape

from bullring.arena.cells.text.harmless import harmless
from bullring.ladder.standings.columns import Row, bound
from bullring.ladder.watching.display.plots import Course, steps, window
from bullring.ladder.watching.site.words import say

WIDTH = 720
LINE = 24
"""Height of a bot's line in the picture of intervals."""
NAMES = 190
"""Width of the names beside it."""
BANDS = 2
"""Courses up to which their intervals are drawn; more would hide each other."""
COURSES = 8
"""Courses in one picture: each has a colour and a way of being dashed of its own."""
STEPS = 6
"""Round values beside an axis, about."""
HEIGHT = 300
LEFT, RIGHT, TOP, BOTTOM = 52, 28, 12, 34


def intervals(rows: Sequence[Row]) -> Markup:
    """The ratings with their 95 % intervals, a line for each bot. Intervals without an end go to the edge."""
    rated = [row for row in rows if row.rating is not None]
    if not rated:
        return Markup()
    low, high = _ends(rated)
    marks = steps(low, high, STEPS)
    height = LINE * len(rated) + 30

    def x(value: float) -> str:
        return f"{NAMES + (WIDTH - NAMES - 20) * (min(max(value, low), high) - low) / (high - low):.1f}"

    grid = [_line(x(step), 0, x(step), height - 26, "grid") for step in marks]
    grid += [
        element("text", f"{step:.0f}", x=x(step), y=height - 8, class_="tick", text_anchor="middle") for step in marks
    ]
    lines = []
    for at, row in enumerate(rated):
        assert row.rating is not None
        y = LINE * at + LINE // 2
        first, last = _interval(row, low, high)
        lines += [
            element("text", row.bot[:26], x=NAMES - 12, y=y + 5, class_="name", text_anchor="end"),
            _line(x(first), y, x(last), y, "interval"),
            element("circle", cx=x(row.rating), cy=y, r=5, class_="dot"),
        ]
    text = "; ".join(f"{row.bot} {row.rating:.0f} {_said(row)}".rstrip() for row in rated)
    return _picture(height, "rating_axis", text, Markup().join([*grid, *lines]))


def _interval(row: Row, low: float, high: float) -> tuple[float, float]:
    """The ends that are drawn: `low` and `high` where there is none."""
    if row.rating is not None and not row.connected:
        return row.rating, row.rating
    return low if row.low is None else row.low, high if row.high is None else row.high


def _said(row: Row) -> str:
    return f"± {row.error:.0f}" if row.error is not None else bound(row)


def courses(found: Sequence[Course]) -> Markup:
    """The courses of ratings with a legend."""
    shown = [course for course in found if course.points][:COURSES]
    if not shown:
        return Markup()
    low, high = window(shown)
    first = min(course.points[0][0] for course in shown)
    last = max(max(course.points[-1][0] for course in shown), first + 1)

    def x(value: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * (value - first) / (last - first):.1f}"

    def y(value: float) -> str:
        return f"{TOP + (HEIGHT - TOP - BOTTOM) * (high - min(max(value, low), high)) / (high - low):.1f}"

    parts = []
    for step in steps(low, high, STEPS):
        parts.append(_line(str(LEFT), y(step), str(WIDTH - RIGHT), y(step), "grid"))
        parts.append(element("text", f"{step:.0f}", x=LEFT - 8, y=y(step), dy=4, class_="tick", text_anchor="end"))
    for step in steps(first, last, STEPS):
        parts.append(element("text", f"{step:.0f}", x=x(step), y=HEIGHT - 10, class_="tick", text_anchor="middle"))
    for at, course in enumerate(shown):
        bounded = [point for point in course.points if isfinite(point[2]) or isfinite(point[3])]
        above = [f"{x(point[0])},{y(point[3])}" for point in bounded]
        below = [f"{x(point[0])},{y(point[2])}" for point in reversed(bounded)]
        if len(bounded) > 1 and len(shown) <= BANDS:
            parts.append(element("polygon", points=" ".join([*above, *below]), class_=f"band s{at}"))
        line = " ".join(f"{x(point[0])},{y(point[1])}" for point in course.points)
        parts.append(element("polyline", points=line, class_=f"course s{at}"))
    text = "; ".join(f"{course.bot} {course.points[-1][1]:.0f}" for course in shown)
    legend = element("ul", *(_key(at, course) for at, course in enumerate(shown)), class_="legend")
    return _picture(HEIGHT, "course_axis", text, Markup().join(parts)) + legend


def _key(at: int, course: Course) -> Markup:
    sample = element(
        "svg", _line("0", 6, "30", 6, f"course s{at}"), viewBox="0 0 30 12", width=30, height=12, aria_hidden="true"
    )
    return element("li", sample, f" {course.bot} {course.points[-1][1]:.0f}")


def element(name: str, *content: Markup | str, **attributes: object) -> Markup:
    """An element. Its content is made harmless and escaped unless it is `Markup`.

    Underscores at the end of names of attributes are dropped, others become hyphens: ``class_``, ``aria_label``.
    """
    written = Markup().join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), harmless(str(value)))
        for key, value in attributes.items()
    )
    inner = Markup().join(one if isinstance(one, Markup) else escape(harmless(one)) for one in content)
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, inner)


def _picture(height: int, caption: str, text: str, content: Markup) -> Markup:
    """A picture that names its figures to those who do not see it."""
    drawn = element("svg", element("title", text), content, viewBox=f"0 0 {WIDTH} {height}", role="img", class_="chart")
    return element("figure", element("figcaption", say(caption)), element("div", drawn, class_="wide", tabindex=0))


def _line(x1: str, y1: str | int, x2: str, y2: str | int, style: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def _ends(rows: Sequence[Row]) -> tuple[float, float]:
    """The ratings at the edges: all of them, and no more of wild intervals than the ratings span."""
    ratings = [row.rating for row in rows if row.rating is not None]
    low, high = min(ratings), max(ratings)
    room = max(60.0, (high - low) * 0.6)
    most = max([row.error for row in rows if row.error is not None and row.error < room] or [30.0])
    return low - most - 5, high + most + 5
