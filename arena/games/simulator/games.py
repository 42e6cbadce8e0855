"""The games that the kernels cover, as numbers: cards, seats, and what is different about a turn.

They are declared here again, because a bot carries a copy of this folder without the rules. Tests hold them equal: every deck, for
every number of seats and every option that the rules allow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HIGHEST = 104
"""The highest card."""

HEADS: NDArray[np.int64] = np.array(
    [0] + [7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(1, 105)]
)
"""Heads by card."""

MOST_SEATS = 10

ONE_END, BOTH_ENDS, TWINS = range(3)
"""Growth of rows: at their right end; at both ends (professional); at the right, with equal cards on one place (double)."""

POLICIES = ("random", "cheapest", "greedy", "noisy", "trained", "sharp")
"""The policies by their numbers in kernels; `policies` says what they do."""


FITTED = "fitted"
"""One more policy, where weights are given for it: that of a player who was watched. `fitted` makes them."""


class Uncovered(ValueError):
    """The kernels do not cover this game, these options, or this kind of decision: use the rules engine."""


@dataclass(frozen=True)
class Spec:
    """A game for a number of seats."""

    game: str
    seats: int
    deck: tuple[int, ...]
    hand: int = 10
    """Cards in a hand when a deal begins."""
    turned: int = 4
    """Cards turned up to begin the rows; in double more than needed, as equal ones share a row."""
    rule: int = ONE_END
    serial: bool = False
    """Whether the seats play one after the other, each seeing the cards before (open)."""
    open_hands: bool = False
    """Whether all hands lie open (logic, tournament). A deal begins after the draft, with rows ascending."""
    asks_rows: bool = True
    """Whether the owner of a card that fits nowhere chooses a row; if not, it takes the cheapest (online)."""

    def __post_init__(self) -> None:
        most = min(MOST_SEATS, (len(self.deck) - 4) // self.hand)
        if not 2 <= self.seats <= most:
            raise ValueError(f"{self.game} is for 2 to {most} seats, not {self.seats}")


GAMES = frozenset({"standard", "tactics", "logic", "tournament", "professional", "online", "open", "double"})
"""The covered games by their ids. logic and tournament are covered after the draft."""


def spec(game: str, seats: int, options: Mapping[str, object]) -> Spec:
    """The game as numbers. Options that say when a match ends play no part in a deal.

    Raises `Uncovered` if the kernels do not cover the game, `ValueError` for more seats than its deck is enough for.
    """
    if game not in GAMES:
        raise Uncovered(f"the simulator covers {', '.join(sorted(GAMES))}, not {str(game)[:40]!r}")
    full, short = tuple(range(1, HIGHEST + 1)), tuple(range(1, 10 * seats + 5))
    if game == "online":
        return Spec(game, seats, short if options.get("tactics") else full, asks_rows=False)
    if game == "open":
        return Spec(game, seats, full[1:], serial=True)
    if game == "double":
        twins = tuple(range(11, 100, 11)) if options.get("doublets") else full
        return Spec(game, seats, full + twins, turned=7, rule=TWINS)
    if game in ("logic", "tournament"):
        return Spec(game, seats, short, open_hands=True)
    rule = BOTH_ENDS if game == "professional" else ONE_END
    return Spec(game, seats, short if game == "tactics" else full, rule=rule)


def policy_numbers(policies: str | Sequence[str], seats: int, *, fitted: bool = False) -> NDArray[np.int64]:
    """One policy for each seat, one of which may be `FITTED`. Raises `ValueError` for unknown names or a wrong number of them."""
    names = [policies] * seats if isinstance(policies, str) else list(policies)
    if len(names) != seats:
        raise ValueError(f"expected one policy, or one for each of {seats} seats, not {len(names)}")
    known = (*POLICIES, FITTED) if fitted else POLICIES
    for name in names:
        if name not in known:
            raise ValueError(f"a policy is one of {', '.join(known)}, not {str(name)[:40]!r}")
    return np.array([known.index(name) for name in names], np.int64)
