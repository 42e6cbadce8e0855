"""The turning points of a match in words: whose chance to win changed in which turn, and which rows or stacks were taken in it."""

from collections.abc import Iterator, Sequence

from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.stages import Took
from bullring.arena.study.analysis.result import Analysis, Turning
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.sentences import told

MOST = 5
"""Turning points that are told."""


def turning_points(analysis: Analysis, frames: Sequence[Frame]) -> Iterator[tuple[Turning, list[str]]]:
    """Yield the turning points of an analysed match, in their order, each with its sentences: the change, and what happened."""
    names = [seat.name for seat in frames[-1].picture.seats]
    for point in analysis.turning_points(MOST):
        key = "rises" if point.after > point.before else "falls"
        parts = ("before", "before_error", "after", "after_error")
        change = {part: 100 * getattr(point, part) for part in parts}
        happened = [
            told(frame)
            for frame in frames
            if isinstance(frame.step, Took) and (frame.picture.deal, frame.picture.turn) == (point.deal, point.turn)
        ]
        yield point, [say(f"match.turning.{key}", name=names[point.seat], **change), *happened]
