"""Games whose moves are chains of choices: hand, nifty, eleven, and drafts. Their positions, and playouts to the end of a deal.

A state is one array of numbers, so it is copied as a whole. Each game has a module with the places in it, and three helpers that
are its rules: the number of options that the mover has, the option that the referee plays for a bot without an answer, and what an
option does. An option is known by its number among those that the rules offer, in their order: what a kernel played can be played
again by the rules, choice by choice, which proves both equal (`tests/arena/games/simulator/test_chains.py`).

The policies are those of playouts by the rules engine (`arena.games.playouts.policies`): `random` chooses any option, `cheapest`
what the referee plays, and `noisy`, `trained` and `sharp` do the same but with a chance of `NOISE` any option. After a draft the
turns follow the policies of rows (`policies`). One more, `skilled`, plays hand, nifty and eleven as a better player might: the
helper `_skilled` of each says how.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import of_draft, of_eleven, of_hand, of_nifty
from .chain import CHEAPEST, NOISY, RANDOM, SKILLED, Luck
from .chance import streams
from .games import Uncovered, policy_numbers

_OF: dict[str, Any] = {
    "hand": of_hand,
    "nifty": of_nifty,
    "eleven": of_eleven,
    "logic": of_draft,
    "tournament": of_draft,
}
"""By game, the module with its rules."""

CHAINS = frozenset(_OF)
"""The covered games by their ids; logic and tournament as long as their drafts last."""

CHUNK = 256
"""Samples that a kernel plays in one call."""

MOST_CHOICES = 8192
"""Most choices of a deal that `Course` tells."""


_HOW = {"random": RANDOM, "cheapest": CHEAPEST, "greedy": CHEAPEST, "skilled": SKILLED}


def follows(game: str, policy: str) -> bool:
    """Whether the game is covered with this policy. Greedy drafts as cheapest; elsewhere only the rules engine plays it."""
    return game in _OF and policy != ("skilled" if _OF[game] is of_draft else "greedy")


def kinds(game: str) -> Sequence[str]:
    """The kinds of decisions of a covered game, that of its first one first."""
    return tuple(_OF[game].KINDS)


@dataclass(frozen=True, eq=False)
class Chain:
    """A position of such a game, with everything that a seat knows. Made by `chain` and `opening`."""

    game: str
    seats: int
    seat: int
    """The seat whose options are played out."""
    kind: str
    """The kind of decision that is pending."""
    state: NDArray[np.int64]
    hidden: NDArray[np.int64]
    """The cards that the seat does not know, ascending; or, if nothing is to be drawn, in the order in which they fill the gaps."""
    gaps: NDArray[np.int64]
    """What the hidden cards fill in one after the other, as the module of the game tells."""
    drawn: int
    """The number of hidden cards to draw; 0 if they are known."""


class Course(NamedTuple):
    """The course of playouts of one option each."""

    heads: NDArray[np.int16]
    """(samples, seats)."""
    cards: NDArray[np.int16]
    """(samples, hidden cards): the hidden cards, in the order in which they filled the gaps, then those that were not drawn."""
    choices: NDArray[np.int16]
    """(samples, `MOST_CHOICES`, 2): for each choice the number of options, and that of the one that was chosen; then zeros."""


def chain(
    game: str,
    options: Mapping[str, object],
    seats: int,
    view: Mapping[str, Any],
    kind: str,
    mover: int,
    *,
    deals: int = 1,
    cards: Sequence[Sequence[int]] | None = None,
    draw: Sequence[int] = (),
) -> Chain:
    """The position of the seat with this view (docs/games.md#the-view), while `mover` is asked for a decision of this kind.

    With `cards`, those of all hands, nothing is hidden; then `draw` are those to be turned up in eleven, the next one first.
    A tournament is played for so many `deals`, from a draft on.

    Raises `Uncovered` for other games and kinds.
    """
    of = _OF.get(game)
    if of is None or kind not in of.KINDS:
        raise Uncovered(f"chains are covered of {', '.join(sorted(CHAINS))}, not {kind[:40]!r} in {game[:40]!r}")
    seat = int(view["seat"])
    if cards is None:
        known = [view["hand"] if other == seat else held for other, held in enumerate(_known(view, seats))]
    else:
        known = [list(held) for held in cards]
    state, gaps = of.read(seats, options, view, kind, mover, known, deals)
    hidden = [*draw] if cards is not None else sorted((Counter(of.DECK) - Counter(of.seen(view, known))).elements())
    drawn = 0 if cards is not None else len(hidden) if of.DRAWS else len(gaps)
    return Chain(game, seats, seat, kind, state, np.array(hidden, np.int64), gaps, drawn)


def opening(game: str, options: Mapping[str, object], seats: int, *, start: int, deals: int = 1) -> Chain:
    """The position before the cards of a deal are dealt, in which all of them are drawn. Raises `Uncovered`."""
    of = _OF.get(game)
    if of is None:
        raise Uncovered(f"chains are covered of {', '.join(sorted(CHAINS))}, not of {game[:40]!r}")
    state, gaps = of.opening(seats, options, start, deals)
    return Chain(game, seats, start, of.KINDS[0], state, np.array(of.DECK, np.int64), gaps, of.dealt(seats))


def follow(
    position: Chain, picks: Sequence[int], policy: str, numbers: ArrayLike, seed: int, *, turn_only: bool = False
) -> NDArray[np.int16]:
    """The heads that each seat takes from here to the end of the deal, as (len(numbers), picks, seats).

    A playout of each of `numbers` draws the hidden cards, and plays each of `picks`: the number of the option that the seat of the
    position takes, or -1 if it follows the policy, too. Cards and random numbers are the same for all of them.
    With `turn_only`, of nifty, no turn after this one is played.

    Raises `Uncovered` for a policy that is not covered (`follows`).
    """
    if turn_only:
        state = position.state.copy()
        state[_OF[position.game].ONE_TURN] = 1
        position = replace(position, state=state)
    return _follow(position, picks, policy, numbers, seed, told=False).heads


def course(position: Chain, pick: int, policy: str, numbers: ArrayLike, seed: int) -> Course:
    """The same of one option, with everything that happened. Of a draft, its choices only."""
    found = _follow(position, [pick], policy, numbers, seed, told=True)
    return found._replace(heads=found.heads[:, 0])


def _follow(position: Chain, picks: Sequence[int], policy: str, numbers: ArrayLike, seed: int, *, told: bool) -> Course:
    of, wanted = _OF[position.game], np.asarray(numbers, np.int64)
    if not follows(position.game, policy):
        raise Uncovered(f"playouts of {position.game} by the policy {policy} are those of the rules engine")
    how = _HOW.get(policy, NOISY)
    number = 0 if how == SKILLED else int(policy_numbers(policy, 1)[0])
    first = int(wanted.min(initial=0))
    starts = streams(seed, first, int(wanted.max(initial=0)) - first + 1)[wanted - first]
    logged = len(wanted) if told else 0
    found = Course(
        np.zeros((len(wanted), len(picks), position.seats), np.int16),
        np.zeros((logged, len(position.hidden)), np.int16),
        np.zeros((logged, MOST_CHOICES, 2), np.int16),
    )
    luck = Luck(position.hidden.copy(), np.zeros(1, np.int64))
    for begin in range(0, len(wanted), CHUNK):
        own = slice(begin, begin + CHUNK)
        of.play(position, how, number, np.array(picks, np.int64), starts[own], luck, *(each[own] for each in found))
    return found


def _known(view: Mapping[str, Any], seats: int) -> Iterable[Sequence[int]]:
    return view.get("known") or view.get("hands") or [()] * seats
