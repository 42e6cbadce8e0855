"""Opponents: functions, and real programs in cells."""

import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import bullring
from bullring.errors import StartFailure
from bullring.train.solo import OneSeat, seat_env
from tests.train.playing import first, highest, lowest, play_first

TRUSTED: Any = {
    "sandbox": "none",
    "allow_unsandboxed": True,
    "limits": bullring.Limits.seconds(start=60, card=60, row=60),
}

HIGHEST = """
import json, sys
print(json.dumps({"type": "hello", "protocol": 1, "name": "highest"}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print(json.dumps({"type": "choice", "id": message["id"], "option": message["options"][-1]}), flush=True)
    elif message["type"] == "bye":
        break
"""
LEAVES = HIGHEST.replace('message["options"][-1]', "[].pop()")


def program(folder: Path, source: str) -> str:
    (folder / "bot.py").write_text(source, "utf-8")
    (folder / "bot.toml").write_text('name = "bot"\nrun = ["{python}", "bot.py"]\n', "utf-8")
    return str(folder)


def scores_of(env: OneSeat, seed: int) -> list[int]:
    play_first(env, seed)
    return list(env.table.state.scores)


def test_functions_and_programs_play_as_they_do_in_matches(tmp_path: Path) -> None:
    path = program(tmp_path, HIGHEST)
    with closing(seat_env("open", 3, options={"deals": 2}, opponents=[path, lowest], **TRUSTED)) as env:
        scores = [scores_of(env, seed) for seed in (1, 2)]
    for seed, found in zip((1, 2), scores, strict=True):
        report = bullring.play(lowest, highest, lowest, game="open", options={"deals": 2}, seed=str(seed))
        assert found == report.scores


def test_a_match_that_is_broken_off_is_void_for_opponents() -> None:
    class Hears:
        def __init__(self) -> None:
            self.told: list[dict[str, Any]] = []

        def decide(self, message: dict[str, Any]) -> Any:
            return message["options"][0]

        def match_over(self, message: dict[str, Any]) -> None:
            self.told.append(message)

    hears = Hears()
    with closing(seat_env("standard", 2, options={"deals": 1}, opponents=[hears])) as env:
        env.reset(seed=1)
        scores_of(env, 1)
    assert [message["void"] for message in hears.told] == [True, False]


def test_an_opponent_that_leaves_is_replaced_by_the_fallback_until_the_next_match(tmp_path: Path) -> None:
    with closing(
        seat_env("standard", 2, options={"deals": 1}, opponents=[program(tmp_path, LEAVES)], **TRUSTED)
    ) as env:
        once = scores_of(env, 1)
        assert env.table.faults[1].startswith("crash")
        assert scores_of(env, 1) == once


def test_an_opponent_that_does_not_start_is_told() -> None:
    env = seat_env("standard", 2, opponents=[f"{sys.executable} -c pass"], **TRUSTED)
    with pytest.raises(StartFailure, match="hello"):
        env.reset()
    env.close()


def test_an_error_in_a_function_is_raised() -> None:
    def fails(message: dict[str, Any]) -> Any:
        raise ZeroDivisionError

    env = seat_env("standard", 2, opponents=[fails])
    observation, _ = env.reset(seed=1)
    with pytest.raises(ZeroDivisionError):
        env.step(first(observation["action_mask"]))
    env.close()
