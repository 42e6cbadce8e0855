"""Simulated strangers among the house: matches by the rules without a referee, measured with the estimator of the command."""

import json
import random
from typing import Any

import numpy as np
import pytest

from bullring.arena.games.rules.game import Batch, Game
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.reader import Lines
from bullring.arena.study.house.luck import luck
from bullring.arena.study.house.moves import chances, house_player
from bullring.ladder.rating.control_variates import ALARM, adjusted
from bullring.ladder.rating.scales import QUANTILE, Floats

MATCHES = 250


def match(game: Game[Any], stranger: str, chance: random.Random) -> tuple[Lines, int]:
    """The record of a match of a stranger among the house, and the seat of the stranger."""
    seat = chance.randrange(game.seats)
    house = house_player(game, chance.random)
    head = {"bullring": 2, "game": game.id, "options": game.options, "seats": ["x"] * game.seats, "start": game.start}
    entries: list[dict[str, Any]] = [{**head, "commitment": f"{chance.getrandbits(128):x}"}]
    state = game.new()
    while (pending := state.pending) is not None:
        if not isinstance(pending, Batch):
            cards = chance.sample(pending.deck, len(pending.deck))[: pending.cards]
            entries.append({"deal": cards})
            game.advance_deal(state, cards)
            continue
        answers = []
        for of, options in zip(pending.seats, pending.options, strict=True):
            view = game.view(state, of)
            if of == seat and stranger == "greedy":
                weights = chances(game, view, pending.kind, options)
                answers.append(options[weights.index(max(weights))])
            else:
                answers.append(house({"kind": pending.kind, "options": options, "view": view}))
        entries.append({"answers": answers, "us": [0] * len(answers)})
        game.advance(state, answers)
    entries.append({"end": {"scores": list(state.scores), "ranks": [1] * game.seats, "void": None}})
    return Lines("".join(json.dumps(entry) + "\n" for entry in entries).encode()), seat


def sample(game: Game[Any], stranger: str) -> Floats:
    """Results and luck as (matches, 3, 2): result, deal, draws; heads, share."""
    found = np.empty((MATCHES, 3, 2))
    for number in range(MATCHES):
        one = luck(*match(game, stranger, random.Random(f"1 {number}")), count=30)
        found[number] = one.result, one.deal, one.draws
    return found


def coverage(part: Floats, truth: float, chance: np.random.Generator) -> float:
    """The share of 400 gauges of 100 matches, drawn from all, whose adjusted interval holds the truth."""
    drawn = (part[chance.integers(0, len(part), 100)] for _ in range(400))
    means = [adjusted(few[:, 0], few[:, 1:]).adjusted for few in drawn]
    return sum(mean.low <= truth <= mean.high for mean in means) / len(means)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["standard", "tactics"])
def test_the_null_is_nil_and_a_greedy_bot_takes_fewer_matches(name: str) -> None:
    game = find(name)(3, {"deals": 1})
    for stranger, truth in (("house", (0.0, 0.5)), ("greedy", None)):
        found = sample(game, stranger)
        for outcome in (0, 1):
            made = adjusted(found[:, 0, outcome], found[:, 1:, outcome])
            assert max(map(abs, made.alarms)) < ALARM
            assert made.gain is not None
            assert made.gain.low > 1.3
            if truth is not None:
                assert abs(made.adjusted.value - truth[outcome]) < 2 * QUANTILE * made.adjusted.error
            assert 0.91 < coverage(found[:, :, outcome], made.adjusted.value, np.random.default_rng(1)) < 0.99
