"""The laws that hold at every moment of any match, and proof that a soak finds them broken. (`make soak` is the long one.)"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.rows import RowGame
from bullring.arena.games.rules.variants.eleven import Eleven
from tests.arena.games.rules import soak
from tests.arena.games.rules.playing import GameType, every_game, games, policies, seeds, steps


@every_game
@given(data=st.data())
def test_every_step_keeps_all_that_must_hold(kind: GameType, data: st.DataObject) -> None:
    game, chance = data.draw(games(kind)), Random(data.draw(seeds))
    watch = soak.Watch(game)
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if done.dealt:
            watch.dealt(done.after, done.given, done.before.scores)
        watch.look(done.after)
        watch.look_closely(done.after, chance)


@pytest.mark.slow
def test_some_thousand_matches_keep_all_that_must_hold_and_every_decision_occurs() -> None:
    tallies, failures = soak.soak("pytest", 2200, list(GAMES), 1)
    assert failures == []
    assert sum(tally.matches for tally in tallies.values()) == 2200
    for name, tally in tallies.items():
        assert tally.deals >= tally.matches
        assert tally.longest <= tally.steps
        missing = {one.kind for one in GAMES[name].decisions} - tally.kinds.keys()
        assert missing <= {"bull"}, "only a choice between owners of bulls is so rare"


def loses_a_card(game: Any, state: Any, *args: Any) -> None:
    next(hand for hand in state.hands if hand).pop()


def swaps_a_card(game: Any, state: Any, *args: Any) -> None:
    hand = next(hand for hand in state.hands if hand)
    hand[0] = next(card for card in range(100, 0, -1) if card not in hand)


def gives_heads_for_nothing(game: Any, state: Any, *args: Any) -> None:
    state.scores[0] += 1


def forgets_the_turn(game: Any, state: Any, *args: Any) -> None:
    state.turn = 0


@pytest.mark.parametrize("harm", [loses_a_card, swaps_a_card, gives_heads_for_nothing, forgets_the_turn])
@pytest.mark.parametrize("kind", [RowGame, Eleven])
def test_rules_that_are_broken_are_found_and_the_match_can_be_repeated(
    kind: type[Any], harm: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, method = ("open", "ask") if kind is RowGame else ("eleven", "_next")
    game = GAMES[name]
    right = getattr(game, method)

    def wrong(self: Any, state: Any, *args: Any) -> None:
        right(self, state, *args)
        if state.deal and any(state.hands):
            harm(self, state)

    monkeypatch.setattr(game, method, wrong)
    _, failures = soak.soak("pytest", 20, [name], 1)
    assert failures
    assert f"match 0 of {name}: " in failures[0]
    assert failures[0].endswith(f"--seed pytest --repeat {name} 0")
    with pytest.raises((soak.Broken, ValueError, IndexError, AssertionError)):
        soak.play("pytest", name, 0)


def test_a_match_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES["online"], "over", lambda self, state: False)
    with pytest.raises(soak.Broken, match="a match is over after"):
        soak.play("pytest", "online", 0)
