"""`bullring ladder run` with real processes: what bots get to see, how it stops, and who disturbs it in vain."""

import json
import re
import signal
import subprocess
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.verification import verify
from bullring.ladder.store.home import Home
from tests.ladder.homes import (
    bots,
    count,
    four,
    home_with,
    intact,
    ladder,
    left_over,
    listed,
    log_of,
    matches_of,
    run,
    running,
    tiny,
    told,
    until,
)
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE
from tests.support.record import happenings


def names(home: Home) -> dict[int, str]:
    with closing(home.store(read_only=True)) as store:
        return {row.id: row.name for row in store.bots()}


def entries(path: Path) -> list[dict[str, Any]]:
    """The lines that are complete."""
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


@pytest.mark.parametrize("option", ["--format=ladder", "--duplicate"])
@pytest.mark.slow
def test_a_process_that_remembers_every_deal_never_sees_one_again(tmp_path: Path, option: str) -> None:
    home = home_with(tmp_path / "home", {name: tiny("memory") for name in "abcd"})
    run(home, "--seats", "3", "--matches", "150", "--jobs", "2", option)
    metrics = [seat.metrics for match in matches_of(home) for seat in match.seats]
    assert len(metrics) == 450
    assert not any("seen_before" in of_match for of_match in metrics)
    # And it would have noticed: processes live for many matches.
    assert max(of_match["deals"] for of_match in metrics) >= 8
    deals = Counter(match.seed.seed for match in matches_of(home))
    assert set(deals.values()) == ({3} if option == "--duplicate" else {1})


@pytest.fixture
def gated(tmp_path: Path) -> tuple[Home, Path]:
    """A home whose second match does not end before there is a file at the path."""
    for name in ("diary", "gate"):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o777)
    bots = {
        "a": tiny("diary", tmp_path / "diary"),
        "b": tiny("gate", tmp_path / "gate" / "open"),
        "c": tiny("diary", tmp_path / "diary"),
    }
    return home_with(tmp_path / "home", bots, ("5m", "start=30s")), tmp_path / "gate" / "open"


ONE_BY_ONE = ("--seats", "3", "--jobs", "1")


def waits_at_the_gate(home: Home, diary: Path, process: "subprocess.Popen[str]") -> None:
    """One match is in the store, and others are being played."""
    until(lambda: count(home, "matches") == 1 and len(commitments(diary)) > 1, process)


def test_a_record_is_open_when_its_match_ends_and_not_before(gated: tuple[Home, Path], tmp_path: Path) -> None:
    home, gate = gated
    with running(home, *ONE_BY_ONE, "--matches", "20") as process:
        waits_at_the_gate(home, tmp_path / "diary", process)
        (ended,) = matches_of(home)
        verdict = verify(read_lines(home.record(ended.id)))
        assert (verdict.difference, verdict.finished) == (None, True)
        public = [path.read_bytes() for path in home.path.glob("**/*") if path.is_file()]

        process.send_signal(signal.SIGINT)
        until(lambda: "finishing the matches" in log_of(home).read_text(), process)
        gate.touch()
        assert process.wait(PATIENCE) == 130
    output = log_of(home).read_text()
    seeds = [match.seed for match in matches_of(home) if match.id != ended.id]
    assert 0 < len(seeds) < 19
    assert f"three at a table, 1 deal a match: {len(seeds) + 1} matches in this run" in " ".join(output.split())
    left = 19 - len(seeds)
    assert (
        output.splitlines()[-1]
        == f"continue with: bullring ladder run {' '.join(ONE_BY_ONE)} --matches {left} --home {home.path}"
    )
    assert not any(seed.seed.encode() in data or seed.nonce.encode() in data for seed in seeds for data in public)
    run(home, *ONE_BY_ONE, "--matches", str(left))
    matches = matches_of(home)
    assert len({match.seed.seed for match in matches}) == len(matches) == 20
    # Everybody sat everywhere.
    assert {(seat, bot) for match in matches for seat, bot in enumerate(match.bots)} == set(
        product(range(3), (1, 2, 3))
    )
    for match in matches:
        end = entries(home.record(match.id))[-1]["end"]
        assert (end["seed"], end["nonce"]) == (match.seed.seed, match.seed.nonce)


def test_deals_of_a_group_stay_secret_until_it_is_complete_and_are_open_then(
    gated: tuple[Home, Path], tmp_path: Path
) -> None:
    home, gate = gated
    with running(home, *ONE_BY_ONE, "--matches", "3", "--duplicate") as process:
        until(lambda: len(commitments(tmp_path / "diary")) == 2, process)
        assert count(home, "matches") == 0
        assert not home.record(1).exists()
        public = [path.read_bytes() for path in home.path.glob("**/*") if path.is_file()]
        process.send_signal(signal.SIGINT)
        until(lambda: "finishing the matches" in log_of(home).read_text(), process)
        gate.touch()
        assert process.wait(PATIENCE) == 130
    first, *output = log_of(home).read_text().splitlines()
    assert first.startswith(
        "duplicate deals, only for bots you trust: the processes of one bot can pass each other notes"
    )
    assert "each deal with every bot in every seat: 3 matches in this run" in " ".join(" ".join(output).split())
    matches = matches_of(home)
    assert [(match.group, match.counted) for match in matches] == [(1, True)] * 3
    ends = [entries(home.record(match.id))[-1]["end"] for match in matches]
    assert len({end["seed"] for end in ends}) == 1
    assert len({end["nonce"] for end in ends}) == 3
    assert not any(end["seed"].encode() in data or end["nonce"].encode() in data for end in ends for data in public)
    hands = []
    for match in matches:
        lines = read_lines(home.record(match.id))
        assert verify(lines).difference is None
        hands.append(next(event["hands"] for _, event in happenings(lines) if event["type"] == "deal"))
    assert hands[0] == hands[1] == hands[2]

    heard = [entry for path in (tmp_path / "diary").iterdir() for entry in entries(path)]
    welcomes = [entry for entry in heard if "commitment" in entry]
    assert len(welcomes) == 2 * 3
    assert len({entry["commitment"] for entry in welcomes}) == 3
    assert len({entry["seed"] for entry in welcomes}) == 6
    # Everybody sat everywhere, and no process was dealt a hand twice.
    assert sorted(entry["seat"] for entry in welcomes) == [0, 0, 1, 1, 2, 2]
    for path in (tmp_path / "diary").iterdir():
        assert sum("hand" in entry for entry in entries(path)) == 1


def commitments(diary: Path) -> set[str]:
    """The commitments of the matches that were begun, as the diarists heard them."""
    heard = (entry for path in diary.iterdir() for entry in entries(path))
    return {entry["commitment"] for entry in heard if "commitment" in entry}


@pytest.mark.parametrize("option", ["--format=ladder", pytest.param("--duplicate", marks=pytest.mark.slow)])
def test_the_second_interrupt_stops_at_once_and_the_same_command_goes_on_with_new_deals(
    gated: tuple[Home, Path], tmp_path: Path, option: str
) -> None:
    home, gate = gated
    kept = 0 if option == "--duplicate" else 1
    with running(home, *ONE_BY_ONE, "--matches", "3", option) as process:
        until(lambda: count(home, "matches") == kept and len(commitments(tmp_path / "diary")) >= 2, process)
        process.send_signal(signal.SIGINT)
        until(lambda: "finishing the matches" in log_of(home).read_text(), process)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    output = log_of(home).read_text()
    assert f"{kept} match" in " ".join(output.split())
    assert f"--matches {3 - kept} --home" in output
    assert "Traceback" not in output
    assert left_over(home) == []
    begun = commitments(tmp_path / "diary")
    gate.touch()
    run(home, *ONE_BY_ONE, "--matches", str(3 - kept), option)
    matches = matches_of(home)
    assert len(matches) == 3
    assert {*home.kept.matches()} == {match.id for match in matches}
    assert [*home.live.iterdir()] == []
    assert len(begun & {match.seed.commitment for match in matches}) == kept


def test_a_service_manager_stops_a_run_at_once_and_takes_it_for_no_failure(
    gated: tuple[Home, Path], tmp_path: Path
) -> None:
    home, _ = gated
    with running(home, *ONE_BY_ONE, "--json") as process:
        waits_at_the_gate(home, tmp_path / "diary", process)
        process.terminate()
        assert process.wait(PATIENCE) == 0
    *happenings, table = [json.loads(line) for line in log_of(home).read_text().splitlines()]
    assert [happening["type"] for happening in happenings] == ["sandbox", "match"]
    assert table["type"] == "table"
    assert left_over(home) == []
    assert intact(home)


def test_a_run_in_the_background_says_how_to_end_it(gated: tuple[Home, Path], tmp_path: Path) -> None:
    """A shell lets it ignore SIGINT, and so does nohup with SIGHUP."""
    home, _ = gated
    background = ("/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh")
    with running(home, *ONE_BY_ONE, wrapped=background) as process:
        waits_at_the_gate(home, tmp_path / "diary", process)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        until(lambda: f"to end this: kill {process.pid}\n" in log_of(home).read_text(), process)
        process.terminate()
        assert process.wait(PATIENCE) == 0
    assert "finishing the matches" not in log_of(home).read_text()


def test_only_one_ladder_at_a_time_runs_on_a_home(gated: tuple[Home, Path], tmp_path: Path) -> None:
    home, _ = gated
    with running(home, *ONE_BY_ONE) as process:
        waits_at_the_gate(home, tmp_path / "diary", process)
        for command in ("run", "rebuild"):
            done = ladder(command, home=home)
            assert done.exit_code == 2
            assert done.stderr == (
                f"bullring: another ladder (process {process.pid}) is running in {home.path};"
                f" watch it with: bullring watch --home {home.path}\n"
            )
        # Reading disturbs nobody.
        assert len(ladder("matches", home=home).stdout.splitlines()) == 1
        assert process.poll() is None


def test_a_run_stops_when_its_time_is_up(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    output = run(home, "--for", "1s", "--seats", "2", "--jobs", "1")
    assert "the time is up: finishing the matches in progress" in output


@pytest.mark.slow
def test_a_run_stops_when_no_interval_is_wider_than_wanted(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    output = run(home, "--until-error", "100", "--seats", "2", "--jobs", "1")
    assert "no interval is wider than ± 100 Elo" in output
    rows = told("table", "--format", "json", home=home)["rows"]
    assert all(row["anchor"] or row["error"] <= 110 for row in rows)


@pytest.mark.slow
def test_bad_bots_neither_stop_the_others_nor_go_unpunished(tmp_path: Path) -> None:
    bad = {"crashes": tiny("crash"), "cheats": tiny("illegal"), "absent": tiny("absent")}
    good = {"a": tiny("first"), "b": tiny("last"), "c": tiny("first")}
    home = home_with(tmp_path / "home", {**good, **bad}, ("60s", "start=5m"))
    with running(home, "--seats", "3", "--jobs", "2") as process:
        benched_all = until(
            lambda: count(home, "bots WHERE state = 'benched'") == 3 and count(home, "matches"), process
        )
        until(lambda: count(home, "matches") > benched_all + 10, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    output = log_of(home).read_text()
    assert "Traceback" not in output

    by_name = listed(home)
    assert {name for name, row in by_name.items() if row["state"] == "benched"} == set(bad)
    assert by_name["absent"]["reason"] == "it did not start in its last 2 matches"
    assert "its seat was closed in" in by_name["crashes"]["reason"]
    assert "crash" in by_name["crashes"]["reason"]
    assert "illegal" in by_name["cheats"]["reason"]
    for name in bad:
        assert f"{name} is benched: {by_name[name]['reason']} (undo: bullring bots reinstate {name})" in output
        assert by_name[name]["reason"] in bots(home=home).stdout
    called = names(home)
    for match in matches_of(home):
        assert match.counted
        ranks: Mapping[bool, list[int]] = defaultdict(list)
        for seat in match.seats:
            ranks[called[seat.bot] in bad].append(seat.rank)
            assert bool(seat.faults) == (called[seat.bot] in bad)
        assert max(ranks[False], default=0) < min(ranks[True], default=9)

    before = told("table", "--format", "json", home=home)
    rows = {row["bot"]: row for row in before["rows"]}
    assert rows["a"]["faults"] == 0
    assert {row["bot"] for row in before["rows"] if row["place"]} == set(good)
    assert "left out" not in ladder("rebuild", home=home).stdout
    assert told("table", "--format", "json", home=home) == before

    assert bots("reinstate", "crashes", home=home).stdout == '"crashes" plays again\n'
    assert listed(home)["crashes"]["state"] == "active"


@pytest.mark.slow
def test_other_tables_are_lists_of_their_own(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", {f"bot {number}": tiny("first") for number in range(5)})
    run(home, "--seats", "2", "--matches", "3")
    run(home, "--seats", "5", "--matches", "5", "--duplicate")
    run(home, "--game", "tournament", "--matches", "1")
    matches = matches_of(home)
    assert [(match.list, len(match.seats), match.group) for match in matches] == [
        *[(1, 2, None)] * 3,
        *[(2, 5, 4)] * 5,
        (3, 4, None),
    ]
    for column in zip(*(match.bots for match in matches if match.list == 2), strict=True):
        assert len(set(column)) == 5
    for match in matches:
        assert verify(read_lines(home.record(match.id))).difference is None
    tables = {seats: told("table", "--seats", seats, "--format", "json", home=home) for seats in ("2", "5", "4")}
    assert ladder("rebuild", home=home).stdout == "9 matches from 9 records\n"
    assert matches_of(home) == matches
    for seats, table in tables.items():
        assert told("table", "--seats", seats, "--format", "json", home=home) == table
    done = ladder("table", home=home)
    assert done.exit_code == 2
    assert done.stderr.startswith("bullring: 3 lists fit; choose one with --game, --seats and --option.")


@pytest.mark.slow
def test_deals_played_once_and_deals_played_again_are_never_rated_together(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    run(home, "--seats", "2", "--matches", "2")
    run(home, "--seats", "3", "--matches", "3", "--duplicate")
    once = run(home, "--seats", "2", "--matches", "2", "--duplicate", code=2)
    assert once == (
        "bullring: the 2 matches of standard, 2 seats, deals 1 played each deal once, and are not rated together with others;"
        " leave out --duplicate, or make a new home: bullring ladder init FOLDER\n"
    )
    again = run(home, "--seats", "3", "--matches", "3", code=2)
    assert again == (
        "bullring: the 3 matches of standard, 3 seats, deals 1, duplicate played each deal several times, with --duplicate, and"
        " are not rated together with others; add --duplicate, or make a new home: bullring ladder init FOLDER\n"
    )
    assert run(home, "--game", "tournament", "--duplicate", code=2) == (
        "bullring: a tournament plays each deal with every bot in every seat by its own rules; leave out --duplicate\n"
    )
    assert count(home, "matches") == 5


def in_a_namespace(script: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a shell script that may mount what it likes."""
    return subprocess.run(
        ["unshare", "-rm", "sh", "-euc", script, "sh", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.fixture(scope="module")
def _namespaces(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("mounted")
    try:
        done = in_a_namespace('mount -t tmpfs -o size=1m none "$1"', str(folder))
    except FileNotFoundError:
        pytest.skip("there is no unshare here")
    if done.returncode:
        pytest.skip(f"no mounts in a namespace of our own here: {done.stderr.strip()}")


WRITTEN = ("--seats", "2", "--jobs", "1", "--matches")


@pytest.mark.usefixtures("_namespaces")
@pytest.mark.slow
def test_a_home_that_is_read_only_is_said_in_one_line_and_can_still_be_read(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    run(home, *WRITTEN, "4")
    table = told("table", "--format", "json", home=home)
    script = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; shift; exec "$@"'
    for arguments in (("run", *WRITTEN, "4"), ("add", tiny("last"), "--name", "new")):
        command = [str(BULLRING), "ladder", *arguments, "--home", str(home.path)]
        done = in_a_namespace(script, str(home.path), *command)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.match(rf"bullring: (the (home|store) )?{re.escape(str(home.path))}", done.stderr)
        assert len(done.stderr.splitlines()) == 1
    done = in_a_namespace(
        script, str(home.path), str(BULLRING), "ladder", "table", "--format", "json", "--home", str(home.path)
    )
    assert json.loads(done.stdout) == table, done.stderr
    run(home, *WRITTEN, "4")
    assert count(home, "matches") == 8
    assert intact(home)


@pytest.mark.slow
@pytest.mark.usefixtures("_namespaces")
def test_a_disk_that_runs_full_is_said_in_one_line_and_spoils_nothing(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    script = """
        cp -a "$1/." "$2"
        mount -t tmpfs -o size=700k none "$1"
        cp -a "$2/." "$1"
        run() { "$3" ladder run --home "$1" --seats 2 --jobs 2 --matches "$4"; }
        status=0; run "$1" "$2" "$3" 100000 || status=$?
        echo "exit $status"
        mount --options-mode ignore -o remount,size=64m "$1"
        status=0; run "$1" "$2" "$3" 8 || status=$?
        echo "exit $status"
        cp -a "$1/." "$2"
    """
    (tmp_path / "copy").mkdir()
    done = in_a_namespace(script, str(home.path), str(tmp_path / "copy"), str(BULLRING))
    assert [line for line in done.stdout.splitlines() if line.startswith("exit")] == ["exit 1", "exit 0"], done
    assert "Traceback" not in done.stderr
    complaints = [line for line in done.stderr.splitlines() if line.startswith("bullring: ")]
    assert len(complaints) == 1
    assert all("full" in line or "No space left on device" in line for line in complaints)
    copy = Home(tmp_path / "copy")
    assert intact(copy)
    assert count(copy, "playing") == 0
    assert count(copy, "matches WHERE counted") >= 8
    before = told("table", "--format", "json", home=copy)
    assert "left out" not in ladder("rebuild", home=copy).stdout
    assert told("table", "--format", "json", home=copy) == before
    assert left_over(copy) == []
