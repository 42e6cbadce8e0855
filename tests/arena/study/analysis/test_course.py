"""Chances to win, turn by turn."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bullring.arena.games.playouts import simulated
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.replay import Replay
from bullring.arena.study.analysis import analyser, estimate
from bullring.arena.study.analysis.analyser import analyse
from bullring.arena.study.analysis.course import chance, foreseen, shares
from bullring.arena.study.analysis.questions import deals
from bullring.arena.study.analysis.result import Analysis, Method
from tests.arena.games.rules.playing import GameType, every_game
from tests.arena.study.analysis.test_analyser import recorded


@pytest.fixture(autouse=True)
def by_the_rules_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few playouts by the rules engine take less time than compiling."""
    monkeypatch.setattr(simulated, "COMPILED", False)
    monkeypatch.setattr(estimate, "FIRST_ROUND", 2)
    monkeypatch.setattr(analyser, "DEALS", 8)


METHOD = Method(policy="cheapest", error=100.0, playouts=2)


def test_a_win_is_shared_by_all_seats_with_the_fewest_heads() -> None:
    found = shares(np.array([[3, 4, 5], [3, 3, 9], [2, 2, 2]]))
    assert found.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3]


def test_chances_are_told_before_each_turn_and_add_up(tmp_path: Path) -> None:
    analysis = analyse(recorded(tmp_path, deals=2, seats=3), METHOD)
    assert [(one.deal, one.turn) for one in analysis.chances] == [
        (deal, turn) for deal in (1, 2) for turn in range(1, 11)
    ]
    for one in analysis.chances:
        assert sum(one.win) == pytest.approx(1, abs=0.001)
        assert all(0 <= error <= 0.5 for error in one.errors)
    heads = [account.parts.heads for account in analysis.accounts]
    assert analysis.outcome[heads.index(min(heads))] > 0
    assert sum(analysis.outcome) == pytest.approx(1)


def test_the_last_turn_of_a_match_is_as_good_as_over(tmp_path: Path) -> None:
    """One card each is left, so that there is nothing to draw, and nothing to choose but rows."""
    analysis = analyse(recorded(tmp_path, deals=1), METHOD)
    last = analysis.chances[-1]
    assert max(last.win) > 0.9
    assert np.argmax(last.win) == np.argmax(analysis.outcome)


@every_game
def test_each_game_says_whether_its_end_can_be_foreseen(kind: GameType) -> None:
    game: Any = kind(kind.seat_range[0])
    assert foreseen(game) == (kind.id != "tournament")


def test_a_match_to_a_target_goes_on_until_somebody_has_more(tmp_path: Path) -> None:
    lines = recorded(tmp_path, deals=1)
    game = find("standard")(2, {"target": 30})
    (deal,) = deals(lines, Replay())
    question = deal.questions[0]
    hopeless = np.array([[0, 40]], np.int16)  # in every deal to come
    deal.before.scores[:] = [0, 0]
    told = chance(game, deal, question, hopeless, "cheapest", 4, 1)
    assert told.win == (1.0, 0.0)


def analysis_with(*chances: tuple[float, float], heads: tuple[int, int] = (3, 9)) -> Analysis:
    """An analysis with these chances of two seats, before each turn of its first deal."""
    facts: Any = {"cost": 0.0, "cost_error": 0.0, "moves": 1}
    parts = dict.fromkeys(("par", "deal", "others", "edge", "mistakes", "par_error", "deal_error", "choice_error"), 0.0)
    return Analysis.model_validate(
        {
            "record": "",
            "version": "",
            "game": "standard",
            "method": {},
            "simulated": False,
            "accounts": [
                {"seat": seat, "name": "", **facts, "parts": {"heads": own, **parts}} for seat, own in enumerate(heads)
            ],
            "choices": [],
            "chances": [
                {"line": 2 + turn, "deal": 1, "turn": turn, "win": win, "errors": (0.02, 0.02)}
                for turn, win in enumerate(chances, 1)
            ],
        }
    )


def test_turning_points_are_the_turns_that_changed_a_chance_the_most() -> None:
    analysis = analysis_with((0.2, 0.8), (0.22, 0.78), (0.5, 0.5), (0.65, 0.35))
    points = analysis.turning_points(5)
    assert [(one.turn, one.seat, one.before, one.after) for one in points] == [
        (2, 0, 0.22, 0.5),
        (3, 0, 0.5, 0.65),
        (4, 0, 0.65, 1.0),
    ]
    assert [one.turn for one in analysis.turning_points(1)] == [4]
    assert analysis_with().turning_points(5) == []


def test_a_change_that_others_undo_is_no_turning_point() -> None:
    up_and_down = analysis_with((0.1, 0.9), (0.92, 0.08), (0.05, 0.95), (0.5, 0.5))
    assert [(one.turn, one.after) for one in up_and_down.turning_points(5)] == [(3, 0.5), (4, 1.0)]
