"""Analyses of recorded matches of every game."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bullring
from bullring.arena.games.playouts import simulated
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.study.analysis import analyser, estimate, questions
from bullring.arena.study.analysis.analyser import analyse
from bullring.arena.study.analysis.habits import PARTS, habits
from bullring.arena.study.analysis.questions import Question
from bullring.arena.study.analysis.result import Analysis, Method
from bullring.errors import RecordError
from tests.arena.games.rules.playing import every_game


@pytest.fixture(autouse=True)
def by_the_rules_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few playouts by the rules engine take less time than compiling."""
    monkeypatch.setattr(simulated, "COMPILED", False)
    monkeypatch.setattr(estimate, "FIRST_ROUND", 4)
    monkeypatch.setattr(analyser, "DEALS", 8)


def last(message: dict[str, Any]) -> Any:
    return message["options"][-1]


def middle(message: dict[str, Any]) -> Any:
    return message["options"][len(message["options"]) // 2]


def recorded(path: Path, game: str = "standard", seats: int = 2, deals: int | None = 1) -> Lines:
    """The lines of the record of a match."""
    has = any(spec.name == "deals" for spec in find(game).option_specs)
    options = {"deals": deals} if has and deals else {}
    file = path / f"{game}.jsonl"
    bullring.play(*[last, middle, last, middle][:seats], game=game, options=options, seed="analysed", record=file)
    return read_lines(file)


def quickly(lines: Lines, **method: Any) -> Analysis:
    return analyse(lines, Method(**{"policy": "cheapest", "error": 100.0, "playouts": 4, **method}))


@every_game
def test_every_decision_is_judged_and_the_parts_add_up(
    kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some(monkeypatch, lambda questions: questions[:: len(questions) // 5 + 1])
    monkeypatch.setattr(analyser, "DEALS", 2)
    lines = recorded(tmp_path, kind.id, kind.seat_range[0])
    found = quickly(lines, playouts=2)
    assert {choice.kind for choice in found.choices} <= {decision.kind for decision in kind.decisions}
    end = lines.entries[-1]["end"]
    for account, score in zip(found.accounts, end["scores"], strict=True):
        parts = account.parts
        assert parts.heads == score
        assert sum(getattr(parts, part) for part in PARTS[1:]) == pytest.approx(score, abs=1e-6)
        mistakes = sum(choice.cost for choice in found.choices if choice.seat == account.seat)
        assert parts.mistakes == pytest.approx(mistakes, abs=0.05)
    for choice in found.choices:
        assert len(choice.options) == len(choice.heads) == len(choice.errors)
        assert choice.heads[choice.best] == min(choice.heads)
    again = Analysis.model_validate_json(found.model_dump_json())
    assert again == found


def some(monkeypatch: pytest.MonkeyPatch, wanted: Callable[[list[Question]], list[Question]]) -> None:
    """Analyse only some of the questions, as all take time."""

    def only_some(*arguments: Any) -> Any:
        for deal in questions.deals(*arguments):
            deal.questions = wanted(deal.questions)
            yield deal

    monkeypatch.setattr(analyser, "deals", only_some)


def test_all_decisions_are_judged(tmp_path: Path) -> None:
    lines = recorded(tmp_path)
    answers = [(number, answer) for number, entry in enumerate(lines.entries, 1) for answer in entry.get("answers", ())]
    found = quickly(lines, playouts=2)
    assert [(choice.line, choice.options[choice.chosen]) for choice in found.choices] == answers


def test_the_same_seed_gives_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = recorded(tmp_path)
    some(monkeypatch, lambda questions: questions[::4])
    assert quickly(lines, seed=3) == quickly(lines, seed=3)
    assert quickly(lines, seed=3).choices != quickly(lines, seed=4).choices


def test_the_last_two_cards_agree_with_an_enumeration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In `tactics` for two, the other hand is known, so that only the other's choices are chance: all alike by `random`."""
    monkeypatch.setattr(estimate, "FIRST_ROUND", 1200)
    lines = recorded(tmp_path, "tactics")
    some(monkeypatch, lambda questions: [question for question in questions if question.turn >= 9])
    states = list(_states(lines))
    found = quickly(lines, policy="random", playouts=1200).choices
    assert len(found) == sum(len(state.pending.seats) for state in states if state.turn >= 9)
    for choice in found:
        state = states[choice.line - 3]  # after the head and the deal
        exact = [_expected(state, choice.seat, option) for option in choice.options]
        errors = np.array(choice.errors) + choice.error
        assert (abs(np.array(choice.heads) - exact) <= 4 * errors + 1e-6).all()
        assert choice.cost == pytest.approx(exact[choice.chosen] - min(exact), abs=4 * choice.cost_error + 0.05)


def _states(lines: Lines) -> Any:
    """The states before the answers of the only deal."""
    game = GAMES["tactics"](2)
    state = game.new()
    for entry in lines.entries:
        if "deal" in entry:
            state, _ = game.deal(state, entry["deal"])
        elif "answers" in entry:
            yield state
            state, _ = game.apply(state, entry["answers"])


def _expected(state: Any, seat: int, option: Any = None) -> float:
    """The expected heads of a seat if all play at random after its first choice."""
    game = GAMES["tactics"](2)
    choices = [
        [option] if option is not None and asked == seat else options
        for asked, options in zip(state.pending.seats, state.pending.options, strict=True)
    ]
    outcomes = list(product(*choices))
    total = 0.0
    for outcome in outcomes:
        after, _ = game.apply(state, outcome)
        total += after.scores[seat] - state.scores[seat]
        if isinstance(after.pending, Batch):
            total += _expected(after, seat)
    return total / len(outcomes)


@pytest.mark.slow
def test_the_luck_of_a_deal_varies_as_much_as_its_error_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the policy chooses an option that was soon given up, so that its heads are known worse than those of the best."""
    monkeypatch.setattr(analyser, "DEALS", 2)
    lines = recorded(tmp_path, "nifty")
    some(monkeypatch, lambda questions: questions[:2])

    def playouts(game: Any, state: Any, seat: int, options: Any, *, count: int, seed: int, **_: Any) -> Any:
        usual = game.fallback(state, state.pending.seats.index(seat))
        worse = np.array([[[20.0 * (option == usual)] for option in options]])
        return np.random.default_rng(seed).normal(10, 10, (count, len(options), game.seats)) + worse

    monkeypatch.setattr(analyser, "values", playouts)
    monkeypatch.setattr(analyser, "before_the_deal", lambda *_, **__: np.zeros((2, 2), np.int16))
    method = {"policy": "noisy", "error": 0.1, "playouts": 4096, "engine_playouts": 600}
    parts = [account.parts for seed in range(8) for account in quickly(lines, seed=seed, **method).accounts]
    luck, errors = np.array([part.deal for part in parts]), np.array([part.deal_error for part in parts])
    assert 0.6 < luck.std() / np.sqrt((errors**2).mean()) < 1.6


def test_only_finished_and_unchanged_records_are_analysed(tmp_path: Path) -> None:
    lines = recorded(tmp_path)
    raw = lines.data.splitlines(keepends=True)
    with pytest.raises(RecordError, match="until then the hands are secret"):
        quickly(Lines(b"".join(raw[:-1])))
    with pytest.raises(RecordError, match="its seal is missing or belongs to other lines"):
        quickly(Lines(b"".join([raw[0].replace(b"last", b"lost"), *raw[1:]])))


def test_habits_are_told_by_kind_and_turn(tmp_path: Path) -> None:
    found = quickly(recorded(tmp_path, seats=3))
    told = habits([(found, 0), (found, 1)], lambda kind: kind == "card")
    assert told.matches == 2
    assert told.moves == 20
    assert [habit.title for habit in told.turns] == [str(turn) for turn in range(1, 11)]
    assert [habit.count for habit in told.turns] == [2] * 10
    assert sum(habit.count for habit in told.kinds) == sum(choice.seat < 2 for choice in found.choices)
    assert told.parts["heads"] == pytest.approx(sum(told.parts[part] for part in PARTS[1:]), abs=0.01)
