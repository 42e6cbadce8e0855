"""PettingZoo's own tests, for every game."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import GAMES
from bullring.train.aec import aec_env
from bullring.train.parallel import parallel_env
from tests.arena.games.rules.toy import Toy

EXPECTED = (
    "Observation is not a NumPy array",  # but a dict of two, as in PettingZoo's own card games
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # when the match is over
)

SOME = {"standard": 4, "open": 3, "nifty": 2, "eleven": 3}


@contextmanager
def expected_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        for text in EXPECTED:
            warnings.filterwarnings("ignore", message=text)
        yield


def pass_all(game: str | Game, seats: int, cycles: int) -> None:  # type: ignore[type-arg]
    with expected_warnings():
        api_test(aec_env(game, seats), num_cycles=cycles)
        parallel_api_test(parallel_env(game, seats), num_cycles=cycles)
        seed_test(lambda: aec_env(game, seats), num_cycles=cycles)
        parallel_seed_test(lambda: parallel_env(game, seats), num_cycles=cycles)


@pytest.mark.parametrize(("game", "seats"), SOME.items())
def test_games_of_each_sort_pass_its_tests(game: str, seats: int) -> None:
    pass_all(game, seats, cycles=30)


def test_a_game_that_is_registered_later_passes_its_tests() -> None:
    pass_all(Toy(3), 3, cycles=30)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_passes_its_tests_with_all_seats_and_options(game: str) -> None:
    low, high = GAMES[game].seat_range
    for seats in {low, high, min(4, high)}:
        pass_all(game, seats, cycles=200)
    for spec in GAMES[game].option_specs:
        if spec.type != "int":
            for value in spec.choices or (True, False):
                pass_all(GAMES[game](high, {spec.name: value}), high, cycles=100)
