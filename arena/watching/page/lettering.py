"""Letters for pictures, as there is no font that every machine has: lines that a round pen draws.

`letters.txt` has a sign a line, as a list of strokes, each a list of points of two digits in base 36: how far across, and how far
down from the top of a capital. A small letter begins at 4, its foot is at 12, and that of a "g" at 16. "~" begins a stroke that
bends through its points, "@" one that also ends where it begins; a stroke of one point is a dot.
"""

import math
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Line = Sequence[Point]
Mask = NDArray[np.float32]
"""How much of each pixel something covers, from 0 to 1."""

_LETTERS = (Path(__file__).parent / "letters.txt").read_text("utf-8")
_STROKES = {" ": "", **{line[0]: line[2:] for line in _LETTERS.splitlines()}}
_UNKNOWN = "000c8c8000"
_SPACE = 5.0
_GAP = 3.2
"""Between two signs."""
_CAP = 12.0
_PEN = 1.9


def _points(stroke: str) -> Line:
    """The points of a stroke, bends and all."""
    bends, closed = stroke[0] in "~@", stroke[0] == "@"
    digits = stroke.lstrip("~@")
    points = [(float(int(x, 36)), float(int(y, 36))) for x, y in zip(digits[::2], digits[1::2], strict=True)]
    if not bends:
        return points
    around = [points[-1], *points, points[0], points[1]] if closed else [points[0], *points, points[-1]]
    steps = [step / 6 for step in range(6)]
    return [
        (_between(x, t), _between(y, t))
        for four in zip(around, around[1:], around[2:], around[3:], strict=False)
        for x, y in [zip(*four, strict=True)]
        for t in steps
    ] + [points[0] if closed else points[-1]]


def _between(four: Sequence[float], t: float) -> float:
    """A value between the second and the third of four, on a bend through all."""
    a, b, c, d = four
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


@cache
def _drawn(sign: str) -> tuple[float, Sequence[Line]]:
    """The width of a sign, and its lines: a letter, with what stands above it."""
    letter, *marks = [*unicodedata.normalize("NFD", sign)]
    lines = [_points(stroke) for stroke in _STROKES.get(letter, _UNKNOWN).split()]
    width = max((x for line in lines for x, _ in line), default=_SPACE - _GAP)
    top = min((y for line in lines for _, y in line), default=0)
    if marks:
        middle, above = width / 2, top - 3
        dots = [[(middle - 2, above)], [(middle + 2, above)]]
        lines += dots if marks == ["\u0308"] else [[(middle - 1, above), (middle + 1, above)]]
    return width, lines


def _signs(text: str) -> Iterator[str]:
    """The signs of a text, each with its marks."""
    yield from unicodedata.normalize("NFC", text)


def extent(text: str, height: float) -> float:
    """The width of a text whose capitals have this height."""
    return (sum(_drawn(sign)[0] + _GAP for sign in _signs(text)) - _GAP) * height / _CAP if text else 0.0


def fitted(text: str, height: float, room: float) -> str:
    """As much of a text as there is room for; "…" tells that there is more."""
    if extent(text, height) <= room:
        return text
    while text and extent(f"{text}…", height) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


@cache
def letter(sign: str, height: int, weight: float) -> Mask:
    """A sign, whose mask begins by a quarter of the height, and by the pen, before it."""
    scale, above = height / _CAP, height / 2
    pen = _PEN * weight * scale
    wide, lines = _drawn(sign)
    y, x = (
        np.mgrid[0 : math.ceil(2 * above + 1.4 * height), 0 : math.ceil(wide * scale + 2 * above)].astype(np.float32)
        + 0.5
    )
    nearest = np.full(x.shape, np.inf, np.float32)
    for line in lines:
        points = [(above + across * scale, above + down * scale) for across, down in line]
        for (x0, y0), (x1, y1) in pairwise(points * 2 if len(points) == 1 else points):
            length = (x1 - x0) ** 2 + (y1 - y0) ** 2
            along = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / max(length, 1e-6), 0, 1)
            nearest = np.minimum(nearest, np.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0)))
    cover: Mask = np.clip(pen / 2 + 0.5 - nearest, 0, 1)
    return cover


def lettered(text: str, height: int, weight: float = 1.0) -> Iterator[tuple[float, float, Mask]]:
    """Each sign of a text: how far right of its beginning and below its top the mask is, and the mask."""
    scale, left = height / _CAP, 0.0
    for sign in _signs(text):
        yield left - height / 2, -height / 2, letter(sign, height, weight)
        left += (_drawn(sign)[0] + _GAP) * scale
