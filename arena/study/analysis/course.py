"""The course of a match: each seat's chance to win, turn by turn, by playouts with the cards that everybody really holds.

This is what a spectator could expect who sees all hands. From a turn on, all seats follow the policy to the end of the deal; deals
that are still to come are drawn from those that the policy played. Seats that share the first place share the win.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.playouts import onward
from bullring.arena.games.rules.game import Game
from bullring.arena.study.analysis.questions import Deal, Question
from bullring.arena.study.analysis.result import Chance


def foreseen(game: Game[Any]) -> bool:
    """Whether deals to come may be drawn: the match has an end that is known, and no deal follows from another."""
    return not game.is_duplicate and (game.planned_deals() is not None or "target" in game.options)


def chance(
    game: Game[Any], deal: Deal, question: Question, later: NDArray[np.int16], policy: str, count: int, seed: int
) -> Chance:
    """The chances before the first decision of a turn. `later` are the heads of whole deals, as (deals, seats)."""
    heads = onward(game, question.state, range(count), policy=policy, seed=seed)
    scores = np.array(deal.before.scores, np.int64) + heads
    random = np.random.default_rng(seed)
    number = deal.number
    while (going := ~_over(game, number, scores)).any():
        scores[going] += later[random.integers(len(later), size=int(going.sum()))]
        number += 1
    won = shares(scores)
    return Chance(
        line=question.line,
        deal=question.deal,
        turn=question.turn,
        win=tuple(np.round(won.mean(axis=0), 4).tolist()),
        errors=tuple(np.round(won.std(axis=0) / count**0.5, 4).tolist()),
    )


def shares(scores: NDArray[np.int64]) -> NDArray[np.float64]:
    """The share of the win of each seat, by its scores at the end, as (matches, seats)."""
    first = (scores == scores.min(axis=1, keepdims=True)).astype(np.float64)
    won: NDArray[np.float64] = first / first.sum(axis=1, keepdims=True)
    return won


def _over(game: Game[Any], number: int, scores: NDArray[np.int64]) -> NDArray[np.bool_]:
    planned = game.planned_deals()
    if planned is not None:
        return np.full(len(scores), number >= planned)
    target = int(str(game.options["target"])) + (game.options["target_rule"] == "over")
    over: NDArray[np.bool_] = scores.max(axis=1) >= target
    return over
