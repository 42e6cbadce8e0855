"""The same plots as pictures for papers, by matplotlib: SVG or PNG, the same bytes for the same ladder."""

import os
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.errors import UsageError, WriteError
from bullring.ladder.watching.display.plots import Course, cut, window

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999933")
"""Colours that people with any kind of colour vision tell apart (Okabe and Ito, 2008), and two more."""

DASHES = ("-", "--", ":", "-.")
"""Ways in which courses are drawn, so that they can be told apart without colours, too."""

NUMBERED = 16
"""Bots up to which the map of pairs has numbers in its cells."""

SETTINGS: Mapping[Any, Any] = {
    "svg.hashsalt": "bullring",
    "svg.fonttype": "none",
    "text.usetex": False,
    "text.parse_math": False,
    "font.size": 10,
}


def course_figure(courses: Sequence[Course], title: str, path: Path, kind: str) -> None:
    """Write the courses of ratings with their intervals as bands. `kind` is "svg" or "png". Raises `UsageError`, `WriteError`."""
    figure, axes = _figure(8.0, 4.5)
    shown = [course for course in courses if course.points]
    low, high = window(shown)
    for at, course in enumerate(shown):
        colour = COLOURS[at % len(COLOURS)]
        xs = [point[0] for point in course.points]
        ratings = [point[1] for point in course.points]
        axes.plot(xs, ratings, DASHES[at % len(DASHES)], color=colour, label=_label(course.bot), linewidth=1.6)
        ends = [
            (one if isfinite(one) else low, other if isfinite(other) else high) for _, _, one, other in course.points
        ]
        axes.fill_between(
            xs, [one for one, _ in ends], [other for _, other in ends], color=colour, alpha=0.15, linewidth=0
        )
    axes.set_ylim(low, high)
    axes.set_xlabel("matches of the list")
    axes.set_ylabel("rating (Elo), with 95 % intervals")
    axes.set_title(_label(title))
    if cut(shown, low, high) is not None:
        axes.annotate(
            "wider intervals are cut", (0.99, 0.01), xycoords="axes fraction", ha="right", fontsize=8, alpha=0.7
        )
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="best", fontsize=9)
    _save(figure, path, kind)


def pairs_figure(bots: Sequence[str], pairs: Sequence[Mapping[str, Any]], title: str, path: Path, kind: str) -> None:
    """Write the map of pairs: shares of points, and in small maps the numbers with the matches behind them."""
    shares = {(pair["bot"], pair["other"]): pair for pair in pairs}
    size = max(4.5, 0.34 * len(bots) + 2.5)
    figure, axes = _figure(size + 1.2, size)
    nan = float("nan")
    cells = [
        [
            nan if pair is None or pair["share"] is None else 100 * float(pair["share"])
            for other in bots
            for pair in [shares.get((bot, other))]
        ]
        for bot in bots
    ]
    image = axes.imshow(cells, cmap="RdYlBu", vmin=0, vmax=100)
    axes.set_xticks(range(len(bots)), [_label(bot, 16) for bot in bots], rotation=60, ha="right")
    axes.set_yticks(range(len(bots)), [_label(bot, 16) for bot in bots])
    if len(bots) <= NUMBERED:
        for (row, bot), (column, other) in ((one, two) for one in enumerate(bots) for two in enumerate(bots)):
            if (pair := shares.get((bot, other))) is not None and pair["share"] is not None:
                text = f"{100 * float(pair['share']):.0f}\n({pair['matches']})"
                dark = not 0.12 < float(pair["share"]) < 0.88
                axes.text(column, row, text, ha="center", va="center", fontsize=7, color="white" if dark else "black")
    axes.set_title(_label(title))
    figure.colorbar(image, ax=axes, label="points of the line against the column, per cent", shrink=0.8)
    _save(figure, path, kind)


def _label(text: str, width: int = 40) -> str:
    """A stranger's text as it is: no mathematics, and no underscore at its beginning, which would hide it from a legend."""
    shown = harmless(text, width)
    return f"\u200b{shown}" if shown.startswith("_") else shown


def _figure(width: float, height: float) -> tuple[Any, Any]:
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError(
            "pictures need matplotlib, which is not installed; install it with: pip install 'bullring[plots]'"
        ) from None
    for key, value in SETTINGS.items():
        matplotlib.rcParams[key] = value
    figure = Figure(figsize=(width, height), layout="constrained", dpi=150)
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _save(figure: Any, path: Path, kind: str) -> None:
    """Write the picture whole, or not at all."""
    data = {"Date": None, "Creator": "bullring"} if kind == "svg" else {"Software": "bullring"}
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        figure.savefig(temporary, format=kind, metadata=data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise WriteError(f"{path} cannot be written: {error.strerror or error}") from None
