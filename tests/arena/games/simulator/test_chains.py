"""Games of chains: every choice of the simulator is one that the rules offer, and the heads are those of the rules."""

from random import Random

import pytest

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator import Uncovered, chains
from tests.arena.games.simulator.following import POLICIES, cases, compare, compare_from, dealt, policies

FEW = [case for case in cases() if case[1] in (2, 4)]


@pytest.mark.parametrize(("name", "seats", "options"), FEW, ids=str)
def test_whole_deals_are_those_of_the_rules(name: str, seats: int, options: dict[str, object]) -> None:
    for policy in POLICIES[1:]:
        compare(name, seats, options, policy, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), cases(), ids=str)
def test_many_whole_deals_are_those_of_the_rules(name: str, seats: int, options: dict[str, object]) -> None:
    for policy in policies(name):
        compare(name, seats, options, policy, 20, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), cases(), ids=str)
def test_positions_go_on_as_in_the_rules(name: str, seats: int, options: dict[str, object]) -> None:
    chance, game = Random(f"{name} {seats}"), GAMES[name](seats, options)
    state = dealt(game, chance.sample(game.shuffle.deck, game.shuffle.cards))
    while isinstance(batch := state.pending, Batch) and state.deal == 1 and batch.kind in chains.kinds(name):
        if chance.random() < 0.3:
            at = chance.randrange(len(batch.seats))
            pick, policy = chance.randrange(len(batch.options[at])), chance.choice(policies(name))
            compare_from(game, state, batch.seats[at], pick, policy, chance.randrange(100))
        game.advance(state, [chance.choice(list(options)) for options in batch.options])


@pytest.mark.parametrize("name", sorted(chains.CHAINS))
def test_a_seat_knows_what_it_is_told_and_nothing_else(name: str) -> None:
    """Where hidden cards lie differently, its playouts are the same."""
    chance, game = Random(name), GAMES[name](3)
    state = dealt(game, chance.sample(game.shuffle.deck, game.shuffle.cards))
    for _ in range(12):
        batch = state.pending
        game.advance(state, [chance.choice(list(options)) for options in batch.options])
        if not isinstance(state.pending, Batch) or state.pending.kind not in chains.kinds(name):
            break
    else:
        batch, found = state.pending, []
        seat = batch.seats[-1]
        for _ in range(2):
            view = game.view(game.resample(state, seat, chance.shuffle), seat)
            here = chains.chain(name, game.options, 3, view, batch.kind, batch.seats[0])
            found.append(chains.follow(here, [0, 1], "noisy", range(2), 5).tolist())
        assert found[0] == found[1]


def test_playouts_do_not_depend_on_what_else_is_asked_for() -> None:
    here = chains.opening("nifty", {}, 3, start=0)
    whole = chains.follow(here, [0, 7, -1], "noisy", range(3), 5)
    assert whole[1:, 1:].tolist() == chains.follow(here, [7, -1], "noisy", [1, 2], 5).tolist()


def test_playouts_of_one_turn_of_nifty_end_with_it() -> None:
    game = GAMES["nifty"](3)
    state = dealt(game, Random(3).sample(game.shuffle.deck, game.shuffle.cards))
    here = chains.chain("nifty", {}, 3, game.view(state, 0), "cards", 0)
    turn = chains.follow(here, [0, 40], "skilled", range(8), 5, turn_only=True)
    deal = chains.follow(here, [0, 40], "skilled", range(8), 5)
    assert (turn <= deal).all()
    assert turn.sum() < deal.sum() / 3


def test_what_is_not_covered_is_told() -> None:
    with pytest.raises(Uncovered, match="chains are covered of eleven, hand"):
        chains.opening("standard", {}, 3, start=0)
    with pytest.raises(Uncovered, match="not 'card' in 'logic'"):
        chains.chain("logic", {}, 3, {}, "card", 0)
    with pytest.raises(Uncovered, match="playouts of hand by the policy greedy are those of the rules engine"):
        chains.follow(chains.opening("hand", {}, 3, start=0), [-1], "greedy", [0], 1)
