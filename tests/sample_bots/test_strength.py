"""The sample bots play every game by its rules and with sense."""

from statistics import mean
from typing import Any

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator.games import GAMES as SIMULATED
from tests.sample_bots.in_process import KNOWN, Chance, game_of_one_deal, heads, sample, takes_the_first_of_what_is_new

DEALS = 60
KITS = [("greedy", "Greedy"), ("montecarlo", "MonteCarlo")]
LEVELS = [
    ("beginner", "Beginner"),
    ("casual", "Casual"),
    ("careful", "Careful"),
    ("quick", "Quick"),
    ("prior", "Prior"),
    ("bayes", "Bayes"),
]
A_LITTLE = 11_000
"""Microseconds for a decision, nearly all of which is the margin that bots with a clock keep."""
every_game = pytest.mark.parametrize("name", GAMES)


def known_to(bot: Any) -> list[str]:
    """The games in which the bot does not begin its moves with the first option."""
    return [
        name
        for name in KNOWN
        if all(hasattr(bot, f"on_{decision.kind}") for decision in GAMES[name].decisions if decision.begins_move)
    ]


@pytest.mark.parametrize("name", known_to(sample("greedy", "Greedy")))
def test_greedy_takes_fewer_heads_than_chance(name: str) -> None:
    game, greedy = game_of_one_deal(name, 4), sample("greedy", "Greedy")
    tables = [heads(game, [greedy, Chance(), greedy, Chance()], f"strength {deal}") for deal in range(DEALS)]
    own, of_chance = (mean(sum(taken[seat::2]) for taken in tables) for seat in (0, 1))
    assert own < of_chance
    assert own < 0.7 * of_chance or name not in SIMULATED  # by far, if the game is one of simple turns


@every_game
def test_montecarlo_plays_at_the_largest_table_without_any_time(name: str) -> None:
    seats = GAMES[name].seat_range[1]
    heads(
        game_of_one_deal(name, seats),
        [sample("montecarlo", "MonteCarlo"), *(Chance() for _ in range(seats - 1))],
        "large",
    )


@every_game
def test_all_levels_play_every_game(name: str) -> None:
    seats = min(len(LEVELS), GAMES[name].seat_range[1])
    for bots in (LEVELS[:seats], LEVELS[-seats:])[: 1 + (seats < len(LEVELS))]:
        heads(game_of_one_deal(name, seats), [sample(*kit) for kit in bots], "levels", A_LITTLE)


@pytest.mark.parametrize("kit", LEVELS[:4], ids=lambda kit: str(kit[0]))
def test_bots_that_do_not_look_at_the_clock_always_play_alike(kit: tuple[str, str]) -> None:
    game = game_of_one_deal("standard", 3)
    once, again = ([sample(*kit), Chance(), sample(*kit)] for _ in range(2))
    assert heads(game, once, "alike", A_LITTLE) == heads(game, again, "alike", 10**6)


def test_quick_takes_far_fewer_heads_than_greedy() -> None:
    for seats, share in ((2, 0.5), (4, 0.8), (6, 0.9)):
        game, quick, greedy = game_of_one_deal("standard", seats), sample("quick", "Quick"), sample("greedy", "Greedy")
        tables = [heads(game, [quick, greedy] * (seats // 2), f"quick {deal}") for deal in range(DEALS // 2)]
        assert sum(sum(taken[::2]) for taken in tables) < share * sum(sum(taken[1::2]) for taken in tables)


@pytest.mark.parametrize("kit", [*KITS, *LEVELS], ids=lambda kit: str(kit[0]))
def test_games_and_kinds_to_come_are_answered_with_the_first_option(kit: tuple[str, str]) -> None:
    takes_the_first_of_what_is_new(sample(*kit))
