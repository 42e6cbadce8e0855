"""Matches that are played from Python: between functions, objects and programs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bullring
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.match.faults import FaultKind
from bullring.errors import BotError, RulesError, SandboxError, SeatsError, SeedError, SettingsError, UnknownGame
from tests.ladder.homes import tiny

Message = dict[str, Any]


def lowest(message: Message) -> Any:
    return message["options"][0]


class Remembers:
    """An object that hears everything."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def welcome(self, message: Message) -> None:
        self.heard.append(f"welcome to seat {message['seat']}")

    def decide(self, message: Message) -> Any:
        self.heard.append(message["kind"])
        return message["options"][-1]

    def match_over(self, message: Message) -> None:
        self.heard.append(f"over: {message['scores']}")


def test_the_same_seed_is_the_same_match() -> None:
    one, other = (bullring.play(lowest, lowest, lowest, options={"deals": 2}, seed="x") for _ in range(2))
    assert one.scores == other.scores
    assert one.ranks == other.ranks
    assert sum(one.scores) > 0


def test_an_object_hears_what_it_has_methods_for() -> None:
    one = Remembers()
    report = bullring.play(lowest, one, options={"deals": 1}, seed="x", names=["a", "b"])
    assert one.heard[0] == "welcome to seat 1"
    assert one.heard.count("card") == 10
    assert one.heard[-1] == f"over: {report.scores}"
    assert report.names == ["a", "b"]


def test_an_object_stays_from_match_to_match() -> None:
    one = Remembers()
    reports = bullring.play_matches(lowest, one, count=3, options={"deals": 1}, seeds=["a", "b", "c"])
    assert sum(heard.startswith("over") for heard in one.heard) == 3
    assert [report.spec.seed.seed for report in reports] == ["a", "b", "c"]


@pytest.mark.parametrize("game", bullring.GAMES)
def test_every_game_is_played_by_functions(game: str) -> None:
    seats = max(3, bullring.GAMES[game].seat_range[0])
    report = bullring.play(*[lowest] * seats, game=game, seed="x")
    assert report.void is None
    assert not report.faults


def test_functions_and_programs_sit_at_one_table(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    report = bullring.play(
        lowest,
        tiny("last"),
        Remembers(),
        options={"deals": 1},
        limits=bullring.Limits.seconds(start=30, card=30, row=30),
        record=record,
        sandbox="none",
        allow_unsandboxed=True,
    )
    assert not report.faults
    answers = list(bullring.read(record).answers())
    of_the_program = [answer for answer in answers if answer.seat == 1 and answer.kind == "card"]
    assert [answer.option for answer in of_the_program] == [answer.options[-1] for answer in of_the_program]
    assert len(of_the_program) == 10


def test_an_exception_of_a_function_comes_out() -> None:
    def broken(message: Message) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        bullring.play(lowest, broken, options={"deals": 1})


def test_a_function_that_does_not_keep_the_rules_is_at_fault() -> None:
    report = bullring.play(lowest, lambda message: "ace", options={"deals": 1}, names=["good", "bad"])
    assert [fault.kind for fault in report.faults] == [FaultKind.ILLEGAL] * 3
    assert report.ranks == [1, 2]


def test_mistakes_are_named() -> None:
    with pytest.raises(BotError, match="a player must be a path"):
        bullring.play(lowest, 7)  # type: ignore[arg-type]
    with pytest.raises(UnknownGame):
        bullring.play(lowest, lowest, game="chess")
    with pytest.raises(SeatsError):
        bullring.play(lowest)
    with pytest.raises(SeedError):
        bullring.play(lowest, lowest, seed="two words")
    with pytest.raises(BotError, match="must have one entry per match, 3 in all, not"):
        bullring.play_matches(lowest, lowest, count=3, seeds=["a"])
    with pytest.raises(BotError, match="names must have one entry per player, 2 in all, not"):
        bullring.play(lowest, lowest, names=["one"])
    with pytest.raises(BotError, match="no built-in bot @nobody"):
        bullring.play("@nobody", lowest)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = bullring.nothing


def test_a_game_that_is_given_whole_is_played() -> None:
    game = bullring.new_game("standard", seats=2, deals=3)
    report = bullring.play(lowest, lowest, game=game)
    assert report.result.deals == 3
    with pytest.raises(BotError, match="2 seats; give as many players, not 3"):
        bullring.play(lowest, lowest, lowest, game=game)


def test_numbers_of_numpy_are_answers() -> None:
    def random(message: Message) -> Any:
        return np.random.default_rng(1).choice(message["options"])

    report = bullring.play(random, random, options={"deals": 1})
    assert not report.faults


@pytest.mark.parametrize("as_answer", [tuple, np.array, lambda option: [np.int8(number) for number in option]])
def test_tuples_and_arrays_are_answers(as_answer: Callable[[Any], Any]) -> None:
    def decide(message: Message) -> Any:
        option = message["options"][0]
        return as_answer(option) if isinstance(option, list) else option

    for game in bullring.GAMES.values():
        assert not bullring.play(*[decide] * max(3, game.seat_range[0]), game=game.id, seed="x").faults


async def later(message: Message) -> Any:
    return message["options"][0]


@pytest.mark.parametrize("answer", [2.0, object(), {1}, 1 << 70, [np.float64(1)], "\ud800", later])
def test_what_cannot_be_an_answer_is_named(answer: Any) -> None:
    def odd(message: Message) -> Any:
        return answer(message) if answer is later else answer

    with pytest.raises(BotError, match=r"^odd returned .+; return one of message\['options'\]$"):
        bullring.play(lowest, odd, options={"deals": 1})


def test_a_class_is_no_player() -> None:
    with pytest.raises(BotError, match=r"Remembers is a class; pass an object: Remembers\(\)"):
        bullring.play(lowest, Remembers)  # type: ignore[arg-type]


def test_an_object_whose_decide_is_no_method_is_no_player() -> None:
    class Odd:
        decide = 5

    with pytest.raises(BotError, match="a function or an object with a method decide, but decide is 5"):
        bullring.play(lowest, Odd())  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"options": {"deals": 1}}, {"start": 1}])
def test_a_game_that_is_given_whole_takes_no_options(given: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match="give them to new_game"):
        bullring.play(lowest, lowest, game=bullring.new_game(seats=2), **given)


@pytest.mark.parametrize("count", [0, -1, 1.5, "2"])
def test_a_count_is_a_number_from_1(count: Any) -> None:
    with pytest.raises(SettingsError, match=f"count must be a whole number from 1, not {count!r}"):
        bullring.play_matches(lowest, lowest, count=count)


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"sandbox": "dockr"}, SandboxError, f"no sandbox 'dockr'; the tiers are: auto, {', '.join(TIERS)}"),
        ({"seed": 5}, SeedError, "a seed is a text, not 5"),
        ({"limits": "1s"}, SettingsError, "limits must be Limits, such as .*, not '1s'"),
        ({"game": 5}, UnknownGame, "not 5; the games are: standard"),
        ({"game": bullring.GAMES["standard"]}, UnknownGame, "made by new_game, not <class"),
        ({"names": "ab"}, BotError, "one entry per player, 2 in all, not 'ab'"),
        ({"names": ["a", 5]}, BotError, "a name is a text of 1 to 64 characters, not 5"),
        ({"names": ["a", ""]}, BotError, "a name is a text of 1 to 64 characters, not ''"),
        ({"names": ["a", 65 * "b"]}, BotError, "a name is a text of 1 to 64 characters, not 'bbb"),
        ({"names": ["a", "a"]}, BotError, "names must differ, and 'a' is there twice"),
    ],
)
def test_wrong_arguments_are_in_the_tree_of_errors(
    given: dict[str, Any], error: type[bullring.BullringError], says: str
) -> None:
    with pytest.raises(error, match=says):
        bullring.play(lowest, lowest, **given)


def test_a_report_is_shown_in_short() -> None:
    report = bullring.play(lowest, lowest, options={"deals": 1}, seed="x", names=["a", "b"])
    assert repr(report) == f"<Report names=['a', 'b'] scores={report.scores} ranks={report.ranks} void=None>"
