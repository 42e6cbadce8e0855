"""Lessons: by which rule of its game a turn went.

A game declares its `Lessons`: what in a turn is worth a sentence, and how instructive that is; the sentences are in its texts. They
are made of what everybody sees, the stages of a turn and the boards before them, so displays need no state for them.
`arena.watching.picture.teacher` chooses one a turn. A game that declares none is told step by step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rules.board import Board, Rows, Stacks
from bullring.arena.games.rules.sayings import Heads, Seat, Value
from bullring.arena.games.rules.stages import DealOver, Opened, Stage


@dataclass(frozen=True)
class Lesson:
    """Something to learn from a turn."""

    rule: str
    """The rule that it is about. A teacher prefers rules that have not been told for a while."""
    weight: int
    """Weight of the lesson: from 10 for everyday turns to 100 for those that surprise beginners."""
    values: Mapping[str, Value]
    """The values that fill its sentence."""
    text: str = ""
    """The key of its sentence among the lessons of the game; empty if it is that of the rule."""
    once: bool = False
    """Whether once in a match is enough."""


@dataclass(frozen=True)
class Seen:
    """A stage, and the board before it."""

    before: Board
    stage: Stage


@dataclass(frozen=True)
class Turn:
    """The stages since the last sentence: a turn, a move in games that are played move by move, or the end of a deal."""

    game: Any
    """The `arena.games.rules.game.Game`."""
    number: int
    """The number of the turn in its deal, from 1; 0 during a draft."""
    stages: Sequence[Seen]
    board: Board = ()
    """The board after all of them."""
    gone: frozenset[int] = frozenset()
    """The cards that were seen in this deal before."""
    over: bool = False
    """Whether the match is over."""


def rows_of(board: Board) -> list[tuple[int, ...]]:
    """The rows of a board."""
    return [tuple(row) for part in board if isinstance(part, Rows) for row in part.rows]


def stacks_of(board: Board) -> list[tuple[int, ...]]:
    """The stacks of a board."""
    return [tuple(stack) for part in board if isinstance(part, Stacks) for stack in part.stacks]


def outcome(over: DealOver) -> dict[str, Value]:
    """The seats with the fewest heads in all, as `winners`, and their heads, as `best`."""
    best = min(over.scores)
    return {
        "winners": tuple(Seat(seat) for seat, score in enumerate(over.scores) if score == best),
        "best": Heads(best),
    }


def emptied(over: DealOver) -> tuple[Seat, ...]:
    """The seats without cards."""
    return tuple(Seat(seat) for seat, hand in enumerate(over.hands or ()) if not hand)


class Lessons:
    """The lessons of a game. By default there are none."""

    def of(self, turn: Turn) -> Iterator[Lesson]:
        """Yield the lessons of a turn, and of the deals that end and begin with it."""
        yield from self.moves(turn)
        over: DealOver | None = None
        for seen in turn.stages:
            match seen.stage:
                case DealOver():
                    over = seen.stage
                    yield from self.ends(turn, over)
                case Opened():
                    yield from self.begins(turn, after=over)

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Yield the lessons of cards that were played and placed."""
        return iter(())

    def begins(self, turn: Turn, after: DealOver | None) -> Iterator[Lesson]:
        """Yield the lessons of the beginning of a deal, or of the play after a draft; `after` is the end of the deal before it."""
        return iter(())

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """Yield the lessons of the end of a deal."""
        return iter(())
