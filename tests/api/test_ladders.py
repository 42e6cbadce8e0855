"""Ladders and ratings from Python."""

import json
from pathlib import Path
from typing import Any

import pytest

import bullring
from bullring.errors import BullringError, LadderError, Refusal, SandboxError, SeatsError, SettingsError
from bullring.ladder.store.home import Home
from bullring.tabular import Table
from tests.ladder.homes import folder_of, tiny, told
from tests.support.command import here


def test_a_ladder_is_made_filled_run_and_asked(tmp_path: Path) -> None:
    ladder = bullring.Ladder.create(tmp_path / "home", time="30s", start="60s")
    assert ladder.add(tiny("first"), name="low") == ["low"]
    assert ladder.add(tiny("last"), name="high") == ["high"]
    assert ladder.table() == []
    told: list[str] = []
    rows = ladder.run(
        seats=2,
        format="round-robin",
        rounds=2,
        jobs=1,
        told=lambda happening: told.append(happening.kind),
        sandbox="none",
        allow_unsandboxed=True,
    )
    assert {row.bot: row.matches for row in rows} == {"low": 2, "high": 2}
    assert told[0] == "sandbox"
    assert told.count("match") == 2
    assert bullring.Ladder(tmp_path / "home").table() == ladder.table() == rows
    assert [list_.title for list_ in ladder.lists()] == ["standard, 2 seats, deals 1"]
    assert bullring.read(ladder.record(1)).verify().difference is None
    ladder.remove("high")
    assert {row.bot: row.state for row in ladder.table()} == {"low": "active", "high": "removed"}
    with pytest.raises(LadderError, match="this ladder has 1 active bot;"):
        ladder.run(matches=1)


def test_a_ladder_tells_what_more_would_cost_as_its_table_does(tmp_path: Path) -> None:
    ladder = bullring.Ladder.create(tmp_path / "home", time="30s", start="60s")
    assert (ladder.more(), ladder.places(), ladder.cycles()) == (None, None, None)
    for name in ("one", "two"):
        ladder.add(tiny("first"), name=name)
    ladder.run(seats=2, matches=30, jobs=1, sandbox="none", allow_unsandboxed=True)
    more = ladder.more()
    assert more is not None
    assert (more.by, more.matches > 0) == (5.0, True)
    printed = told("table", "--format", "json", home=Home.find(tmp_path / "home"))
    assert {**printed["more"], "seconds": None} == {**more.facts(), "seconds": None}
    places = ladder.places()
    assert places is not None
    assert str(places) == printed["places"]["text"]
    assert str(ladder.cycles()) == printed["cycles"]["text"] == ""
    (difference,) = ladder.compare("one", "two")
    assert difference.matches == 30
    assert difference.elo is not None
    (other,) = ladder.compare("two")
    assert other.elo == pytest.approx(-difference.elo)
    assert str(other) == str(difference)
    with pytest.raises(LadderError, match="name at least one bot"):
        ladder.compare()


@pytest.mark.slow
def test_a_ladder_has_what_the_command_line_has(tmp_path: Path) -> None:
    ladder, home = bullring.Ladder.create(tmp_path / "home", time="30s", start="60s"), str(tmp_path / "home")
    for name, way in (("low", "first"), ("high", "last")):
        ladder.add(tiny(way), name=name)
    seen: list[int] = []
    trusted: dict[str, Any] = {"jobs": 1, "sandbox": "none", "allow_unsandboxed": True}
    ladder.run(**trusted, seats=2, matches=4, progress=lambda progress: seen.append(progress.matches))
    assert seen[-1] == 4

    matches = ladder.matches(bot="low", last=2)
    assert [sorted(match.names) for match in matches] == [["high", "low"]] * 2
    assert [row["match"] for row in matches.to_dicts()] == [3, 3, 4, 4]
    assert str(matches[0]).startswith("match 3: ")
    printed = here("ladder", "export", "--format", "csv", "--home", home).stdout
    assert ladder.export(tmp_path / "matches.csv").read_text() == printed
    assert len(ladder.export(tmp_path / "matches.jsonl").read_text().splitlines()) == 4
    with pytest.raises(LadderError, match=r"ends in .jsonl, .json, .csv, .parquet, not as in 'matches.xls'"):
        ladder.export(tmp_path / "matches.xls")

    assert [bot.name for bot in ladder.bots()] == ["low", "high"]
    printed = here("bots", "--json", "--home", home).stdout
    assert ladder.bots().to_dicts() == Table([], json.loads(printed)).to_dicts()  # which are flat
    assert [ladder.retire("high").state, ladder.reinstate("high").state] == ["retired", "active"]
    assert ladder.report(tmp_path / "site").is_file()
    assert ladder.verify().records == 4

    decisions = ladder.analyse("low", last=1, playouts=10)
    assert {row["match"] for row in decisions.to_dicts()} == {4}
    assert len(decisions) == len(decisions.to_dicts()) >= 10
    kept = json.loads(
        here("ladder", "analyse", "low", "--last", "1", "--playouts", "10", "--home", home, "--json").stdout
    )
    assert kept["played"][0]["moves"] == 10
    analysis = bullring.read(ladder.record(4)).analyse(playouts=10)
    assert len(analysis.to_dicts()) == len(analysis.choices)
    assert {row["name"] for row in analysis.to_dicts()} == {"low", "high"}

    verdict = ladder.duel("low", "high", **trusted, seats=2, matches=4, elo1=400.0)
    assert (verdict.new, verdict.old, verdict.groups) == ("low", "high", 2)
    with pytest.raises(LadderError, match="two different bots"):
        ladder.duel("low", "low", seats=2)
    ladder.retire("high")
    with pytest.raises(LadderError, match="'high' is retired and does not play; it plays again after: reinstate"):
        ladder.duel("low", "high", seats=2)


def test_a_refused_bot_is_told_with_its_findings(tmp_path: Path) -> None:
    ladder = bullring.Ladder.create(tmp_path / "home", time="30s", start="60s")
    with pytest.raises(Refusal) as caught:
        ladder.submit(folder_of(tmp_path / "mine"), sandbox="none", allow_unsandboxed=True)
    assert caught.value.lines
    assert len(caught.value.__notes__) == len(caught.value.lines)
    assert not ladder.bots()


def test_a_gauge_from_python_is_kept_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLRING_COMPILE", "0")  # compiling would take longer than this test
    ladder = bullring.Ladder.create(tmp_path / "home", time="30s", start="60s")
    ladder.add(tiny("first"), name="low")
    trusted: dict[str, Any] = {"seats": 2, "matches": 2, "jobs": 1, "sandbox": "none", "allow_unsandboxed": True}
    seen: list[int] = []
    (score,) = ladder.gauge("low", **trusted, progress=lambda score: seen.append(len(score.samples)))
    assert (seen, len(score.samples)) == ([1, 2], 2)
    again = ladder.gauge("low", **trusted)
    assert again.to_dicts()[0]["matches"] == 4
    assert "elo_adjusted_value" in again.to_dicts()[0]
    with pytest.raises(LadderError, match="name at least one bot"):
        ladder.gauge()


def test_a_run_on_a_cluster_needs_an_address(tmp_path: Path) -> None:
    ladder = bullring.Ladder.create(tmp_path / "home")
    ladder.add("@greedy", "@random")
    with pytest.raises(LadderError, match="expected the address of a Dask scheduler"):
        ladder.run(seats=2, matches=1, cluster="nowhere")


def test_a_folder_that_is_not_a_home(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match="is not a home"):
        bullring.Ladder(tmp_path)


@pytest.fixture
def ladder(tmp_path: Path) -> bullring.Ladder:
    return bullring.Ladder.create(tmp_path / "home")


def test_what_is_no_folder_and_no_list_is_told_in_a_line(ladder: bullring.Ladder, tmp_path: Path) -> None:
    wrong: Any
    for wrong in (42, None, "a\0b"):
        with pytest.raises(LadderError, match=r"a home is a folder|cannot be looked into|is not a home"):
            bullring.Ladder(wrong)
    wrong = "nolist"
    with pytest.raises(LadderError, match=r"ladder.lists\(\), not 'nolist'"):
        ladder.table(wrong)


def test_a_name_is_for_one_bot(ladder: bullring.Ladder) -> None:
    with pytest.raises(LadderError, match="a name is for one bot, and 2 were given"):
        ladder.add("@greedy", "@random", name="x")
    assert ladder.add("@greedy", name="x") == ["x"]


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"format": "swiss"}, LadderError, "no format 'swiss'; the formats are: ladder, round-robin, gauntlet"),
        ({"format": "gauntlet"}, LadderError, 'format="gauntlet" and one= go together'),
        ({"one": "greedy"}, LadderError, 'format="gauntlet" and one= go together'),
        ({"matches": 0}, SettingsError, "matches must be a whole number from 1, not 0"),
        ({"seconds": -5}, SettingsError, "seconds must be a number above 0, not -5"),
        ({"until_error": 0}, SettingsError, "until_error must be a number above 0, not 0"),
        ({"jobs": 0}, SettingsError, "jobs must be a whole number from 1, not 0"),
        ({"rounds": 0}, SettingsError, "rounds must be a whole number from 1, not 0"),
        ({"seats": 0}, SeatsError, "seats"),
        ({"seats": 2, "sandbox": "dockr"}, SandboxError, "no sandbox 'dockr'"),
    ],
)
def test_a_run_refuses_wrong_arguments(
    ladder: bullring.Ladder, given: dict[str, Any], error: type[BullringError], says: str
) -> None:
    ladder.add("@greedy", "@random")
    with pytest.raises(error, match=says):
        ladder.run(**given)


@pytest.mark.parametrize("match", ["zz", "../1.1", "1.1", "", 1.1])
def test_a_record_that_does_not_exist(ladder: bullring.Ladder, match: Any) -> None:
    with pytest.raises(LadderError, match="no record of a match"):
        ladder.record(match)


def test_ratings_of_several_players_at_a_table() -> None:
    matches = [{"a": 1, "b": 2, "c": 3}] * 8 + [{"c": 1, "b": 2, "a": 2}] * 3 + [{"b": 1, "a": 2, "c": 3}] * 2
    ratings = bullring.rate(matches, anchor="b", rating=1000)
    assert [one.name for one in ratings] == ["a", "b", "c"]
    assert {one.name: one.matches for one in ratings} == {"a": 13, "b": 13, "c": 13}
    assert next(one for one in ratings if one.name == "b").elo == 1000


def test_matches_of_one_group_are_not_independent() -> None:
    matches = ([{"a": 1, "b": 2}] * 4 + [{"a": 2, "b": 1}] * 4) * 5 + [{"a": 1, "b": 2}] * 8
    alone = bullring.rate(matches, anchor="b")[0]
    grouped = bullring.rate(matches, [number // 4 for number in range(len(matches))], anchor="b")[0]
    assert grouped.elo == pytest.approx(alone.elo, abs=5)
    assert grouped.high - grouped.low > 1.5 * (alone.high - alone.low)


@pytest.mark.parametrize(
    ("matches", "says"),
    [
        ([], "no matches"),
        ([{"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3}], "the same number of players, at least 2, not 2, 3"),
        ([{"a": 1}], "the same number of players, at least 2, not 1"),
        ([["a", "b"]], "a match maps players to places, .* not \\['a', 'b'\\]"),
        ([{"a": 1, "b": 1.5}], "places are whole numbers from 1"),
        ([{"a": 1, "b": "2"}], "places are whole numbers from 1"),
        ([{"a": 0, "b": 1}], "places are whole numbers from 1"),
    ],
)
def test_what_cannot_be_rated(matches: list[Any], says: str) -> None:
    with pytest.raises(LadderError, match=says):
        bullring.rate(matches)


def test_a_group_has_the_same_players() -> None:
    with pytest.raises(LadderError, match="must have the same players"):
        bullring.rate([{"a": 1, "b": 2}, {"a": 1, "c": 2}], ["g", "g"])
    with pytest.raises(LadderError, match="groups must have one entry per match, 1 in all, not 0"):
        bullring.rate([{"a": 1, "b": 2}], [])
    with pytest.raises(LadderError, match="the anchor 'z' has not played; players: a, b"):
        bullring.rate([{"a": 1, "b": 2}], anchor="z")
