"""Playouts of every game by the plain engine."""

from itertools import product
from math import inf
from random import Random
from typing import Any

import numpy as np
import pytest

from bullring.arena.games import simulator
from bullring.arena.games.playouts import POLICIES, after_the_deal, before_the_deal, onward, simulated, values, weights
from bullring.arena.games.rules.game import TAKEN, Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator import chains
from bullring.arena.study import analysis
from bullring.errors import IllegalAnswer
from tests.arena.games.rules.playing import every_game, fallback, steps


@pytest.fixture(autouse=True)
def by_the_rules_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulator has tests of its own, and takes time to compile."""
    monkeypatch.setattr(simulated, "COMPILED", False)


def positions(kind: Any) -> dict[str, Any]:
    """One position in the second half of a deal for each kind of decision that comes up."""
    game = kind(kind.seat_range[0])
    found: dict[str, Any] = {}
    for seed in range(3):
        for step in steps(game, seed):
            if isinstance(step.before.pending, Batch) and step.before.deal == 1:
                found[step.before.pending.kind] = step.before
    return {kind: (game, state) for kind, state in found.items()}


@every_game
def test_every_kind_of_decision_can_be_played_out(kind: Any) -> None:
    found = positions(kind)
    assert set(found) <= {decision.kind for decision in kind.decisions}
    for game, state in found.values():
        seat, options = state.pending.seats[-1], state.pending.options[-1][:3]
        before = game.public(state.copy())
        drawn = values(game, state, seat, options, count=2, seed=1)
        assert drawn.shape == (2, len(options), game.seats)
        assert (drawn >= 0).all()
        assert game.public(state) == before
        again = values(game, state, seat, options, count=2, seed=1)
        assert (drawn == again).all()


@every_game
def test_true_cards_are_kept_where_nothing_is_to_be_hidden(kind: Any) -> None:
    """With the cheapest play, which is no chance, all playouts of the true cards are the same and agree with the match."""
    game = kind(kind.seat_range[0])
    *_, last = (step for step in steps(game, 5, fallback) if not step.dealt and step.before.deal == 1)
    over = next(event for event in last.events if event["type"] == "deal_over")
    for step in steps(game, 5, fallback):
        if step.dealt or step.before.deal > 1:
            continue
        state = step.before
        seat, option = state.pending.seats[0], step.given[0]
        if game.is_duplicate and state.turn == 0:
            continue
        drawn = values(game, state, seat, [option], policy="cheapest", count=3, seed=2, hidden=False)
        taken = game.columns(state).get("deal", [0] * game.seats)
        assert (drawn == drawn[0]).all()
        assert [*drawn[0, 0]] == [here - so_far for here, so_far in zip(over["heads"], taken, strict=True)]


def test_playouts_of_the_last_card_equal_an_enumeration_of_all_hidden_cards() -> None:
    game = GAMES["standard"](2)
    state = _asked(game, turn=10)
    (option,) = state.pending.options[0]
    seen = {option, *(card for cards in (*state.rows, *state.piles) for card in cards)}
    worlds = []
    for card in set(range(1, 105)) - seen:
        world = state.copy()
        world.hands[1][:] = [card]
        worlds.append(_expected(game, world, "cheapest", option))
    drawn = values(game, state, 0, [option], policy="cheapest", count=2500, seed=3)
    _agree(drawn[:, 0], np.mean(worlds, axis=0))


@every_game
def test_playouts_of_a_last_choice_equal_an_enumeration_of_all_that_may_follow(kind: Any) -> None:
    """With the true cards, so that only the choices are left to chance: all options alike, by the policy random."""
    game = kind(kind.seat_range[0])
    played = [step for step in steps(game, 6) if not step.dealt and step.before.deal == 1]
    found: list[tuple[int, float, Any, dict[Any, Any]]] = []
    for step in reversed(played):
        exact = {}
        left: float = ENOUGH
        for option in dict.fromkeys((step.given[0], *step.before.pending.options[0][:2])):
            budget: list[float] = [ENOUGH]
            heads = _expected(game, step.before, "random", option, budget)
            if budget[0] >= 0:
                exact[option] = heads
                left = min(left, budget[0])
        if not exact:
            break
        found.append((len(exact), -left, step.before, exact))
    # In eleven others may go on for long, so only the card that ended the deal can be followed to all ends.
    *_, state, exact = max(found, key=lambda one: one[:2])
    assert len(exact) > 1 or game.id == "eleven"
    drawn = values(game, state, state.pending.seats[0], [*exact], policy="random", count=200, seed=1, hidden=False)
    for at, heads in enumerate(exact.values()):
        _agree(drawn[:, at], heads)


ENOUGH = 400
"""Most steps of an enumeration."""


def _expected(game: Any, state: Any, policy: str, forced: Any = None, budget: list[float] | None = None) -> Any:
    """The expected heads of the rest of the deal, over all answers that the policy may give; seat 0 begins with `forced`.

    Each step is taken from the budget; once that is below 0, the result is worth nothing.
    """
    asked = enumerate(state.pending.options)
    choices = [[*options] if policy == "random" else [game.fallback(state, at)] for at, options in asked]
    if forced is not None:
        choices[0] = [forced]
    outcomes, total = list(product(*choices)), np.zeros(game.seats)
    budget = [inf] if budget is None else budget
    budget[0] -= len(outcomes)
    if budget[0] < 0:
        return total
    taken = np.array(game.columns(state).get(TAKEN, [0] * game.seats))
    for outcome in outcomes:
        after, events = game.apply(state, outcome)
        ended = [event["heads"] for event in events if event["type"] == "deal_over"]
        if ended:
            total += ended[0] - taken
        else:
            so_far = np.array(game.columns(after).get(TAKEN, [0] * game.seats))
            total += so_far - taken + _expected(game, after, policy, None, budget)
    return total / len(outcomes)


def _asked(game: Any, turn: int) -> Any:
    """A position of the first deal in which all are asked for a card."""
    played = (step.before for step in steps(game, 4) if not step.dealt)
    return next(state for state in played if state.turn == turn and state.pending.kind == "card")


def _agree(drawn: Any, exact: Any) -> None:
    error = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert (abs(drawn.mean(axis=0) - exact) <= 4 * error + 1e-9).all()


def test_a_deal_that_everybody_plays_alike_favours_no_seat() -> None:
    game = GAMES["standard"](3)
    drawn = before_the_deal(game, game.new(), policy="random", count=400, seed=1)
    assert drawn.shape == (400, 3)
    mean, error = drawn.mean(axis=0), drawn.std(axis=0) / 20
    assert (abs(mean - mean.mean()) < 4 * error).all()


def test_a_draft_that_decides_on_all_deals_is_played_to_the_end_of_the_match() -> None:
    game = GAMES["tournament"](2)
    state, _ = game.deal(game.new(), ())
    drawn = values(game, state, 0, state.pending.options[0][:1], count=3, seed=1)
    deck = sum(game.heads[card] for card in game.shuffle.deck)
    assert drawn.sum(axis=2).min() > 0
    assert drawn.sum(axis=2).max() <= 2 * deck
    assert before_the_deal(game, game.new(), count=2, seed=1).shape == (2, 2)


def test_greedy_play_takes_far_fewer_heads_than_chance() -> None:
    game, heads, chance = GAMES["standard"](4), np.zeros(4), Random(1)
    for _ in range(25):
        state = game.deal(game.new(), chance.sample(game.shuffle.deck, game.shuffle.cards))[0]
        while isinstance(state.pending, Batch):
            names = ["greedy" if seat == 0 else "random" for seat in state.pending.seats]
            answers = [POLICIES[name](game, state, index, chance) for index, name in enumerate(names)]
            state, events = game.apply(state, answers)
        heads += events[-1]["heads"]
    assert heads[0] < heads[1:].mean() * 0.8


def test_what_cannot_be_played_out_is_refused() -> None:
    game = GAMES["standard"](2)
    state = _asked(game, turn=9)
    (card, *_) = state.pending.options[0]
    with pytest.raises(IllegalAnswer, match="seat 5 has nothing to decide"):
        values(game, state, 5, [card], count=1, seed=1)
    with pytest.raises(IllegalAnswer, match="expected one of"):
        values(game, state, 0, [0], count=1, seed=1)
    with pytest.raises(ValueError, match="expected a policy, one of random"):
        values(game, state, 0, [card], count=1, seed=1, policy="clever")


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("game", ["standard", "professional", "double"])
def test_the_policies_of_the_simulator_choose_as_they_are_told_to(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "COMPILED", True)
    for played, state in positions(GAMES[game]).values():
        seat, size = state.pending.seats[-1], len(state.pending.options[-1])
        for policy in POLICIES:
            likely = weights(played, state, seat, policy=policy, seed=1)
            assert len(likely) == size
            assert sum(likely) == pytest.approx(1)
            if policy in ("cheapest", "greedy"):
                assert sorted(likely) == [0] * (size - 1) + [1]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["standard", "professional", "open", "double", *sorted(chains.CHAINS)])
def test_the_simulator_agrees_with_the_rules_engine(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheapest play is the same in both, so the expected heads are."""
    policy = "cheapest"
    found = positions(GAMES[game])
    for played, state in found.values():
        seat, options = state.pending.seats[-1], state.pending.options[-1][:2]
        monkeypatch.setattr(simulated, "COMPILED", False)
        engine = values(played, state, seat, options, policy=policy, count=400, seed=1)
        likely = weights(played, state, seat, policy=policy, seed=1)
        monkeypatch.setattr(simulated, "COMPILED", True)
        simulator = values(played, state, seat, options, policy=policy, count=4000, seed=1)
        error = (engine.var(axis=0) / len(engine) + simulator.var(axis=0) / len(simulator)) ** 0.5
        assert (abs(engine.mean(axis=0) - simulator.mean(axis=0)) <= 4.5 * error + 1e-9).all()
        assert weights(played, state, seat, policy=policy, seed=1) == pytest.approx(likely)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["open", *sorted(chains.CHAINS)])
def test_the_simulator_goes_on_as_the_rules_engine_does(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a deal, from what a seat knows of one, and from everybody's actual cards."""
    played = GAMES[game](4)
    deck, cards = played.shuffle
    dealt = played.deal(played.new(), Random(3).sample(deck, len(deck))[:cards])[0]
    answers = [played.fallback(dealt, index) for index in range(len(dealt.pending.seats))]
    policy, found = "noisy" if game in ("hand", "nifty", "eleven") else "cheapest", []
    for compiled, count in ((True, 4000), (False, 200)):
        monkeypatch.setattr(simulated, "COMPILED", compiled)
        found.append(
            [
                before_the_deal(played, played.new(), policy=policy, count=count, seed=1),
                after_the_deal(played, dealt, 3, policy=policy, count=count, seed=2),
                onward(played, dealt, range(count), policy=policy, seed=3),
                onward(played, dealt, range(count), [answers] * count, policy=policy, seed=4),
            ]
        )
    for one, other in zip(*found, strict=True):
        error = (one.var(axis=0) / len(one) + other.var(axis=0) / len(other)) ** 0.5
        assert (abs(one.mean(axis=0) - other.mean(axis=0)) <= 4.5 * error + 1e-9).all()


def test_an_analysis_offers_the_policies_of_playouts() -> None:
    assert analysis.POLICIES == tuple(POLICIES) == simulator.POLICIES
