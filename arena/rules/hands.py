"""Hands: which cards of them everybody knows, and how the others are drawn anew."""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

Hand = list[int]


def pick_up(hand: Hand, known: Hand, cards: Iterable[int]) -> None:
    """Cards go from the table to a hand, and everybody knows them there."""
    for card in cards:
        insort(hand, card)
        insort(known, card)


def lay_down(hand: Hand, known: Hand, card: int) -> None:
    """A card goes from a hand to the table."""
    hand.remove(card)
    if card in known:
        known.remove(card)


def unseen(deck: Sequence[int], seen: Iterable[int]) -> list[int]:
    """The cards of the deck that are not among those `seen`, in the order of the deck."""
    return list((Counter(deck) - Counter(seen)).elements())


def redraw(
    hands: Sequence[Hand],
    known: Sequence[Sequence[int]],
    seat: int,
    hidden: list[int],
    shuffle: Callable[[list[int]], None],
) -> list[int]:
    """Replace, in place, what `seat` does not know of the other hands by cards of `hidden`; returns those left over."""
    shuffle(hidden)
    at = 0
    for other, hand in enumerate(hands):
        if other != seat:
            end = at + len(hand) - len(known[other])
            hand[:] = sorted([*known[other], *hidden[at:end]])
            at = end
    return hidden[at:]
