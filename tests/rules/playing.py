"""Matches of every game of the registry, step by step. What holds for games in general is tested with these."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from arena.rules.game import Batch, Event, Game, Option, Shuffle
from arena.rules.options import OptionSpec, OptionValue
from arena.rules.registry import GAMES
from arena.rules.variants.standard import Standard

AnyGame = Game[Any]
GameType = type[AnyGame]

every_game = pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
"""Runs a test for each game of the registry, which it gets as `kind`."""

FOUR_ROWS: dict[str, type[Standard]] = {name: kind for name, kind in GAMES.items() if issubclass(kind, Standard)}
every_game_of_four_rows = pytest.mark.parametrize("kind", FOUR_ROWS.values(), ids=FOUR_ROWS)
"""The same for those that are the standard game with changes."""


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
    numbers = st.integers(spec.minimum, spec.minimum + 2)
    return st.none() | numbers if spec.default is None else numbers


def games(kind: GameType) -> st.SearchStrategy[AnyGame]:
    """The game with any number of seats, any start and any options."""
    low, high = kind.seat_range

    @st.composite
    def build(draw: st.DrawFn) -> AnyGame:
        seats = draw(st.integers(low, high))
        start = draw(st.integers(0, seats - 1))
        options = st.fixed_dictionaries({}, optional={spec.name: values(spec) for spec in kind.option_specs})
        return kind(seats, draw(options), start)

    return build()


seeds = st.integers(0, 2**32 - 1)
policies = st.sampled_from([anything, anything, first, last, fallback])


def full_tables(kind: GameType) -> Iterator[AnyGame]:
    """The game with the fewest seats, some seats and the most, for tests that want no chance."""
    low, high = kind.seat_range
    for seats in sorted({low, (low + high) // 2, high}):
        yield kind(seats)
