"""Stages: the moves on the table between two questions, one after the other, as people see them at a real table.

Between two questions a turn is complete at once for the rules, and happens card by card for people. A game tells its stages in
`Game.stages`, made of the position before and of the events that followed. They are public.
Each comes with the board as it is then; where a game knows no better, the board is that after all of them.
"""

from dataclasses import dataclass

from bullring.arena.games.rules.board import Board

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Opened:
    """A deal, or the play after a draft, begins: its first cards lie on the table."""

    board: Board | None = None


@dataclass(frozen=True)
class Revealed:
    """Cards are turned up, each with its seat: all cards of a hidden play, or one card that is played openly."""

    cards: tuple[tuple[int, int], ...]
    """As (seat, card), in the order in which they are placed if nothing intervenes."""
    board: Board | None = None


@dataclass(frozen=True)
class Laid:
    """A card goes to a row or stack and takes nothing."""

    seat: int
    card: int
    place: int
    """The number of the row or stack, from 1."""
    left: bool = False
    """Whether it goes to the left end of a row."""
    board: Board | None = None


@dataclass(frozen=True)
class Falls:
    """A row or stack is about to be taken; nothing has moved yet."""

    seat: int
    """The seat that will have it."""
    card: int | None
    """The card that takes it; None if it is taken without one."""
    place: int
    board: Board | None = None


@dataclass(frozen=True)
class Took:
    """A seat has taken a row or stack."""

    seat: int
    card: int | None
    """The card that took it and that begins it anew; None if it was taken without one."""
    place: int
    cards: Cards
    """The cards that were taken. Empty if another seat has taken the row with an equal card at the same time."""
    heads: int
    """The heads that the seat gets for it."""
    counts: bool = True
    """Whether the heads count at once."""
    board: Board | None = None


@dataclass(frozen=True)
class Turned:
    """Cards are turned up from the deck."""

    cards: Cards
    board: Board | None = None


@dataclass(frozen=True)
class Drafted:
    """A seat takes a card from the open ones."""

    seat: int
    card: int
    board: Board | None = None


@dataclass(frozen=True)
class Kept:
    """A seat takes cards to its hand, and the heads of the others count."""

    seat: int
    cards: Cards
    heads: int
    board: Board | None = None


@dataclass(frozen=True)
class Changed:
    """Something else has happened, which only sentences tell."""

    said: str = ""
    """The key of the sentence among the texts of the game, below `told`; {0}, {1} are the names of `seats`."""
    seats: tuple[int, ...] = ()
    board: Board | None = None


@dataclass(frozen=True)
class DealOver:
    """A deal is over. All by seat."""

    deal: int
    heads: Cards
    scores: Cards
    hands: tuple[Cards, ...] | None = None
    """The cards left in the hands, where the game shows them."""
    board: Board | None = None


Stage = Opened | Revealed | Laid | Falls | Took | Turned | Drafted | Kept | Changed | DealOver
