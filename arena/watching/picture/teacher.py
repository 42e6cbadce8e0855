"""The teacher: after each turn one sentence about an event and the rule behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Board
from bullring.arena.games.rules.game import Game, Option
from bullring.arena.games.rules.lessons import Lesson, Seen, Turn, rows_of
from bullring.arena.games.rules.stages import Changed, DealOver, Kept, Laid, Opened, Revealed, Stage, Took
from bullring.arena.study.reasons import why
from bullring.arena.watching.picture import steps
from bullring.arena.watching.picture.picture import Frame, Picture
from bullring.arena.watching.picture.sentences import told

FORGETS = 6
"""Sentences that the teacher remembers."""

TIRED = 15
"""Loss of weight of a rule for each time that it was told in these sentences."""

OWN = 12
"""Gain of weight of a lesson about the seat that is taught."""

_SHOWN = (Revealed,)
"""Stages after which a sentence is still too early: the cards have not been placed."""


class Teacher:
    """Follows the frames of one match, and says a sentence at the end of each turn that it has seen whole."""

    def __init__(self, game: Game[Any], seat: int | None = None) -> None:
        """What happens to `seat` is preferred a little."""
        self._game = game
        self._seat = seat
        self._joined = False
        """Whether it has seen the beginning of a turn."""
        self._board: Board = ()
        self._number = 0
        self._seen: list[Seen] = []
        self._frames: list[Frame] = []
        self._gone: set[int] = set()
        self._told: list[str] = []
        self._times: Counter[str] = Counter()
        self.lesson: Lesson | None = None
        """The lesson of the last sentence; None if the game had no lesson for it."""
        self._reasons = ""
        """What spoke for and against the choice with which the seat began this move."""

    def chose(self, view: Mapping[str, Any], kind: str, option: Option) -> None:
        """Take a choice of the seat that is taught, and its view: if it takes cards, it is told what it could foresee."""
        if self._game.decision(kind).begins_move:
            self._reasons = why(self._game, view, kind, option)

    def feed(self, frame: Frame) -> str | None:
        """Take the next frame. Returns a sentence where a turn, a move or a deal has ended.

        That is on the frame on which the next one begins, the deal is over or the match is. Games that are played move by move have
        a sentence a move. In a draft most picks have none.
        """
        said = self._end(frame) if self._ends(frame) else None
        step = frame.step
        self._joined = self._joined or isinstance(step, steps.Began | Opened) or self._begins(frame)
        if isinstance(step, get_args(Stage)) and self._joined:
            self._seen.append(Seen(self._board, step))
            self._frames.append(frame)
        self._board = frame.picture.board
        return said

    def _ends(self, frame: Frame) -> bool:
        """Whether something is complete before this frame."""
        if all(isinstance(seen.stage, _SHOWN) for seen in self._seen):
            return False
        match frame.step:
            case steps.Ended(void=void):
                return void is None
            case DealOver():
                return True
        return self._begins(frame)

    def _begins(self, frame: Frame) -> bool:
        """Whether a seat is asked for the first decision of a turn or a move."""
        return isinstance(frame.step, steps.Asked) and self._game.decision(frame.step.kind).begins_move

    def _end(self, frame: Frame) -> str | None:
        over = isinstance(frame.step, steps.Ended)
        turn = Turn(self._game, self._number, tuple(self._seen), self._board, frozenset(self._gone), over)
        lessons = list(self._game.lessons.of(turn))
        generic = self._generic()
        for seen in self._seen:
            match seen.stage:
                case Opened():
                    self._gone = set()
                case Revealed(cards):
                    self._gone.update(card for _, card in cards)
        self._gone.update(card for row in rows_of(self._board) for card in row)
        self._seen, self._frames, self._number = [], [], frame.picture.turn
        self.lesson = self._best(lessons)
        reasons, self._reasons = self._reasons, ""
        if self.lesson is None:
            return None if lessons else generic
        said = self._say(self.lesson, frame.picture)
        took = any(isinstance(seen.stage, Took) and seen.stage.seat == self._seat for seen in turn.stages)
        return f"{said} {say('match.foreseen', reasons=reasons)}" if took and reasons else said

    def _best(self, lessons: Sequence[Lesson]) -> Lesson | None:
        """The most instructive lesson, less so if it is told all the time; None if there is none, or all were for once."""
        recent = Counter(self._told[-FORGETS:])
        open_ = [lesson for lesson in lessons if not (lesson.once and self._times[lesson.rule])]
        worth = {
            id(lesson): lesson.weight
            - TIRED * recent[lesson.rule]
            + OWN * (self._seat is not None and lesson.values.get("name") == self._seat)
            for lesson in open_
        }
        return max(open_, key=lambda lesson: worth[id(lesson)], default=None)

    def _say(self, lesson: Lesson, picture: Picture) -> str:
        number = self._times[lesson.rule]
        self._told.append(lesson.rule)
        self._times[lesson.rule] += 1
        words = wording(type(self._game))
        texts = words.lesson(lesson)
        return words.language.fill(texts[number % len(texts)], [seat.called for seat in picture.seats], lesson.values)

    def _generic(self) -> str | None:
        """The step that matters most, for games without lessons."""
        for kind in (Took, Kept, DealOver, Changed, Laid, Opened):
            for frame in reversed(self._frames):
                if isinstance(frame.step, kind) and (said := told(frame)):
                    return said
        return None


def taught(frames: Sequence[Frame], game: Game[Any], seat: int | None = None) -> list[str | None]:
    """The sentence of the teacher on each frame of a match, if any. Needs all frames, as it repeats nothing too soon."""
    teacher = Teacher(game, seat)
    return [teacher.feed(frame) for frame in frames]
