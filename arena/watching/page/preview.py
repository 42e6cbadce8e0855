"""The picture that programs show beside a link to the page of a match, drawn as a PNG.

It shows who played what and how it ended, and the table as the dearest row or stack is about to be taken.
"""

import math
import struct
import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np

from bullring.arena.games.rules.board import Board, Pool, Rows, Stacks
from bullring.arena.games.rules.stages import Falls, Took
from bullring.arena.match.records.reader import Lines
from bullring.arena.watching.page import HEIGHT, WIDTH
from bullring.arena.watching.page.lettering import Line, Mask, extent, fitted, lettered
from bullring.arena.watching.picture.picture import Frame, Picture, SeatPicture
from bullring.arena.watching.picture.reducer import Reducer


def _chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


START = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
START += _chunk(b"tEXt", b"Software\0Bullring")
"""The beginning of every such picture, and of no other file."""

ROWS = 4
"""Rows or stacks that there is space for."""
EDGES, TOP, MIDDLE = 24, 66, 440
"""The space around all, where the table and the result begin, and where the result does."""

Colour = tuple[int, int, int]

FELT, PAPER, INK, EDGE, DANGER = (31, 61, 42), (247, 244, 236), (51, 35, 92), (16, 33, 22), (255, 143, 134)
GROUNDS: dict[int, tuple[Colour, Colour]] = {
    7: ((91, 42, 134), (255, 226, 122)),
    5: ((194, 47, 36), (255, 255, 255)),
    3: ((255, 217, 92), (74, 44, 0)),
    2: ((169, 220, 240), (11, 51, 80)),
}
"""The ground and the ink of cards, by the least heads."""
BULL: Line = (
    (0.06, 0.0),
    (0.0, 0.2),
    (0.1, 0.38),
    (0.3, 0.45),
    (0.31, 0.68),
    (0.38, 0.88),
    (0.5, 0.93),
    (0.62, 0.88),
    (0.69, 0.68),
    (0.7, 0.45),
    (0.9, 0.38),
    (1.0, 0.2),
    (0.94, 0.0),
    (0.86, 0.15),
    (0.67, 0.24),
    (0.5, 0.19),
    (0.33, 0.24),
    (0.14, 0.15),
)
"""The outline of a bull's head."""


def _grid(width: float, height: float) -> tuple[Mask, Mask]:
    """The middles of the pixels of a part."""
    y, x = np.mgrid[0 : math.ceil(height) + 1, 0 : math.ceil(width) + 1].astype(np.float32) + 0.5
    return x, y


@cache
def box(width: int, height: int, radius: float) -> Mask:
    """A box with round corners."""
    x, y = _grid(width, height)
    across = np.abs(x - width / 2) - width / 2 + radius
    down = np.abs(y - height / 2) - height / 2 + radius
    distance = np.hypot(np.maximum(across, 0), np.maximum(down, 0)) + np.minimum(np.maximum(across, down), 0) - radius
    cover: Mask = np.clip(0.5 - distance, 0, 1)
    return cover


@cache
def bull(width: int) -> Mask:
    """A bull's head, sampled four times each way."""
    height = 0.84 * width
    x, y = _grid(width, height)
    cover = np.zeros(x.shape, np.float32)
    points = [(across * width, down * height) for across, down in BULL]
    for step in range(16):
        sx, sy = x + (step % 4 - 1.5) / 4, y + (step // 4 - 1.5) / 4
        inside = np.zeros(x.shape, np.bool_)
        for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
            if y0 != y1:
                inside ^= ((y0 > sy) != (y1 > sy)) & (sx < (x1 - x0) * (sy - y0) / (y1 - y0) + x0)
        cover += inside.astype(np.float32) / 16
    return cover


class Canvas:
    """A picture that is drawn on, with soft edges. Everything begins at whole pixels."""

    def __init__(self, ground: Colour) -> None:
        self._pixels = np.empty((HEIGHT, WIDTH, 3), np.float32)
        self._pixels[:] = ground

    def paint(self, left: float, top: float, mask: Mask, colour: Colour) -> None:
        """Lay a colour where there is a mask."""
        x, y = round(left), round(top)
        part = self._pixels[y : y + mask.shape[0], x : x + mask.shape[1]]
        part += (np.array(colour, np.float32) - part) * mask[: part.shape[0], : part.shape[1], None]

    def write(self, left: float, top: float, text: str, height: int, colour: Colour, weight: float = 1.0) -> None:
        """Write a text whose capitals have this height."""
        for across, down, mask in lettered(text, height, weight):
            self.paint(left + across, top + down, mask, colour)

    def number(self, middle: float, top: float, height: int, value: int, colour: Colour) -> None:
        """Write a number around a middle."""
        self.write(middle - extent(str(value), height) / 2, top, str(value), height, colour, 1.5)

    def png(self) -> bytes:
        """The picture as a file."""
        rows = np.zeros((HEIGHT, 1 + 3 * WIDTH), np.uint8)
        rows[:, 1:] = (np.clip(self._pixels, 0, 255).astype(np.uint8) & 0xF8 | 4).reshape(HEIGHT, -1)  # packs better
        return START + _chunk(b"IDAT", zlib.compress(rows.tobytes())) + _chunk(b"IEND", b"")


def preview(lines: Lines, about: str | None = None) -> bytes:
    """The picture of a match, headed by what it is `about`, or else by its game. Raises `RecordError`."""
    reducer = Reducer()
    frames = [frame for entry in lines.each() for frame in reducer.feed(entry)]
    canvas = Canvas(FELT)
    canvas.write(EDGES, 22, fitted(about or frames[-1].picture.words.title, 20, WIDTH - 2 * EDGES), 20, PAPER)
    _table(canvas, moment(frames))
    _result(canvas, frames[-1].picture.seats)
    return canvas.png()


def _table(canvas: Canvas, picture: Picture) -> None:
    """The rows or stacks at the left, and the card that is about to take one."""
    groups = lying(picture.board)
    falling = (picture.falling or 1) - 1
    first = max(0, min(falling - 1, len(groups) - ROWS))
    most = max([5, *map(len, groups[first : first + ROWS])])
    height = (HEIGHT - TOP - EDGES) // ROWS - 10
    wide = min(round(height / 1.4), (MIDDLE - EDGES - 70) // most - 6)
    right = EDGES + most * (wide + 6)
    for row, cards in enumerate(groups[first : first + ROWS]):
        top = TOP + row * (height + 10)
        falls = picture.falling is not None and row == falling - first
        if falls:
            canvas.paint(EDGES - 8, top - 5, box(right - EDGES + 62, height + 10, 10), DANGER)
        for at in range(most):
            left = EDGES + at * (wide + 6)
            canvas.paint(left, top, box(wide, height, 6), EDGE)
            if at < len(cards):
                _card(canvas, left, top, wide, height, cards[at], picture.bears)
        heads = sum(_heads(card, picture.bears) for card in cards)
        ink = EDGE if falls else PAPER
        canvas.paint(right + 6, top + 0.14 * height, bull(34), ink)
        canvas.number(right + 23, top + 0.62 * height, round(0.24 * height), heads, ink)


def _result(canvas: Canvas, seats: Sequence[SeatPicture]) -> None:
    """The seats at the right, the best one first: place, name and heads."""
    line = min(80, (HEIGHT - TOP - EDGES) / len(seats))
    height = round(min(25, 0.36 * line))
    for at, seat in enumerate(sorted(seats, key=lambda seat: (seat.rank or 0, seat.score))):
        top = TOP + at * line
        wins = seat.rank == 1
        ink = INK if wins else PAPER
        if wins:
            canvas.paint(MIDDLE, top, box(WIDTH - EDGES - MIDDLE, round(line - 4), 8), PAPER)
        text = top + (line - 4 - height) / 2
        heads = str(seat.score)
        right = WIDTH - EDGES - 10 - 1.9 * height
        canvas.paint(right + 0.4 * height, text - 0.15 * height, bull(round(1.5 * height)), ink)
        canvas.write(right - extent(heads, height), text, heads, height, ink, 1.4)
        if seat.rank is not None:
            canvas.write(MIDDLE + 12, text, str(seat.rank), height, ink)
        room = right - extent(heads, height) - 16 - MIDDLE - 48
        canvas.write(MIDDLE + 48, text, fitted(seat.name, height, room), height, ink, 1.4 if wins else 1.0)


def moment(frames: Sequence[Frame]) -> Picture:
    """The moment before the most heads, or else the most cards, are taken; the last one if nothing is."""
    best, before, found = (-1, -1), None, frames[-1].picture
    for frame in frames:
        match frame.step:
            case Falls():
                before = frame.picture
            case Took(heads=heads, cards=cards) if before is not None and (heads, len(cards)) > best:
                best, found = (heads, len(cards)), before
    return found


def lying(board: Board) -> list[Sequence[int]]:
    """The cards on the table, in groups of at most ten."""
    groups: list[Sequence[int]] = []
    for part in board:
        match part:
            case Rows(rows=found) | Stacks(stacks=found):
                groups += [cards[-10:] for cards in found]
            case Pool(cards):
                groups += [cards[at : at + 10] for at in range(0, len(cards), 10)]
    return groups


def _heads(card: int, bears: Sequence[int]) -> int:
    return bears[card] if card < len(bears) else 1


def _card(canvas: Canvas, left: float, top: float, width: int, height: int, card: int, bears: Sequence[int]) -> None:
    heads = _heads(card, bears)
    ground, ink = next((colours for least, colours in GROUNDS.items() if heads >= least), (PAPER, INK))
    canvas.paint(left + 1, top + 1, box(width - 2, height - 2, round(0.1 * width)), ground)
    size = round(0.2 * width)
    for at in range(heads):
        line, place = divmod(at, 4)
        x = left + width / 2 + (place - min(4, heads - 4 * line) / 2) * (size + 1)
        canvas.paint(x, top + 0.12 * height + line * (size + 1), bull(size), ink)
    number = round(min(0.32 * height, (0.37 if card < 100 else 0.3) * width))
    canvas.number(left + width / 2, top + 0.5 * height, number, card, ink)
