"""Positions: the knowledge of one seat about a deal, as arrays, read from the view that bots are sent."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .games import HIGHEST, TWINS, Spec, Uncovered, spec
from .table import key

KINDS = ("card", "row", "side")
"""The kinds of decisions that the kernels cover."""


@dataclass(frozen=True, eq=False)
class Position:
    """A decision of one seat, with everything it knows. Made by `position`."""

    spec: Spec
    kind: str
    """"card", "row" or "side"."""
    seat: int
    """The seat that decides."""
    turn: int
    """The number of the turn, from 1."""
    first: int
    """The seat that plays first in this turn (in open; elsewhere 0)."""
    rows: NDArray[np.int64]
    """(4, 4): first card, last card, places and heads of each row."""
    queue: NDArray[np.int64]
    """Keys of the open cards that are not placed yet: in the order of placement, or of play while they are still played."""
    hand: NDArray[np.int64]
    """The cards of the seat, ascending."""
    sizes: NDArray[np.int64]
    """By seat, the number of cards in its hand."""
    known: NDArray[np.int64]
    """(seats, cards): the known cards of the other hands, then zeros."""
    hidden: NDArray[np.int64]
    """The cards that the seat does not know, ascending: those of the other hands, and those that were not dealt."""
    unseen: NDArray[np.int64]
    """By card, how many of it lie neither open nor in a pile."""


def position(game: str, options: Mapping[str, object], seats: int, view: Mapping[str, Any], kind: str) -> Position:
    """The position of a seat that is sent this view (docs/games.md#the-view) with a question of this kind.

    Raises `Uncovered` for games, options and kinds that the kernels do not cover.
    """
    found = spec(game, seats, options)
    if kind not in KINDS:
        raise Uncovered(f"the simulator covers decisions of the kinds {', '.join(KINDS)}, not {str(kind)[:40]!r}")
    seat, hand, turn = view["seat"], sorted(view["hand"]), view["turn"]
    played = [(owner, card) for owner, card in view["played"]]
    equal = turn - 1 if found.rule == TWINS else None  # the seat whose card is placed first if two are equal
    queue = [key(card, 0 if equal is None else (owner - equal) % seats, owner) for owner, card in played]
    done = [owner for owner, _ in played] if kind == "card" else []
    sizes = [len(hand) - (other in done) for other in range(seats)]
    held = view["hands"] if found.open_hands else [()] * seats
    known = np.zeros((seats, max(found.hand, 1)), np.int64)
    for other, cards in enumerate(held):
        if other != seat:
            known[other, : len(cards)] = sorted(cards)
    shown = Counter(card for _, card in played)
    for cards in (*view["rows"], *view["piles"], *(cards for _, _, cards in view.get("shared", ()))):
        shown.update(cards)
    unseen = Counter(found.deck) - shown
    hidden = unseen - Counter(hand) - Counter(card for card in known.ravel().tolist() if card)
    return Position(
        found,
        kind,
        seat,
        turn,
        view.get("first", 0) if found.serial else 0,
        _rows(view["rows"], view["row_heads"]),
        np.array(queue, np.int64),
        np.array(hand, np.int64),
        np.array(sizes, np.int64),
        known,
        np.array(sorted(hidden.elements()), np.int64),
        np.array([unseen[card] for card in range(HIGHEST + 2)], np.int64),
    )


def _rows(rows: Sequence[Sequence[int]], heads: Sequence[int]) -> NDArray[np.int64]:
    return np.array([[row[0], row[-1], len(set(row)), worth] for row, worth in zip(rows, heads, strict=True)], np.int64)
