"""Hands: keeping track of their publicly known cards, and redrawing the others."""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

Hand = list[int]


def pick_up(hand: Hand, known: Hand, cards: Iterable[int]) -> None:
    """Move cards from the table to a hand, where they are publicly known."""
    for card in cards:
        insort(hand, card)
        insort(known, card)


def lay_down(hand: Hand, known: Hand, card: int) -> None:
    """Move a card from a hand to the table."""
    hand.remove(card)
    if card in known:
        known.remove(card)


def unseen(deck: Sequence[int], seen: Iterable[int]) -> list[int]:
    """The cards of the deck not in `seen`, in the order of the deck."""
    return list((Counter(deck) - Counter(seen)).elements())


def redraw(
    hands: Sequence[Hand],
    known: Sequence[Sequence[int]],
    seat: int,
    hidden: list[int],
    shuffle: Callable[[list[int]], None],
) -> list[int]:
    """Replace, in place, the cards of other hands that `seat` does not know with `hidden` cards. Returns those left over."""
    shuffle(hidden)
    at = 0
    for other, hand in enumerate(hands):
        if other != seat:
            end = at + len(hand) - len(known[other])
            hand[:] = sorted([*known[other], *hidden[at:end]])
            at = end
    return hidden[at:]
