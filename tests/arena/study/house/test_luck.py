"""The luck of the house's draws and of the deal: its mean is 0, exactly, whatever the forecasts are worth."""

import json
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import bullring
from bullring.arena.games.playouts import simulated
from bullring.arena.games.rules.game import Batch, Game
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.study.house.luck import affordable, luck, of_deal, of_draws, outcomes
from bullring.arena.study.house.moves import chances, house_player
from bullring.errors import RecordError

STRANGER = 1
WAYS = [
    False,
    pytest.param(simulated.COMPILED, marks=pytest.mark.slow),
]  # compiling takes longer than all other tests here


@pytest.fixture(autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on by the rules engine, unless a test says otherwise."""
    monkeypatch.setattr(simulated, "COMPILED", getattr(request, "param", False))


def _played(game: Game[Any], turns: int, seed: str) -> Any:
    """A position at the beginning of a turn; all play at random."""
    chance = Random(seed)
    state = game.new()
    while not (isinstance(state.pending, Batch) and state.turn > turns and state.pending.kind == "card"):
        if isinstance(state.pending, Batch):
            game.advance(state, [chance.choice(options) for options in state.pending.options])
        else:
            game.advance_deal(state, chance.sample(state.pending.deck, state.pending.cards))
    return state


@pytest.mark.parametrize("way", WAYS, indirect=True)
@pytest.mark.parametrize("name", ["standard", "tactics"])
def test_over_all_draws_of_the_house_the_luck_is_nil(name: str) -> None:
    game = find(name)(3, {"deals": 1})
    state = _played(game, 7, name)
    batch = state.pending
    for own in batch.options[STRANGER]:
        total, mass, largest = np.zeros(2), 0.0, 0.0
        probable = [
            [1.0 * (card == own) for card in options]
            if seat == STRANGER
            else chances(game, game.view(state, seat), "card", options)
            for seat, options in enumerate(batch.options)
        ]
        for places in product(*(range(len(options)) for options in batch.options)):
            weight = prod(chance[at] for chance, at in zip(probable, places, strict=True))
            answers = [options[at] for options, at in zip(batch.options, places, strict=True)]
            if weight:
                found = of_draws(game, state, answers, STRANGER, 3, 5)
                total += weight * found
                mass += weight
                largest = max(largest, float(abs(found[0])))
        assert mass == pytest.approx(1.0)
        assert total == pytest.approx((0.0, 0.0), abs=1e-9)
        assert largest > 0.1


@pytest.mark.parametrize("way", WAYS, indirect=True)
def test_over_all_seats_of_the_stranger_the_luck_of_a_deal_is_nil() -> None:
    game = find("standard")(4, {"deals": 1})
    state = _played(game, 0, "deal")
    by_seat = [of_deal(game, state, seat, 3, 5) for seat in range(4)]
    assert np.sum(by_seat, axis=0) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert np.abs(by_seat).max() > 0.1


def test_outcomes_compare_a_seat_with_all_others() -> None:
    assert outcomes(np.array([3, 5, 3, 10]), 0) == pytest.approx((-3.0, 2.5 / 3))
    assert outcomes(np.array([[3, 5], [7, 0]]), 1) == pytest.approx(np.array([[2.0, 0.0], [-7.0, 1.0]]))


def _record(path: Path, game: Game[Any], seat: int) -> Lines:
    chance = Random(game.id)
    players: list[Any] = [house_player(game, chance.random) for _ in range(game.seats)]
    players[seat] = lambda message: chance.choice(message["options"])
    bullring.play(*players, game=game, record=path)
    return read_lines(path)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_luck_by_the_engine(name: str, tmp_path: Path) -> None:
    kind = find(name)
    options = {"deals": 1} if any(spec.name == "deals" for spec in kind.option_specs) and name != "tournament" else {}
    game = kind(max(2, kind.seat_range[0]), options)
    if game.planned_deals() != 1:
        return
    found = luck(_record(tmp_path / "m.jsonl", game, 0), 0, count=1)
    assert np.isfinite([*found.result, *found.deal, *found.draws]).all()
    assert 0 <= found.result[1] <= 1


@pytest.mark.parametrize("name", ["open", "hand", "nifty", "eleven"])
def test_what_the_rules_engine_plays_gets_few_playouts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "COMPILED", True)
    assert affordable(find(name)(4)) < 10  # in hand, each takes 10 ms


def test_the_same_record_has_the_same_luck(tmp_path: Path) -> None:
    game = find("standard")(3, {"deals": 2})
    lines = _record(tmp_path / "m.jsonl", game, 2)
    assert luck(lines, 2, count=2) == luck(lines, 2, count=2)
    end = json.loads(lines.last)["end"]
    own = end["scores"][2] / 2
    assert luck(lines, 2, count=1).own == own


def test_a_record_that_stops_has_none(tmp_path: Path) -> None:
    lines = _record(tmp_path / "m.jsonl", find("standard")(2, {"deals": 1}), 0)
    cut = Lines(lines.data[: lines.data.rindex(b"\n", 0, -1) + 1])
    with pytest.raises(RecordError, match="complete match"):
        luck(cut, 0, count=1)
