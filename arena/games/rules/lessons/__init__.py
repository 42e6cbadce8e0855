"""Lessons: by which rule of its game a turn went, in a sentence, in English and German.

A game declares its `Lessons` beside its words: what in a turn is worth a sentence, how instructive that is, and the sentence
itself. They are made of what everybody sees, the stages of a turn and the boards before them, so displays need no state for them.
`arena.watching.picture.teacher` chooses one sentence a turn. A game that declares none is told step by step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rules.board import Board, Rows, Stacks
from bullring.arena.games.rules.sayings import Seat, Value
from bullring.arena.games.rules.stages import DealOver, Opened, Stage
from bullring.arena.games.rules.wording.text import Text


@dataclass(frozen=True)
class Lesson:
    """Something to learn from a turn."""

    rule: str
    """What it is about. A teacher prefers rules that have not been told for a while."""
    weight: int
    """How instructive it is: from 10, what always happens, to 100, what surprises beginners."""
    texts: tuple[Text, ...]
    """Ways to say it in one sentence; {names} stand for `values`."""
    values: Mapping[str, Value]
    once: bool = False
    """Whether once in a match is enough."""


@dataclass(frozen=True)
class Seen:
    """A stage, and the board before it."""

    before: Board
    stage: Stage


@dataclass(frozen=True)
class Turn:
    """What people have seen since the last sentence: a turn, a move in games that are played move by move, or the end of a deal."""

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


class Lessons:
    """The lessons of a game. These are none."""

    def of(self, turn: Turn) -> Iterator[Lesson]:
        """What there is to learn from a turn, and from the deals that end and begin with it."""
        yield from self.moves(turn)
        over: DealOver | None = None
        for seen in turn.stages:
            match seen.stage:
                case DealOver():
                    over = seen.stage
                    yield from self.ends(turn, over)
                case Opened():
                    yield from self.begins(turn, seen.stage, after=over)

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """From cards that were played and placed."""
        return iter(())

    def begins(self, turn: Turn, opened: Opened, after: DealOver | None) -> Iterator[Lesson]:
        """From the beginning of a deal, or of the play after a draft; `after` the end of another deal, if it follows one."""
        return iter(())

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """From the end of a deal."""
        return iter(())


def winners(scores: Sequence[int]) -> tuple[Seat, ...]:
    """Who has the fewest heads."""
    return tuple(Seat(seat) for seat, score in enumerate(scores) if score == min(scores))
