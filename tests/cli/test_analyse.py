"""The commands that analyse."""

import json
from pathlib import Path
from typing import Any

import pytest

import bullring
from bullring.arena.games.playouts import simulated
from bullring.arena.study.analysis import analyser, estimate
from bullring.arena.study.analysis.result import Analysis
from tests.support.command import here

QUICK = ("--policy", "cheapest", "--error", "100", "--playouts", "2")


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "COMPILED", False)
    monkeypatch.setattr(estimate, "FIRST_ROUND", 2)
    monkeypatch.setattr(analyser, "DEALS", 4)


@pytest.fixture(name="record")
def _record(tmp_path: Path) -> Path:
    def highest(message: dict[str, Any]) -> Any:
        return message["options"][-1]

    path = tmp_path / "match.jsonl"
    names = ["\x1b[31mred", "plain"]
    bullring.play(highest, highest, options={"deals": 1}, seed="analysed", names=names, record=path)
    return path


def test_it_is_told_kept_and_read_again(record: Path) -> None:
    first = here("analyse", str(record), *QUICK)
    assert first.exit_code == 0
    assert "= par" in first.stdout
    assert "\x1b[31mred" not in first.stdout
    kept = record.with_name("match.analysis.json")
    analysis = Analysis.model_validate_json(kept.read_text("utf-8"))
    assert {choice.seat for choice in analysis.choices} == {0, 1}
    forged = analysis.model_copy(update={"choices": analysis.choices[:1]})
    kept.write_text(forged.model_dump_json(), "utf-8")
    again = json.loads(here("analyse", str(record), *QUICK, "--json").stdout)
    assert len(again["choices"]) == 1  # it was read, not made
    anew = json.loads(here("analyse", str(record), *QUICK, "--fresh", "--json").stdout)
    assert anew == analysis.model_dump(mode="json")
    assert len(Analysis.model_validate_json(kept.read_text("utf-8")).choices) == 1
    other = json.loads(here("analyse", str(record), *QUICK, "--seed", "7", "--json").stdout)
    assert other["method"]["seed"] == 7
    assert len(other["choices"]) == len(analysis.choices)


def test_a_costly_decision_is_told_with_what_spoke_for_and_against_it(record: Path) -> None:
    here("analyse", str(record), *QUICK)
    kept = record.with_name("match.analysis.json")
    analysis = Analysis.model_validate_json(kept.read_text("utf-8"))
    first, second = (
        choice.model_copy(update={"cost": 5.0, "cost_error": 0.5, "best": 0}) for choice in analysis.choices[:2]
    )
    damaged = second.model_copy(update={"line": 4000})
    kept.write_text(analysis.model_copy(update={"choices": (first, damaged)}).model_dump_json(), "utf-8")
    told = here("analyse", str(record), *QUICK).stdout
    for option in (first.options[-1], first.options[0]):
        assert told.count(f"     {option}: ") == 1
    assert "row" in told.split(f"     {first.options[-1]}: ")[1].splitlines()[0]
    every = here("analyse", str(record), *QUICK, "--all").stdout
    assert "why" in every


def test_turning_points_are_named_in_words(record: Path) -> None:
    here("analyse", str(record), *QUICK)
    kept = record.with_name("match.analysis.json")
    analysis = Analysis.model_validate_json(kept.read_text("utf-8"))
    flat = [one.model_copy(update={"win": (0.5, 0.5), "errors": (0.01, 0.01)}) for one in analysis.chances]
    won = analysis.outcome.index(1.0)
    flat[4:] = [one.model_copy(update={"win": (0.8, 0.2) if won == 0 else (0.2, 0.8)}) for one in flat[4:]]
    kept.write_text(analysis.model_copy(update={"chances": tuple(flat)}).model_dump_json(), "utf-8")
    told = here("analyse", str(record), *QUICK).stdout
    assert "the turning points:" in told
    assert "deal 1, turn 4  " in told
    assert f"chance to win {'falls' if won else 'rises'} from 50 ± 1 % to {20 if won else 80} ± 1 %." in told


def test_a_replay_marks_what_was_costly(record: Path) -> None:
    here("analyse", str(record), *QUICK)
    kept = record.with_name("match.analysis.json")
    analysis = Analysis.model_validate_json(kept.read_text("utf-8"))
    first = analysis.choices[0].model_copy(update={"cost": 5.0, "cost_error": 0.5, "best": 0})
    kept.write_text(analysis.model_copy(update={"choices": (first,)}).model_dump_json(), "utf-8")
    shown = here("replay", str(record)).stdout
    assert shown.count("?? costs 5.0 ± 0.5 heads; better: plays") == 1
    events = [json.loads(line) for line in here("replay", str(record), "--json").stdout.splitlines()]
    assert [event["cost"] for event in events if event["type"] == "judged"] == [5.0]


def test_what_cannot_be_analysed_is_said(record: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
    failed = here("analyse", str(torn))
    assert failed.exit_code == 2
    assert "expected the record of a finished match" in failed.stderr
    assert here("analyse", str(record), *QUICK, "--seat", "2").exit_code == 2
    record.with_name("match.analysis.json").write_text("mine", "utf-8")
    told = here("analyse", str(record), *QUICK)
    assert told.exit_code == 0
    assert "exists and is not an analysis" in told.stderr
    assert record.with_name("match.analysis.json").read_text("utf-8") == "mine"


def test_a_kept_analysis_whose_parts_do_not_belong_together_is_made_again(record: Path) -> None:
    assert here("analyse", str(record), *QUICK).exit_code == 0
    path = record.with_suffix(".analysis.json")
    right = path.read_text()
    for key, value in (("seat", 77), ("chosen", -3), ("best", 999), ("kind", "nothing"), ("errors", [])):
        damaged = json.loads(right)
        damaged["choices"][0][key] = value
        path.write_text(json.dumps(damaged, separators=(",", ":")))
        done = here("analyse", str(record), *QUICK, "--all")
        assert done.exit_code == 0, done.output
        assert path.read_text() == right


def test_an_error_has_to_be_a_number(record: Path) -> None:
    done = here("analyse", str(record), "--error", "nan")
    assert done.exit_code == 2
    assert "is not a number" in done.output
