"""Pictures of a list as SVG, in the colours of the page's style."""

from collections.abc import Callable, Sequence
from math import isfinite

from markupsafe import Markup, escape

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.display.elo import rated
from bullring.ladder.standings.columns import Row
from bullring.ladder.watching.display.plots import Course, steps, whole, window
from bullring.ladder.watching.site.profiles import Profile
from bullring.ladder.watching.site.words import say

WIDTHS = {"roomy": 720, "narrow": 360}
"""The widths for which a picture is drawn, by their styles: labels have one size on all screens."""
BANDS = 2
"""Courses up to which their intervals are drawn; more would hide each other."""
COURSES = 5
"""Courses in one picture: more cannot be told apart. Each has a colour and a way of being dashed of its own."""
STEPS = 6
"""Round values beside an axis, about."""
LEVEL = 60
"""The least range of a course in a line of a table, in Elo: one that hardly moves is flat there."""
SMALL = (100, 22)
"""Width and height of a picture in a line of a table."""
BAR = 30
"""Height of a line in the picture of places."""
HEIGHT = 300
LEFT, RIGHT, TOP, BOTTOM = 44, 26, 12, 34


def _interval(row: Row, low: float, high: float) -> tuple[float, float]:
    """The ends that are drawn: `low` and `high` where there is none."""
    if row.rating is not None and not row.connected:
        return row.rating, row.rating
    return low if row.low is None else row.low, high if row.high is None else row.high


def courses(found: Sequence[Course]) -> Markup:
    """The courses of ratings with a legend."""
    shown = [course for course in found if course.points][:COURSES]
    if not shown:
        return Markup()
    bands = len(shown) <= BANDS
    shown = [course.settled() if bands else _late(course) for course in shown]
    low, high = whole(shown) if bands else window(shown)
    first = min(course.points[0][0] for course in shown)
    last = max(max(course.points[-1][0] for course in shown), first + 1)

    def content(width: int) -> Markup:
        def x(value: float) -> str:
            return f"{LEFT + (width - LEFT - RIGHT) * (value - first) / (last - first):.1f}"

        def y(value: float) -> str:
            return f"{TOP + (HEIGHT - TOP - BOTTOM) * (high - min(max(value, low), high)) / (high - low):.1f}"

        parts = []
        for step in steps(low, high, STEPS):
            parts.append(_line(str(LEFT), y(step), str(width - RIGHT), y(step), "grid"))
            parts.append(element("text", f"{step:.0f}", x=LEFT - 8, y=y(step), dy=4, class_="tick", text_anchor="end"))
        for step in steps(first, last, STEPS):
            parts.append(element("text", f"{step:.0f}", x=x(step), y=HEIGHT - 10, class_="tick", text_anchor="middle"))
        for at, course in enumerate(shown):
            bounded = [point for point in course.points if isfinite(point[2]) or isfinite(point[3])]
            above = [f"{x(point[0])},{y(point[3])}" for point in bounded]
            below = [f"{x(point[0])},{y(point[2])}" for point in reversed(bounded)]
            if len(bounded) > 1 and bands:
                parts.append(element("polygon", points=" ".join([*above, *below]), class_=f"band s{at}"))
            line = " ".join(f"{x(point[0])},{y(point[1])}" for point in course.points)
            parts.append(element("polyline", points=line, class_=f"course s{at}"))
        return Markup().join(parts)

    text = "; ".join(f"{course.bot} {_last(course)}" for course in shown)
    caption = say("course_axis") if bands else say("courses_axis", count=len(shown))
    drawn = _picture(HEIGHT, caption, text, content)
    if len(shown) == 1:
        return drawn
    return drawn + element("ul", *(_key(at, course) for at, course in enumerate(shown)), class_="legend")


def _late(course: Course) -> Course:
    """A course after its first fifth: early ratings are wild."""
    return Course(course.bot, course.points[len(course.points) // 5 :])


def interval(row: Row, rows: Sequence[Row]) -> Markup:
    """A rating with its interval on the scale of all rows, for a line of a table, where its figures stand, too."""
    if row.rating is None:
        return Markup()
    low, high = _ends(rows)
    width, height = SMALL

    def x(value: float) -> str:
        return f"{6 + (width - 12) * (min(max(value, low), high) - low) / (high - low):.1f}"

    first, last = _interval(row, low, high)
    return _small(
        _line("0", height // 2, str(width), height // 2, "grid"),
        _line(x(first), height // 2, x(last), height // 2, "interval"),
        element("circle", cx=x(row.rating), cy=height // 2, r=4, class_="dot"),
    )


def spark(found: Sequence[Course]) -> Markup:
    """The course of a rating in a line of a table."""
    points = [point for course in found for point in _late(course).points]
    if len(points) < 2:
        return Markup()
    (first, *_), (last, *_) = points[0], points[-1]
    ratings = [rating for _, rating, _, _ in points]
    room = max(0.0, LEVEL - (max(ratings) - min(ratings))) / 2
    low, high = min(ratings) - room, max(ratings) + room
    width, height = SMALL
    line = " ".join(
        f"{2 + (width - 4) * (at - first) / max(1, last - first):.1f},{3 + (height - 6) * (high - rating) / (high - low):.1f}"
        for at, rating, _, _ in points
    )
    return _small(element("polyline", points=line, class_="course s0"))


def _small(*content: Markup) -> Markup:
    width, height = SMALL
    return element(
        "svg", *content, viewBox=f"0 0 {width} {height}", width=width, height=height, aria_hidden="true", class_="small"
    )


def places(profile: Profile) -> Markup:
    """How often a bot ended at each place."""
    count = sum(profile.places)
    if not count:
        return Markup()
    shares = [100 * times / count for times in profile.places]
    most, left, right = max(shares), 36, 96
    even = 100 / len(shares)
    height = BAR * len(shares) + 4

    def content(width: int) -> Markup:
        def x(share: float) -> str:
            return f"{left + (width - left - right) * share / most:.1f}"

        parts = []
        for at, (share, times) in enumerate(zip(shares, profile.places, strict=True)):
            y, long = BAR * at + 4, f"{float(x(share)) - left:.1f}"
            style = f"bar {rank(at + 1, len(shares))}"
            parts += [
                element("text", f"{at + 1}.", x=left - 12, y=y + 17, class_="name", text_anchor="end"),
                element("rect", x=left, y=y, width=long, height=BAR - 8, rx=3, class_=style),
                element("text", f"{share:.0f} % ({times})", x=width - 4, y=y + 16, class_="tick", text_anchor="end"),
            ]
        return Markup().join([*parts, _line(x(even), 0, x(even), height, "even")])

    text = "; ".join(f"{at}. {share:.0f} %" for at, share in enumerate(shares, 1))
    return _picture(height, say("places_axis"), text, content)


def share(points: float) -> Markup:
    """A share of points, 0 to 1, as a bar that begins at a half."""
    width, height = SMALL
    half = width / 2
    length = abs(points - 0.5) * width
    return _small(
        element(
            "rect",
            x=f"{half - (length if points < 0.5 else 0):.1f}",
            y=5,
            width=f"{length:.1f}",
            height=height - 10,
            class_="won" if points >= 0.5 else "lost",
        ),
        _line(str(half), 1, str(half), height - 1, "even"),
    )


def heads(count: int, most: int, style: str) -> Markup:
    """A number of heads as a bar, for a line beside it."""
    width, height = SMALL
    length = f"{width * count / max(1, most):.1f}"
    return _small(element("rect", y=4, width=length, height=height - 8, rx=3, class_=f"bar {style}"))


def rank(place: int, seats: int) -> str:
    """The style of a place: the first, the last, or one between them."""
    return "won" if place == 1 else "lost" if place == seats else "between"


def _key(at: int, course: Course) -> Markup:
    sample = element(
        "svg", _line("0", 6, "30", 6, f"course s{at}"), viewBox="0 0 30 12", width=30, height=12, aria_hidden="true"
    )
    return element("li", sample, f" {course.bot} {_last(course)}")


def _last(course: Course) -> str:
    """The last rating of a course."""
    _, rating, low, high = course.points[-1]
    return rated(rating, (high - low) / 2)


def element(name: str, *content: Markup | str, **attributes: object) -> Markup:
    """An element. Its content is made harmless and escaped unless it is `Markup`.

    Underscores at the end of names of attributes are dropped, others become hyphens: ``class_``, ``aria_label``.
    """
    # Joined as text, each part escaped: a page of a bot has hundreds, and `Markup.format` takes six times as long.
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(harmless(value))}"' for key, value in attributes.items()
    )
    inner = "".join(one if isinstance(one, Markup) else escape(harmless(one)) for one in content)
    return Markup(f"<{name}{written}>{inner}</{name}>")


def _picture(height: int, caption: Markup, text: str, content: Callable[[int], Markup]) -> Markup:
    """A picture that names its figures to those who do not see it, drawn for each of the widths."""
    drawn = (
        element(
            "svg",
            element("title", text),
            content(width),
            viewBox=f"0 0 {width} {height}",
            role="img",
            class_=f"chart {style}",
        )
        for style, width in WIDTHS.items()
    )
    return element("figure", element("figcaption", caption), *drawn)


def _line(x1: str, y1: str | int, x2: str, y2: str | int, style: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def _ends(rows: Sequence[Row]) -> tuple[float, float]:
    """The ratings at the edges: all of them, and no more of wild intervals than the ratings span."""
    ratings = [row.rating for row in rows if row.rating is not None]
    low, high = min(ratings), max(ratings)
    room = max(60.0, (high - low) * 0.6)
    most = max([row.error for row in rows if row.error is not None and row.error < room] or [30.0])
    return low - most - 5, high + most + 5
