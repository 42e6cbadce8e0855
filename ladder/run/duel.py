"""A duel on a ladder: what two bots play so that the new one may be found better, and its score."""

from collections.abc import Mapping, Sequence
from typing import Any

from bullring.arena.games.rules.game import Game
from bullring.errors import LadderError
from bullring.ladder.pairing.schedule import Duel
from bullring.ladder.rating.sequential import Equal, Sequential
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.plan import rated_options
from bullring.ladder.standings.duel import DuelScore
from bullring.ladder.store.store import Store


def sequential_test(
    elo0: float | None, elo1: float | None, equal: float | None, alpha: float, beta: float
) -> Sequential:
    """The test with these hypotheses and probabilities of error; None: by default, 0 against 10 Elo. Raises `LadderError`."""
    if equal is not None and not elo0 is elo1 is None:
        raise LadderError("--equal cannot be used with --elo0 or --elo1, which ask for another test; leave one out")
    try:
        if equal is not None:
            return Equal(0.0, equal, alpha, beta)
        return Sequential(0.0 if elo0 is None else elo0, 10.0 if elo1 is None else elo1, alpha, beta)
    except ValueError as error:
        raise LadderError(f"{error}; change --elo0, --elo1, --equal, --alpha or --beta") from None


def duel(
    store: Store,
    duellists: tuple[int, int],
    others: Sequence[int],
    test: Sequential,
    kind: type[Game[Any]],
    seats: int | None,
    options: Mapping[str, object],
) -> tuple[Plays, DuelScore]:
    """What is played in a duel between the new and the old bot, with `others` in the other seats, and its score so far.

    Without `seats`, there are four, or as many as there are bots for. Raises `LadderError`, `RulesError`.
    """
    if duellists[0] == duellists[1]:
        raise LadderError("a duel needs two different bots, and both are the same")
    low, high = kind.seat_range
    seats = seats or max(low, min(4, high, 2 + len(others)))
    if len(others) < seats - 2:
        missing = "1 other bot" if seats == 3 else f"{seats - 2} other bots"
        raise LadderError(
            f"a table of {seats} seats needs {missing}, and there {'is' if len(others) == 1 else 'are'} {len(others)};"
            " name them as the pool (--pool), or choose two seats (--seats 2)"
        )
    game = kind(seats, rated_options(kind, options))
    list_ = store.list_of(game.id, game.options, game.seats)
    score = DuelScore(store, list_, *duellists, test)
    schedule = Duel(seats, *duellists, others, score.ended + len(score.unfinished))
    return Plays(list_, "duel", "swap", schedule, asked={*duellists, *others}), score
