"""The luck in a stranger's result against the house: of the deal, and of the house's draws.

Two numbers of mean 0, whatever the stranger does. So subtracting multiples of them that are fixed before the match changes
how much a result scatters and not what it means. Such numbers are control variates; for draws with known probabilities, this is
AIVAT (N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, "AIVAT: A New Variance Reduction Technique for Agent Evaluation in
Imperfect Information Games", 2018).

*Draws.* Where a house seat decides, let Q(a) be a forecast of the stranger's result after option a, made without looking at what
was drawn for this seat and those after it. Then Q(drawn) - sum of p(a) Q(a) has the mean 0, because p are the probabilities of the
draw. Forecasts know all cards, the stranger's choice of the same turn included, since that is no part of the draw. House seats of
one turn are taken in order: those before as they were drawn, those after drawn anew.

*Deal.* A forecast of the stranger's result from the cards, with everybody playing by one policy. Then all seats are alike, and the
stranger's seat was drawn apart from the deal; so the mean is that of a player among equals.

Both hold for any forecasts, good or bad. Better ones take away more of the scatter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.playouts import onward, simulated
from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.arena.games.simulator.games import spec
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.replay import Answered, Began, Dealt, Ended, Replay
from bullring.arena.study.house.moves import TEMPERATURE, chances
from bullring.errors import RecordError

Floats = NDArray[np.float64]

UNLIKELY = 0.01
"""Options of the house below this probability get the mean forecast of the others, whether they are drawn or not."""

KIND = "card"
"""Decisions of other kinds are not looked at: rows are certain, and where all options are equally likely forecasts tell little."""

OUTCOMES = ("heads", "share")
"""A result: the stranger's heads in a deal minus the mean of the house's, and the share of house seats that it is ahead of."""


@dataclass(frozen=True)
class Luck:
    """A stranger's result in a match and the luck in it, by `OUTCOMES`, as means over the deals."""

    result: tuple[float, float]
    deal: tuple[float, float]
    draws: tuple[float, float]
    own: float
    """The stranger's own heads in a deal."""


def outcomes(heads: NDArray[Any], seat: int) -> Floats:
    """The outcomes (..., 2) for a seat from heads (..., seats). Ties count half."""
    own, others = heads[..., seat, None], np.delete(heads, seat, axis=-1)
    ahead = (own < others) + (own == others) / 2
    return np.stack([(own - others).mean(axis=-1), ahead.mean(axis=-1)], axis=-1)


def luck(lines: Lines, seat: int, *, count: int | None = None) -> Luck:
    """The result of the stranger in `seat` of a recorded match, all other seats being the house's, and the luck in it.

    `count` is the number of playouts for each option and for each deal. Playouts take their random numbers from the commitment in
    the record, which tells nothing of the draws; so the same record gives the same luck. Raises `RecordError` if this is not the
    record of a complete match.
    """
    replay, seed = Replay(), 0
    results: list[Floats] = []
    heads: list[int] = []
    deal, draws = np.zeros(2), np.zeros(2)
    ended = False
    for number, entry in enumerate(lines.each()):
        state = replay.state
        before = state.copy() if state is not None and isinstance(state.pending, Batch) else None
        happening = replay.feed(entry)
        if isinstance(happening, Began):
            playouts = count or affordable(replay.game)
            seed = crc32(str(happening.head["commitment"]).encode()) << 20
        if isinstance(happening, Dealt) and replay.shuffles[-1].cards:
            deal += of_deal(replay.game, replay.state, seat, playouts, seed + number)
        elif isinstance(happening, Answered) and before is not None:
            draws += of_draws(replay.game, before, happening.answers, seat, playouts, seed + number)
            for event in happening.events:
                if event["type"] == "deal_over":
                    results.append(outcomes(np.array(event["heads"]), seat))
                    heads.append(event["heads"][seat])
        ended |= isinstance(happening, Ended)
    if not ended or not results:
        raise RecordError("expected the record of a complete match")
    size = len(results)
    result: Floats = np.sum(results, axis=0)
    return Luck(_pair(result / size), _pair(deal / size), _pair(draws / size), sum(heads) / size)


def warm_up(game: Game[Any]) -> None:
    """Compile what `luck` calls for, if it has to be: that takes seconds, in which no bot should be on a clock."""
    state = game.new()
    pending = state.pending
    game.advance_deal(state, list(pending.deck)[: pending.cards])
    _played(game, state, [0], (), 0)


def affordable(game: Game[Any]) -> int:
    """The playouts of each option that this installation can afford."""
    return 40 if simulated.of_turns(game) and not spec(game.id, game.seats, game.options).serial else 8


def _played(
    game: Game[Any], state: Any, numbers: Sequence[int], answers: Sequence[Sequence[Option]], seed: int
) -> NDArray[np.int16]:
    """The heads if everybody goes on as the house draws cards, or by its cheapest play where that would take too long."""
    return onward(game, state, numbers, answers, noise=TEMPERATURE, seed=seed)


def _pair(values: Any) -> tuple[float, float]:
    heads, share = values
    return float(heads), float(share)


def of_deal(game: Game[Any], state: Any, stranger: int, count: int, seed: int) -> Floats:
    """The luck (2,) of a deal that has just begun; its mean over the seats of the stranger is 0."""
    played = outcomes(_played(game, state, range(count), (), seed), stranger)
    found: Floats = played.mean(axis=0) - (0.0, 0.5)
    return found


def of_draws(game: Game[Any], state: Any, answers: Sequence[Option], stranger: int, count: int, seed: int) -> Floats:
    """The luck (2,) of what the house drew in the pending batch; its mean over the draws of the house is 0.

    `answers` are those of all seats, of which `stranger` is not the house's.
    """
    batch: Batch = state.pending
    if batch.kind != KIND:
        return np.zeros(2)
    probable = {
        index: chances(game, game.view(state, seat), batch.kind, batch.options[index])
        for index, seat in enumerate(batch.seats)
        if seat != stranger
    }
    chance = Random(seed)
    drawn = [
        {index: chance.choices(batch.options[index], weights)[0] for index, weights in probable.items()}
        for _ in range(count)
    ]
    """Other draws that the house seats might have made."""
    asked: list[tuple[int, list[int]]] = []
    """By house seat that has a choice, the options that are likely enough."""
    given: list[list[Option]] = []
    for index, weights in probable.items():
        likely = [at for at, weight in enumerate(weights) if weight >= UNLIKELY]
        if len(likely) < 2:
            continue
        asked.append((index, likely))
        for at in likely:
            for later in drawn:
                ahead = [answer if i <= index or i not in probable else later[i] for i, answer in enumerate(answers)]
                ahead[index] = batch.options[index][at]
                given.append(ahead)
    if not asked:
        return np.zeros(2)
    numbers = list(range(count)) * (len(given) // count)
    found = outcomes(_played(game, state, numbers, given, seed), stranger)
    forecasts = found.reshape(-1, count, 2).mean(axis=1)
    total, first = np.zeros(2), 0
    for index, likely in asked:
        shares = np.array([probable[index][at] for at in likely])
        own = forecasts[first : first + len(likely)]
        first += len(likely)
        mean = shares @ own / shares.sum()
        chosen = list(batch.options[index]).index(answers[index])
        if chosen in likely:
            total += own[likely.index(chosen)] - mean
    return total
