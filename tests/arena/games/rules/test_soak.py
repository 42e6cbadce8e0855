"""A short soak, and that a soak would find what it looks for. (The long one is `make soak`.)"""

from collections.abc import Callable
from typing import Any

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.rows import RowGame
from bullring.arena.games.rules.variants.eleven import Eleven
from tests.arena.games.rules import soak


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


def test_a_match_depends_on_seed_game_and_number_and_on_nothing_else() -> None:
    assert soak.play("a", "hand", 3) == soak.play("a", "hand", 3)
    matches = [soak.play(seed, "open", number).kinds for seed in ("a", "b") for number in (1, 2)]
    assert any(kinds != matches[0] for kinds in matches)
    one, _ = soak.soak("a", 300, ["standard", "online"], 1)
    two, _ = soak.soak("a", 300, ["standard", "online"], 2)
    for name in one:
        one[name].seconds = two[name].seconds = 0.0
    assert one == two, "also not on the number of processes"


def test_all_matches_that_are_asked_for_are_played_once() -> None:
    for matches in (1, 11, 999, 10_000):
        numbers = [
            (name, n) for _, name, begin, end in soak.shares("x", matches, list(GAMES)) for n in range(begin, end)
        ]
        assert len(numbers) == len(set(numbers)) == matches


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


def test_the_table_has_a_line_for_each_game_and_the_rarest_decision_in_it() -> None:
    tallies, _ = soak.soak("pytest", 50, ["standard", "hand"], 1)
    head, standard, hand, whole = soak.table(tallies).splitlines()
    assert head.split()[:4] == ["game", "matches", "deals", "steps"]
    assert standard.split()[0] == "standard"
    assert hand.split()[0] == "hand"
    assert whole.split()[:2] == ["all", "50"]
    assert standard.split()[-2] in ("row", "card")
