"""The score of a bot against the house, and the file that keeps its matches."""

import json
import math
from pathlib import Path
from random import Random

import pytest

from bullring.arena.games.rules.registry import find
from bullring.arena.study.house.luck import Luck
from bullring.errors import LadderError
from bullring.ladder.gauge.file import Entrant, Kept
from bullring.ladder.gauge.score import ENOUGH, Sample, Score, comparisons

GAME = find("standard")(4, {"deals": 1})
MINE = Entrant("mine", "abc")


def _samples(count: int, better: float = 0.0, luck: float = 0.0, seed: int = 1) -> list[Sample]:
    chance = Random(seed)
    made = []
    for _ in range(count):
        deal, draws, own = (chance.gauss(0, 0.2) for _ in range(3))
        share = 0.5 + better + 0.3 * deal + 0.6 * draws + own
        found = Luck((-20 * (share - 0.5), share), (-20 * deal, deal), (-20 * draws, draws + luck), 10.0)
        made.append(Sample(0, found, 0, 0.5))
    return made


def test_a_bot_like_the_house_has_no_elo_and_one_that_is_ahead_has_some() -> None:
    equal, ahead = Score("equal", _samples(600)), Score("ahead", _samples(600, 0.15, seed=2))
    assert equal.elo.low < 0 < equal.elo.high
    assert ahead.elo.low > 60
    assert ahead.heads.adjusted.high < 0  # fewer heads are better
    assert ahead.elo.half < ahead.raw_elo.half
    (found,) = comparisons([equal, ahead])
    assert (found.one, found.other) == ("ahead", "equal")
    assert found.elo.low > 0
    assert found.elo.half > ahead.elo.half
    assert not list(ahead.alarms())


def test_a_score_is_settled_when_its_interval_is_narrow_but_not_before_some_matches() -> None:
    score = Score("mine", _samples(200))
    half = score.elo.half
    assert score.settled(half + 1)
    assert not score.settled(half - 1)
    assert not Score("mine", _samples(ENOUGH - 1)).settled(1000)
    assert score.needed(half / 2) == pytest.approx(600, abs=1)
    assert score.needed(half * 2) == 0


def test_a_match_that_is_added_counts() -> None:
    score = Score("mine", [])
    assert score.facts()["elo"]["adjusted"] == {"value": None, "low": None, "high": None}
    for sample in _samples(3):
        before = score.share.raw.value
        score.add(sample)
        assert score.share.raw.value != before
    assert score.facts()["matches"] == 3
    json.dumps(score.facts(), allow_nan=False)


def test_luck_with_another_mean_than_nil_and_many_void_matches_raise_alarms() -> None:
    assert any("house's draws, in points" in alarm for alarm in Score("odd", _samples(300, luck=0.1)).alarms())
    assert any("void" in alarm for alarm in Score("odd", _samples(50), void=10).alarms())


def test_matches_are_kept_for_the_bot_that_played_them(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    kept = Kept(path, GAME)
    assert kept.of(MINE) == []
    samples = _samples(2)
    for sample in samples:
        kept.add(MINE, sample)
    again = Kept(path, GAME)
    assert again.of(MINE) == samples
    assert again.of(Entrant("mine", "changed")) == []


def test_nothing_is_known_of_the_distance_to_a_bot_that_is_ahead_of_everybody() -> None:
    all_points, equal = Score("first", _samples(3, 2.0)), Score("equal", _samples(600))
    assert all_points.elo.value == math.inf
    (found,) = comparisons([equal, all_points])
    assert (found.one, found.elo.low, found.elo.high) == ("first", -math.inf, math.inf)


@pytest.mark.parametrize("left", [1, 40, -1])
def test_a_line_that_the_machine_died_in_is_written_again(tmp_path: Path, left: int) -> None:
    path = tmp_path / "g.jsonl"
    first, second = _samples(2)
    kept = Kept(path, GAME)
    kept.add(MINE, first)
    whole = path.read_bytes()
    kept.add(MINE, second)
    both = path.read_bytes()
    path.write_bytes(whole + both[len(whole) :][:left])
    kept = Kept(path, GAME)
    assert kept.of(MINE) == [first]
    kept.add(MINE, second)
    assert path.read_bytes() == both


def test_a_file_of_another_table_or_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    Kept(path, GAME).add(MINE, _samples(1)[0])
    with pytest.raises(LadderError, match="expected matches at this table"):
        Kept(path, find("standard")(5, {"deals": 1}))
    for text in ("nonsense\n", "[]\n", '{"table": 1}\n', "\xe9\n", '{"table": 1'):
        path.write_text(text)
        with pytest.raises(LadderError, match=r"--results|not text"):
            Kept(path, GAME)
    table = {"house": 1, "game": "standard", "options": GAME.options, "seats": 4}
    path.write_text(json.dumps({"table": table, "bot": {"name": "mine", "hash": "abc"}, "sample": {}}) + "\n")
    with pytest.raises(LadderError, match="--results"):
        Kept(path, GAME).of(MINE)


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("seat",), "1e999"),
        (("seconds",), "NaN"),
        (("faults",), "-5"),
        (("luck", "own"), "1" + "0" * 400),
        (("luck", "deal", 0), "Infinity"),
        (("luck", "draws"), "[1]"),
        (("luck", "result", 0), "1e300"),
        (("luck", "result", 1), "7"),
    ],
    ids=lambda part: str(part)[:20],
)
def test_numbers_that_no_match_can_have_are_refused(tmp_path: Path, at: tuple[str | int, ...], value: str) -> None:
    path = tmp_path / "g.jsonl"
    Kept(path, GAME).add(MINE, _samples(1)[0])
    line = json.loads(path.read_text())
    part = line["sample"]
    for step in at[:-1]:
        part = part[step]
    part[at[-1]] = "HERE"
    path.write_text(json.dumps(line).replace('"HERE"', value) + "\n")
    with pytest.raises(LadderError, match="--results another file"):
        Kept(path, GAME).of(MINE)
