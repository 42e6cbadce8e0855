"""Seed, nonce and commitment: the referee is bound, and nobody learns anything from it."""

import re
from hashlib import sha256

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bullring.arena.match.seeds import MAX_SEED, Seed
from bullring.errors import SeedError

good_seeds = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=MAX_SEED)


def test_a_drawn_seed_has_256_bits_and_its_nonce_128_and_both_are_new_each_time() -> None:
    drawn = [Seed.draw() for _ in range(50)]
    assert all(re.fullmatch("[0-9a-f]{64}", seed.seed) for seed in drawn)
    assert all(re.fullmatch("[0-9a-f]{32}", seed.nonce) for seed in drawn)
    assert len({seed.seed for seed in drawn} | {seed.nonce for seed in drawn}) == 100


@given(seed=good_seeds, nonce=good_seeds)
def test_the_commitment_is_the_hash_that_the_docstring_names(seed: str, nonce: str) -> None:
    text = f"bullring 1 commit {nonce} {seed}".encode("ascii")
    assert Seed(seed, nonce).commitment == sha256(text).hexdigest()


@given(one=good_seeds, other=good_seeds, nonce=good_seeds)
def test_another_seed_or_another_nonce_is_another_commitment(one: str, other: str, nonce: str) -> None:
    assume(one != other)
    assert Seed(one, nonce).commitment != Seed(other, nonce).commitment
    assert Seed(nonce, one).commitment != Seed(nonce, other).commitment


def test_two_matches_with_one_seed_cannot_be_told_to_share_their_deals() -> None:
    one, other = Seed("same", Seed.draw().nonce), Seed("same", Seed.draw().nonce)
    assert one.commitment != other.commitment
    assert [one.for_bot(seat) for seat in range(10)] != [other.for_bot(seat) for seat in range(10)]


@given(seed=good_seeds)
def test_a_given_seed_is_taken_as_it_is_and_its_nonce_is_new_each_time(seed: str) -> None:
    one, two = Seed.given(seed), Seed.given(seed)
    assert one.seed == two.seed == seed
    assert one.nonce != two.nonce
    assert re.fullmatch("[0-9a-f]{32}", one.nonce)


def test_a_bot_that_knows_how_people_choose_seeds_cannot_find_theirs() -> None:
    """All likely seeds can be tried, but not without the nonce."""
    seed = Seed.given("42")
    guesses = [Seed.given(str(number)) for number in range(100)] + [Seed("42", ""), Seed("42", "42")]
    assert seed.commitment not in [guess.commitment for guess in guesses]
    assert seed.for_bot(0) not in [guess.for_bot(0) for guess in guesses]


def test_given_seeds_and_nonces_make_the_same_numbers_for_ever() -> None:
    seed = Seed.given("bullring", "f285e3ca3e1988ac5413b5e3b13d69e3")
    assert seed.commitment == "03a9eecdb6ea62b4040f88ff7bb718eec82e08a46329cdc2578f7f3f19bc20fd"
    assert [seed.for_bot(0), seed.for_bot(9)] == [149261907135253, 217620102804509]


@pytest.mark.parametrize(
    "text", ["", " ", "a b", "a\n", "\x00", "\x7f", "é", "\ud800", "\u2028", "x" * 65, "x" * 10_000]
)
def test_a_text_that_cannot_be_a_seed_is_refused_in_a_short_line(text: str) -> None:
    with pytest.raises(
        SeedError, match=r"^a seed is 1 to 64 letters, digits or punctuation marks without spaces, not "
    ) as caught:
        Seed.given(text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@given(nonce=good_seeds, one=good_seeds, other=good_seeds, seat=st.integers(0, 9))
def test_the_seed_of_a_bot_tells_nothing_of_the_deals(nonce: str, one: str, other: str, seat: int) -> None:
    assert Seed(one, nonce).for_bot(seat) == Seed(other, nonce).for_bot(seat)


def test_the_seeds_of_bots_differ_and_any_language_can_hold_them() -> None:
    numbers = [Seed(f"{match}", f"{match}").for_bot(seat) for match in range(100) for seat in range(10)]
    assert len(set(numbers)) == 1000
    assert all(0 <= number < 2**48 for number in numbers)
    assert max(numbers) > 2**47
