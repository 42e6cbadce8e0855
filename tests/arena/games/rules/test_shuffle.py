"""The shuffle does what its docstring says, evenly, and stops where it is told."""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.shuffle import shuffled

texts = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64)


class ByTheDocstring:
    """A second implementation, made from the docstring of `arena.games.rules.shuffle` alone."""

    def __init__(self) -> None:
        self.thrown_away = 0

    def deal(self, deck: Sequence[int], number: int, seed: str) -> list[int]:
        stream = self._bytes(number, seed)
        cards = list(deck)
        for i in range(len(cards)):
            j = i + self._draw(stream, len(cards) - i)
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    def _bytes(self, number: int, seed: str) -> Iterator[int]:
        for block in count():
            yield from sha256(f"bullring 1 deal {number} {block} {seed}".encode("ascii")).digest()

    def _draw(self, stream: Iterator[int], m: int) -> int:
        x = next(stream) * 256 + next(stream)
        while x >= 65536 - 65536 % m:
            self.thrown_away += 1
            x = next(stream) * 256 + next(stream)
        return x % m


@given(
    deck=st.lists(st.integers(1, 104), min_size=1, max_size=208),
    number=st.integers(1, 2000),
    seed=texts,
    data=st.data(),
)
def test_any_part_of_a_deal_is_the_beginning_of_the_shuffle_of_the_docstring(
    deck: list[int], number: int, seed: str, data: st.DataObject
) -> None:
    whole = ByTheDocstring().deal(deck, number, seed)
    size = data.draw(st.integers(0, len(deck)))
    assert shuffled(deck, size, seed, number) == whole[:size]


def test_numbers_that_would_favour_a_card_are_thrown_away() -> None:
    """With 1000 cards often enough to be seen in a few deals."""
    own = ByTheDocstring()
    deck = range(1000)
    for number in range(1, 21):
        assert shuffled(deck, 1000, "seed", number) == own.deal(deck, number, "seed")
    assert own.thrown_away > 20


@pytest.mark.parametrize("size", [0, 1, 2, 104, 1024])
def test_a_shuffle_keeps_every_card_once_and_its_deck_as_it_was(size: int) -> None:
    deck = list(range(size))
    assert sorted(shuffled(deck, size, "x", 1)) == deck == list(range(size))


@pytest.mark.parametrize(("count", "size"), [(3, 2), (-1, 2), (1, 0), (0, 1025)])
def test_a_deal_that_the_deck_does_not_have_is_refused(count: int, size: int) -> None:
    with pytest.raises(ValueError, match=f"^cannot deal {count} cards from a deck of {size}$"):
        shuffled(range(size), count, "x", 1)


def test_deals_and_seeds_have_nothing_to_do_with_each_other() -> None:
    deck = range(1, 105)
    deals = {tuple(shuffled(deck, 104, seed, number)) for seed in ("a", "b", "A", "1", "11") for number in (1, 2, 11)}
    assert len(deals) == 15


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_every_card_comes_to_every_place_equally_often() -> None:
    deck = range(8)
    seen = Counter((place, card) for n in range(4000) for place, card in enumerate(shuffled(deck, 8, "fair", n)))
    assert chi_square([seen[place, card] for place in deck for card in deck]) < 49 + 5 * 98**0.5


def test_every_order_of_four_cards_comes_equally_often() -> None:
    seen = Counter(tuple(shuffled(range(4), 4, "fair", n)) for n in range(6000))
    assert len(seen) == 24
    assert chi_square(list(seen.values())) < 23 + 5 * 46**0.5


def test_neighbours_in_the_deck_are_neighbours_in_the_deal_as_often_as_chance_has_it() -> None:
    deals = [shuffled(range(104), 104, "fair", n) for n in range(300)]
    together = sum(abs(a - b) == 1 for deal in deals for a, b in pairwise(deal))
    expected = 300 * 2 * 103 / 104
    assert abs(together - expected) < 5 * expected**0.5
