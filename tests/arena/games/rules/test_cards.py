"""The heads of the cards, against what the rulebook counts."""

from collections import Counter

import pytest

from bullring.arena.games.rules.cards import ELEVEN_HEADS, ELEVEN_HIGHEST, HEADS, HIGHEST
from tests.arena.games.rules import oracle


def test_every_card_has_the_heads_the_rulebook_prints_on_it_and_counts() -> None:
    assert HIGHEST == 104
    assert list(HEADS[1:]) == [oracle.heads(card) for card in range(1, 105)]
    assert Counter(HEADS[1:]) == {1: 76, 2: 9, 3: 10, 5: 8, 7: 1}


@pytest.mark.parametrize(
    ("seats", "total"), [(2, 38), (3, 55), (4, 72), (5, 85), (6, 103), (7, 120), (8, 137), (9, 154), (10, 171)]
)
def test_the_heads_of_the_tactical_decks(seats: int, total: int) -> None:
    assert sum(HEADS[card] for card in range(1, 10 * seats + 5)) == total


@pytest.mark.parametrize(("card", "heads"), [(55, 7), (99, 5), (100, 3), (101, 1), (104, 1), (51, 1), (50, 3), (5, 2)])
def test_cards_that_are_easily_got_wrong(card: int, heads: int) -> None:
    assert HEADS[card] == heads


def test_the_cards_of_eleven_have_the_heads_that_are_known_of_them() -> None:
    """A59."""
    assert ELEVEN_HIGHEST == 100
    assert list(ELEVEN_HEADS[1:]) == [oracle.eleven_heads(card) for card in range(1, 101)]
