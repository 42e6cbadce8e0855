"""The analysis of a record: every decision, and the parts of each result."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.playouts import after_the_deal, before_the_deal, values, weights
from bullring.arena.games.playouts.engine import whole_match
from bullring.arena.games.playouts.simulated import decides, used
from bullring.arena.games.rules.game import Game
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.study.analysis.course import chance, foreseen
from bullring.arena.study.analysis.estimate import Drawn, Estimate, estimate
from bullring.arena.study.analysis.questions import Deal, Question, deals, opened
from bullring.arena.study.analysis.result import Account, Analysis, Chance, Choice, Method, Parts
from bullring.errors import RecordError
from bullring.installation import VERSION

DEALS = 400
"""Deals played to find out what a seat takes on average, and how often it wins from a turn on."""

ENGINE_LESS = 4
"""The rules engine plays a turn on so many times less often."""


def analyse(lines: Lines, method: Method, tell: Callable[[int], object] = lambda done: None) -> Analysis:
    """Analyse a record. `tell` is called with the number of decisions that are done.

    Raises `RecordError` if the record is not that of a finished match, or is damaged; `ValueError` if there is no such policy.
    """
    seal, replay = opened(lines), Replay()
    whole = _Whole(method, tell)
    for deal in deals(lines, replay):
        whole.take(replay.game, deal)
    if not whole.deals:
        raise RecordError("expected a match with a complete deal, but this one was broken off in its first deal")
    return Analysis(
        record=seal,
        version=VERSION,
        game=replay.game.id,
        method=method,
        simulated=used(replay.game),
        accounts=tuple(whole.account(seat, name) for seat, name in enumerate(replay.names)),
        choices=tuple(whole.choices),
        chances=tuple(whole.chances),
    )


@dataclass
class _Seat:
    """The sums of one seat."""

    heads: int = 0
    moves: int = 0
    par: float = 0.0
    deal: float = 0.0
    choice: float = 0.0
    cost: float = 0.0
    par_square: float = 0.0
    """Squares of errors."""
    deal_square: float = 0.0
    choice_square: float = 0.0
    cost_square: float = 0.0


class _Whole:
    """The analysis of a match, as far as it is done."""

    def __init__(self, method: Method, tell: Callable[[int], object]) -> None:
        self.method = method
        self.tell = tell
        self.choices: list[Choice] = []
        self.chances: list[Chance] = []
        self.deals = 0
        self._seats: list[_Seat] = []

    def take(self, game: Game[Any], deal: Deal) -> None:
        """Analyse one deal."""
        self._seats = self._seats or [_Seat() for _ in range(game.seats)]
        first: dict[int, Estimate] = {}
        for question in deal.questions:
            found = self._judge(game, question)
            self.choices.append(_choice(question, found))
            self.tell(len(self.choices))
            seat = self._seats[question.seat]
            seat.moves += question.decision.begins_move
            seat.cost += found.cost
            seat.choice += found.choice
            seat.cost_square += found.cost_error**2
            seat.choice_square += found.choice_error**2
            if question.line == deal.questions[0].line:
                first[question.seat] = found
        for number, heads in enumerate(deal.heads):
            self._seats[number].heads += heads
        if not (game.is_duplicate and self.deals):  # the later deals of such a match follow from the first
            drawn = self._luck(game, deal, first)
            if foreseen(game):
                self.chances += self._course(game, deal, drawn)
        self.deals += 1

    def account(self, number: int, name: str) -> Account:
        """The account of one seat. The parts are rounded so that their sum stays the result."""
        seat = self._seats[number]
        par, dealt, mistakes = round(seat.par, 3), round(seat.deal, 3), round(seat.cost, 3)
        edge = round(seat.choice - seat.cost, 3)
        parts = Parts(
            heads=seat.heads,
            par=par,
            deal=dealt,
            others=round(seat.heads - par - dealt - edge - mistakes, 3),
            edge=edge,
            mistakes=mistakes,
            par_error=round(seat.par_square**0.5, 3),
            deal_error=round(seat.deal_square**0.5, 3),
            choice_error=round(seat.choice_square**0.5, 3),
        )
        moves = max(1, seat.moves)
        cost, error = round(seat.cost / moves, 4), round(seat.cost_square**0.5 / moves, 4)
        return Account(seat=number, name=name, moves=seat.moves, cost=cost, cost_error=error, parts=parts)

    def _judge(self, game: Game[Any], question: Question) -> Estimate:
        method, seat, state = self.method, question.seat, question.state
        seed = f"{method.seed} {question.line} {seat}"
        likely = weights(game, state, seat, policy=method.policy, seed=_number(seed))
        # Each seat will play every hand, so in a match each expects the heads of all seats of a deal.
        alike = whole_match(game, state)

        def draw(options: Sequence[int], count: int, number: int) -> Drawn:
            drawn = values(
                game,
                state,
                seat,
                [question.options[option] for option in options],
                policy=method.policy,
                count=count,
                seed=_number(f"{seed} {number}"),
                whole=False,
            )
            return (drawn.sum(axis=2) if alike else drawn[:, :, seat]).astype(np.float64)

        total = None if decides(game, state, method.policy) else method.engine_playouts
        return estimate(draw, question.chosen, likely, method.error, method.playouts, total)

    def _course(self, game: Game[Any], deal: Deal, drawn: NDArray[np.int16]) -> Iterator[Chance]:
        """Yield the chances to win before each turn of a deal; `drawn` are deals of the policy."""
        count = DEALS if used(game) else max(1, DEALS // ENGINE_LESS)
        turns = {question.turn: question for question in reversed(deal.questions) if question.decision.begins_move}
        for question in reversed(turns.values()):
            seed = _number(f"{self.method.seed} course {question.line}")
            yield chance(game, deal, question, drawn, self.method.policy, count, seed)

    def _luck(self, game: Game[Any], deal: Deal, first: dict[int, Estimate]) -> NDArray[np.int16]:
        """Add the par of this deal, and what its cards were worth. Returns the heads of deals that the policy played."""
        method = self.method
        settings: Any = {"policy": method.policy}
        seed = f"{method.seed} deal {deal.number}"
        played = before_the_deal(game, deal.before, count=DEALS, seed=_number(seed), whole=False, **settings)
        drawn = played.astype(np.float64)
        alike = len(first) == game.seats  # all play at once, so no seat is better than another
        every = whole_match(game, deal.after)  # each seat plays every hand of this deal
        for number, seat in enumerate(self._seats):
            own = drawn.sum(axis=1) if every else drawn.mean(axis=1) if alike else drawn[:, number]
            par, square = own.mean(), own.var(ddof=1) / len(own)
            seat.par += par
            seat.par_square += square
            if not deal.before.pending.cards:
                continue  # nothing was dealt
            if number in first:
                expected, error = first[number].expected, first[number].expected_error
            else:
                own_seed = _number(f"{seed} seat {number}")
                after = after_the_deal(game, deal.after, number, count=DEALS, seed=own_seed, **settings)[:, number]
                expected, error = after.mean(), after.std(ddof=1) / DEALS**0.5
            seat.deal += expected - par
            seat.deal_square += square + error**2
        return played


def _choice(question: Question, found: Estimate) -> Choice:
    return Choice(
        line=question.line,
        deal=question.deal,
        turn=question.turn,
        kind=question.decision.kind,
        seat=question.seat,
        by=question.by,
        options=question.options,
        chosen=question.chosen,
        best=found.best,
        heads=tuple(round(heads, 3) for heads in found.heads),
        errors=tuple(round(error, 3) for error in found.errors),
        error=round(found.error, 3),
        cost=round(found.cost, 3),
        cost_error=round(found.cost_error, 3),
        playouts=found.playouts,
    )


def _number(text: str) -> int:
    """A seed below 2^62 made from a text."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 2
