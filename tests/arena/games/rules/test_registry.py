"""The list of games: names, seats, and the facts that each of them gives of itself."""

import re
import sys

import pytest

from bullring.arena.games.rules.registry import GAMES, find
from bullring.errors import RulesError, SeatsError, UnknownGame
from tests.arena.games.rules.playing import GameType, every_game


@every_game
def test_a_game_is_found_by_its_id_and_its_aliases_in_any_case(kind: GameType) -> None:
    for name in (kind.id, *kind.aliases):
        assert find(name) is kind
        assert find(name.upper()) is kind


def test_no_two_games_share_a_name() -> None:
    names = [name for kind in GAMES.values() for name in (kind.id, *kind.aliases)]
    assert len(names) == len(set(names))
    assert names == [name.lower() for name in names], "find() looks for names in lower case"


def test_a20_the_professional_variant_of_1994_is_logic_and_that_of_the_jubilee_rulebook_is_professional() -> None:
    assert find("professional-1994") is find("Logik") is GAMES["logic"]
    assert find("Profi") is GAMES["professional"]


def test_the_error_for_an_unknown_game_lists_the_known_ones_and_is_short() -> None:
    with pytest.raises(UnknownGame, match=re.escape(f"the games are: {', '.join(GAMES)}")) as caught:
        find("x" * 10_000)
    assert isinstance(caught.value, RulesError)
    assert len(str(caught.value)) < 400


@every_game
def test_the_fact_table_of_a_game_names_its_seats_and_decisions(kind: GameType) -> None:
    text = sys.modules[kind.__module__].__doc__ or ""
    facts = dict(re.findall(r"^(\w+) {2,}(\S.*(?:\n {3,}\S.*)*)$", text, re.MULTILINE))
    low, high = kind.seat_range
    assert re.match(f"{low}$" if low == high else rf"{low}-{high}\b", facts["seats"])
    for decision in kind.decisions:
        assert re.search(rf"\b{decision.kind}\b", facts["decisions"])
    for spec in kind.option_specs:
        assert spec.name in facts["options"] or "as in the standard game" in facts["options"]


@every_game
def test_every_number_of_seats_in_the_range_can_be_played_and_no_other(kind: GameType) -> None:
    low, high = kind.seat_range
    for seats in range(low, high + 1):
        assert kind(seats).seats == seats
    wanted = f"{low}" if low == high else f"{low} to {high}"
    for seats in (low - 1, high + 1, 0, -1):
        with pytest.raises(SeatsError, match=f"^{kind.id} is for {wanted} seats, not {seats}$"):
            kind(seats)


@every_game
def test_the_starting_seat_is_one_of_the_seats(kind: GameType) -> None:
    low, _ = kind.seat_range
    for start in range(low):
        assert kind(low, start=start).start == start
    for start in (-1, low):
        with pytest.raises(SeatsError, match=rf"^the starting seat must be one of 0\.\.{low - 1}, not {start}$"):
            kind(low, start=start)
