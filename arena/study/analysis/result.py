"""The outcome of an analysis, as it is kept in a file, printed as JSON, and returned by `Record.analyse`. Heads throughout."""

import json
from collections.abc import Sequence
from math import hypot
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from bullring.arena.games.rules.game import Option
from bullring.arena.study.analysis import ENGINE_PLAYOUTS, ERROR, PLAYOUTS, POLICY
from bullring.tabular import Tabular

FORMAT = 2
"""The version of this format."""

_Number = Annotated[float, Field(allow_inf_nan=False)]


class _Facts(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Method(_Facts):
    """The method: with the record, it determines every number."""

    policy: str = POLICY
    """The policy of all seats in the playouts."""
    error: _Number = ERROR
    """Playouts went on until all standard errors were at most this, in heads,"""
    playouts: int = PLAYOUTS
    """or until an option had this many,"""
    engine_playouts: int = ENGINE_PLAYOUTS
    """or, where the rules engine played, until all options together had about this many."""
    seed: int = 0


class Choice(_Facts):
    """One decision, and what its options were expected to take."""

    line: int
    """The line of the record with the answer, from 1."""
    deal: int
    turn: int
    kind: str
    """The kind of decision: "card", "row", ..."""
    seat: int
    by: str
    """The origin of the answer: "bot", or "fallback" if the referee had to play."""
    options: tuple[Option, ...]
    chosen: int
    """Its index in `options`."""
    best: int
    """The index of the option with the fewest expected heads."""
    heads: tuple[_Number, ...]
    """By option, the heads that the seat expects to take from here to the end of the deal."""
    errors: tuple[_Number, ...]
    """By option, the standard error of its difference to the best option."""
    error: _Number
    """The standard error of the best option's heads."""
    cost: _Number
    """The heads that the choice is expected to cost more than the best option; by chance it may be slightly below 0."""
    cost_error: _Number
    playouts: int
    """Playouts of the option chosen."""

    @property
    def mark(self) -> str:
        """ "?!" from half a head on, "?" from one and a half, "??" from four; "" for less, or if the cost is within two errors."""
        if self.cost < 2 * self.cost_error:
            return ""
        return next((mark for mark, least in MARKS.items() if self.cost >= least), "")

    @property
    def lost(self) -> float:
        """The cost as people read it, everywhere: tenths of a head, 0 for the best option, and never below 0."""
        return 0.0 if self.chosen == self.best else max(0.0, round(self.cost, 1))

    @property
    def expected(self) -> tuple[float, ...]:
        """By option, the expected heads as people read them, in tenths: the choice has `lost` more than the best option.

        The best of noisy estimates looks better than it is, so all are measured against what the cost of the choice was.
        """
        least = round(self.heads[self.chosen] - (0.0 if self.chosen == self.best else max(0.0, self.cost)), 1)
        return tuple(
            least
            if option == self.best
            else round(least + self.lost, 1)
            if option == self.chosen
            else max(least, round(heads, 1))
            for option, heads in enumerate(self.heads)
        )


MARKS = {"??": 4.0, "?": 1.5, "?!": 0.5}
"""The least cost in heads of each mark."""


class Parts(_Facts):
    """The parts of a result: par + deal + others + edge + mistakes = heads. `docs/analysis.md` defines them."""

    heads: int
    par: _Number
    """Average heads of a seat if all follow the policy, before the cards are dealt."""
    deal: _Number
    """Luck of the deal: what its cards and the rows were worth."""
    others: _Number
    """Luck of what the others held and played."""
    edge: _Number
    """The gain of the best options over the policy's own choices; negative, as it saves heads."""
    mistakes: _Number
    """The sum of all costs."""
    par_error: _Number
    deal_error: _Number
    choice_error: _Number
    """The standard error of edge + mistakes."""

    @property
    def told(self) -> "Told":
        """The parts as people read them."""
        usual, luck = round(self.par, 1), round(self.deal + self.others, 1)
        play, mistakes = round(self.heads - usual - luck, 1), max(0.0, round(self.mistakes, 1))
        edge = min(0.0, round(play - mistakes, 1))
        return Told(usual, luck, play, edge, round(play - edge, 1))


class Told(NamedTuple):
    """The parts of a result in tenths of a head, which add up: usual + luck + play = heads, and edge + mistakes = play."""

    usual: float
    """What a seat takes on average."""
    luck: float
    """What luck cost; below 0 what it saved."""
    play: float
    """What the seat's own play cost; below 0 what it saved, against ordinary play."""
    edge: float
    """What its good choices saved, 0 or below."""
    mistakes: float
    """What its mistakes cost, 0 or above."""


class Account(_Facts):
    """One bot in the match."""

    seat: int
    name: str
    moves: int
    """Decisions that begin a move, such as cards played."""
    cost: _Number
    """Mean cost of a move with all decisions that belong to it, in heads."""
    cost_error: _Number
    parts: Parts


class Chance(_Facts):
    """The chance of each seat to win, before a turn. Errors are standard errors."""

    line: int
    """The line of the record with the first answers of the turn, from 1."""
    deal: int
    turn: int
    win: tuple[_Number, ...]
    """By seat, from 0 to 1."""
    errors: tuple[_Number, ...]


class Turning(_Facts):
    """A turn that changed the chance of a seat to win, for good: a turning point of the match. Errors are standard errors."""

    deal: int
    turn: int
    seat: int
    """The seat whose chance changed the most."""
    before: _Number
    after: _Number
    before_error: _Number
    after_error: _Number


def _change(turning: Turning) -> float:
    return round(abs(turning.after - turning.before), 4)


TURNING = 0.1
"""The least change of a chance that makes a turning point; it must also be more than two errors."""


def decision_rows(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    """Decisions as rows of a table. Options are written as JSON unless all are numbers, as cards are."""
    plain = all(isinstance(option, int) for choice in choices for option in choice.options)

    def option(choice: Choice, at: int) -> Any:
        return choice.options[at] if plain else json.dumps(choice.options[at])

    return [
        {
            "deal": choice.deal,
            "turn": choice.turn,
            "kind": choice.kind,
            "seat": choice.seat,
            "by": choice.by,
            "options": len(choice.options),
            "option": option(choice, choice.chosen),
            "best": option(choice, choice.best),
            "heads": choice.heads[choice.chosen],
            "cost": choice.cost,
            "cost_error": choice.cost_error,
            "mark": choice.mark,
            "playouts": choice.playouts,
            "line": choice.line,
        }
        for choice in choices
    ]


class Analysis(_Facts, Tabular):
    """A match, decision by decision; as a table, it has a row for each decision."""

    bullring_analysis: int = FORMAT
    record: str
    """The seal of the record."""
    version: str
    """The version of the program."""
    game: str
    method: Method
    simulated: bool
    """Whether the simulator played (`bullring[fast]`), and not the rules engine; their policies differ."""
    accounts: tuple[Account, ...]
    """By seat."""
    choices: tuple[Choice, ...]
    """In the order of the record."""
    chances: tuple[Chance, ...] = ()
    """Before each turn; none in games in which deals follow from each other, or whose end is not known."""

    @property
    def outcome(self) -> tuple[float, ...]:
        """The chances after the last turn: the win, shared by all seats with the fewest heads."""
        heads = [account.parts.heads for account in self.accounts]
        return tuple((one == min(heads)) / heads.count(min(heads)) for one in heads)

    def turning_points(self, count: int) -> list[Turning]:
        """The turns that changed a chance to win the most and for good, in the order of the match.

        Where a turn of others undoes a change by more than half, nothing was decided yet.
        """
        if not self.chances:
            return []
        course = [(one.win, one.errors) for one in self.chances]
        course.append((self.outcome, (0.0,) * len(self.accounts)))
        found = []
        for at, chance in enumerate(self.chances):
            turns = []
            for seat, old in enumerate(chance.win):
                new, error = course[at + 1][0][seat], course[at + 1][1][seat]
                later = [win[seat] for win, _ in course[at + 2 :]]
                enough = max(TURNING, 2 * hypot(chance.errors[seat], error))
                middle = (old + new) / 2
                if round(abs(new - old), 4) >= enough and all((one - middle) * (new - old) > 0 for one in later):
                    turns.append(
                        Turning(
                            deal=chance.deal,
                            turn=chance.turn,
                            seat=seat,
                            before=old,
                            after=new,
                            before_error=chance.errors[seat],
                            after_error=error,
                        )
                    )
            if turns:
                found.append(max(turns, key=_change))
        most = sorted(found, key=_change, reverse=True)[:count]
        return [one for one in found if one in most]

    def worst(self, count: int) -> list[Choice]:
        """The costliest decisions that are marked, worst first."""
        marked = [choice for choice in self.choices if choice.mark]
        return sorted(marked, key=lambda choice: (-choice.cost, choice.line, choice.seat))[:count]

    def to_dicts(self) -> list[dict[str, Any]]:
        rows = decision_rows(self.choices)
        return [{"name": self.accounts[row["seat"]].name, **row} for row in rows]
