"""Matches that are played from Python: between functions, objects and programs."""

from pathlib import Path
from typing import Any

import pytest

import bullring
from bullring.arena.referee.faults import FaultKind
from bullring.errors import BotError, SeatsError, SeedError, UnknownGame
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
