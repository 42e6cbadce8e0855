"""`bullring gauge` as a user tries it."""

import json
from pathlib import Path

import pytest

from bullring.errors import BOT_AT_FAULT
from tests.support.command import POLITE, bullring, command_of, here

QUICK = ("--time", "5s", "--time", "start=30s", "--seats", "2")


@pytest.fixture(autouse=True)
def _by_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLRING_COMPILE", "0")  # compiling would take longer than these tests


def test_a_bot_is_measured_and_its_matches_are_kept_and_recorded(tmp_path: Path) -> None:
    results, records = tmp_path / "g.jsonl", tmp_path / "records"
    wish = ("gauge", POLITE, *QUICK, "--json", "--results", str(results))
    done = here(*wish, "--matches", "2", "--record", str(records))
    assert done.exit_code == 0, done.stderr
    *matches, bot = map(json.loads, done.stdout.splitlines())
    assert [match["type"] for match in matches] == ["match"] * 2
    assert bot["matches"] == 2
    assert bot["elo"]["raw"].keys() == {"value", "low", "high"}
    assert bot["heads"]["adjusted"]["low"] < bot["heads"]["adjusted"]["value"]
    assert len(list(records.iterdir())) == 2
    more = here(*wish, "--matches", "1")
    assert json.loads(more.stdout.splitlines()[-1])["matches"] == 3
    assert len(results.read_text().splitlines()) == 3


def test_bots_are_compared_and_a_fault_scores() -> None:
    done = bullring("gauge", POLITE, command_of("crash"), *QUICK, "--matches", "2", "--game", "tactics")
    assert done.returncode == BOT_AT_FAULT
    assert "adjusted" in done.stdout
    assert "fault" in done.stdout
    assert "not the Elo of a ladder" in done.stdout


def test_a_mistake_is_told_before_anything_is_played(tmp_path: Path) -> None:
    bad = tmp_path / "g.jsonl"
    bad.write_text("nonsense\n")
    nowhere = tmp_path / "nowhere" / "g.jsonl"
    for wrong, remedy in (
        (("--option", "target=66"), "--option deals=N"),
        (("--results", str(bad)), "give --results"),
        (("--results", str(nowhere)), "cannot be written"),
    ):
        done = here("gauge", "@random", *wrong)
        assert done.exit_code == 2
        assert remedy in done.output
        assert "sandbox" not in done.output  # no bot has been started


def test_matches_played_side_by_side_all_count_and_leave_nothing_behind(tmp_path: Path) -> None:
    results = tmp_path / "g.jsonl"
    done = here(
        "gauge", POLITE, *QUICK, "--matches", "5", "--jobs", "3", "--json", "--results", str(results),
        "--record", str(tmp_path / "records"),
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    *matches, bot = map(json.loads, done.stdout.splitlines())
    assert [match["number"] for match in matches] == [1, 2, 3, 4, 5]
    assert bot["matches"] == len(results.read_text().splitlines()) == len(list((tmp_path / "records").iterdir())) == 5
