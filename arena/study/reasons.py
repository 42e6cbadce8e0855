"""What speaks for and against options, in words: beside hints, costs and lessons.

The facts are the games' (`arena.games.rules.reasons`): they follow from the view of the seat that decides, so a sentence at the
table tells nothing that its player may not know, and the same sentence is said of the decision afterwards.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game, Option
from bullring.arena.games.rules.reasons import Reason
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.study.analysis.questions import deals

if TYPE_CHECKING:
    from bullring.arena.study.analysis.result import Choice  # a table does not wait for pydantic

MOST = 3
"""Facts in a sentence: the weightiest."""


def reasons(game: Game[Any], view: Mapping[str, Any], kind: str, option: Option) -> Sequence[Reason]:
    """The facts about an option that the seat with this view is asked for."""
    return tuple(game.reasons.of(game, view, kind, option))[:MOST]


def why(game: Game[Any], view: Mapping[str, Any], kind: str, option: Option) -> str:
    """The same in words: "row 2 is full (7 heads), three unseen cards lie between 41 and 48"; empty if there is nothing to say."""
    return wording(type(game)).reasons(reasons(game, view, kind, option))


def apart(
    game: Game[Any], view: Mapping[str, Any], kind: str, option: Option, better: Option
) -> tuple[Sequence[Reason], Sequence[Reason]]:
    """The facts that tell an option from a better one, by what is known to be better."""
    own, other = game.reasons.apart(game, view, kind, option, better)
    return own[:MOST], other[:MOST]


class Facts:
    """The facts about the decisions of a finished record; they are found when they are asked for, as that takes time."""

    def __init__(self, lines: Lines) -> None:
        """Read the record. Raises `RecordError`."""
        replay = Replay()
        self._questions = {
            (question.line, question.seat): question for deal in deals(lines, replay) for question in deal.questions
        }
        self._game = replay.game

    def all(self, choice: "Choice") -> Sequence[Sequence[Reason]]:
        """The facts about each option of a decision of an analysis."""
        found = self._asked(choice)
        return [reasons(self._game, *found, option) if found else () for option in choice.options]

    def apart(self, choice: "Choice") -> Mapping[int, Sequence[Reason]]:
        """By option, the facts that tell a choice that is marked from the best option; of others, those about both."""
        both, question = dict.fromkeys((choice.chosen, choice.best)), self._asked(choice)
        if question is None:
            return {}
        if not choice.mark:
            return {one: reasons(self._game, *question, choice.options[one]) for one in both}
        return dict(zip(both, apart(self._game, *question, *(choice.options[one] for one in both)), strict=True))

    def _asked(self, choice: "Choice") -> tuple[Mapping[str, Any], str] | None:
        """The view and the kind of a decision; None if it is not that of the record, whose file may be damaged."""
        question = self._questions.get((choice.line, choice.seat))
        if question is None or question.options != choice.options:
            return None
        return self._game.view(question.state, question.seat), question.decision.kind
