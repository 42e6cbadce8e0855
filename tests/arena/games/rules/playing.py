"""Matches of every game of the registry, step by step. What holds for games in general is tested with these."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st

from bullring.arena.games.rules.draft import DraftGame, DraftState
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.games.rules.options import OptionSpec, OptionValue
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.rows import RowGame, RowState
from bullring.arena.games.rules.variants.double import DoubleState
from bullring.arena.games.rules.variants.hand import HandState
from bullring.arena.games.rules.variants.nifty import NiftyState

AnyGame = Game[Any]
GameType = type[AnyGame]
G = TypeVar("G", bound=AnyGame)

every_game = pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
"""Runs a test for each game of the registry, which it gets as `kind`."""

AnyRowGame = RowGame[Any]
RowGameType = type[AnyRowGame]

FOUR_ROWS: dict[str, RowGameType] = {name: kind for name, kind in GAMES.items() if issubclass(kind, RowGame)}
every_game_of_four_rows = pytest.mark.parametrize("kind", FOUR_ROWS.values(), ids=FOUR_ROWS)
"""The same for all but 11 nimmt!"""

DRAFTS = {name for name, kind in GAMES.items() if issubclass(kind, DraftGame)}
"""Games that begin with a draft: nothing is dealt, nothing in them is hidden, and the turn of the draft is number 0."""


def drafting(state: Any) -> bool:
    """Whether the cards are still being drafted, so that no row has begun."""
    return isinstance(state.pending, Batch) and state.pending.kind == "draft"


def places(state: RowState) -> list[Sequence[int]]:
    """All cards of a position of a game of four rows, wherever they are, but for those that were not dealt."""
    cards: list[Sequence[int]] = [*state.hands, *state.rows, *state.piles, [card for card, _ in state.queue]]
    if isinstance(state, DraftState):
        cards.append(state.pool)
    elif isinstance(state, NiftyState):
        cards.append([card for card, _ in state.waiting])
    elif isinstance(state, HandState):
        cards.append(state.taken)
    elif isinstance(state, DoubleState):
        cards += [shared for _, _, shared in state.shared]
    return cards


@dataclass(frozen=True)
class Step:
    """Cards dealt or a batch answered, with the states before and after it."""

    before: Any
    given: Sequence[Any]
    after: Any
    events: list[Event]

    @property
    def dealt(self) -> bool:
        return isinstance(self.before.pending, Shuffle)


Policy = Callable[[AnyGame, Any, int, Random], Option]
"""Answers request number i of the pending batch."""


def anything(game: AnyGame, state: Any, index: int, chance: Random) -> Option:
    options: Sequence[Option] = state.pending.options[index]
    return chance.choice(options)


def first(game: AnyGame, state: Any, index: int, chance: Random) -> Option:
    options: Sequence[Option] = state.pending.options[index]
    return options[0]


def last(game: AnyGame, state: Any, index: int, chance: Random) -> Option:
    options: Sequence[Option] = state.pending.options[index]
    return options[-1]


def fallback(game: AnyGame, state: Any, index: int, chance: Random) -> Option:
    return game.fallback(state, index)


Dealer = Callable[[Shuffle, Random], Sequence[int]]


def by_chance(shuffle: Shuffle, chance: Random) -> Sequence[int]:
    return chance.sample(shuffle.deck, shuffle.cards)


def step(game: AnyGame, state: Any, given: Sequence[Any]) -> Step:
    """`given` handed in, without changing `state`."""
    take = game.deal if isinstance(state.pending, Shuffle) else game.apply
    after, events = take(state, given)
    return Step(state, given, after, events)


def steps(game: AnyGame, seed: int, policy: Policy = anything, deal: Dealer = by_chance) -> Iterator[Step]:
    """A whole match."""
    chance = Random(seed)
    state = game.new()
    while (pending := state.pending) is not None:
        if isinstance(pending, Shuffle):
            given: list[Any] = list(deal(pending, chance))
        else:
            assert isinstance(pending, Batch)
            given = [policy(game, state, index, chance) for index in range(len(pending.seats))]
        done = step(game, state, given)
        yield done
        state = done.after


def values(spec: OptionSpec) -> st.SearchStrategy[OptionValue]:
    """Values of an option that make short matches."""
    if spec.type == "choice":
        return st.sampled_from(spec.choices)
    if spec.type == "bool":
        return st.booleans()
    if spec.name == "deals":
        return st.sampled_from([1, 1, 2])
    return st.integers(spec.minimum, spec.minimum + 2)


def games(kind: type[G]) -> st.SearchStrategy[G]:
    """The game with any number of seats, any start and any options.

    A number of deals is often left out where a target ends the match; the default of 11 nimmt! is a deal for each seat.
    """
    low, high = kind.seat_range

    @st.composite
    def build(draw: st.DrawFn) -> G:
        seats = draw(st.integers(low, high))
        start = draw(st.integers(0, seats - 1))
        options = {spec.name: draw(values(spec)) for spec in kind.option_specs}
        if "target" in options and draw(st.booleans()):
            del options["deals"]
        return kind(seats, options, start)

    return build()


seeds = st.integers(0, 2**32 - 1)
policies = st.sampled_from([anything, anything, first, last, fallback])


def full_tables(kind: type[G]) -> Iterator[G]:
    """The game with the fewest seats, some seats and the most, for tests that want no chance."""
    low, high = kind.seat_range
    for seats in sorted({low, (low + high) // 2, high}):
        yield kind(seats)
