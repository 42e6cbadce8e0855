"""`bullring check` as its user meets it."""

import json
import re
import sys
from pathlib import Path

from tests.arena.match.checking.test_check import BOTS
from tests.support.command import bullring, here

UNCONFINED = ("--sandbox", "none", "--allow-unsandboxed", "--time", "2s", "--time", "start=20s")


def test_a_right_bot() -> None:
    done = here("check", f"{sys.executable} {BOTS}/right.py", "--game", "standard", "--game", "eleven", *UNCONFINED)
    assert done.exit_code == 0, done.stdout + done.stderr
    first, files, *steps, last = done.stdout.splitlines()
    assert first.startswith("checking ")
    assert first.endswith(" in the tier none")
    assert files.startswith("files: those of a command line are not copied")
    assert [line[:12] for line in steps if line[:3].strip()][:3] == ["  1 SKIPPED ", "  2 PASS    ", "  3 PASS    "]
    assert any("plays eleven: " in line for line in steps)
    assert not any("plays hand" in line for line in steps)
    assert re.fullmatch(r"20 steps in the tier none: (19 passed, 1|18 passed, 2) skipped; this bot can play", last)


def test_a_wrong_bot_as_json() -> None:
    done = here("check", f"{sys.executable} {BOTS}/wrong.py gives_up", "--game", "standard", "--json", *UNCONFINED)
    assert done.exit_code == 3, done.stderr
    facts = json.loads(done.stdout)
    assert facts["passed"] is False
    assert facts["sandbox"] == "none"
    (failed,) = [step for step in facts["steps"] if step["verdict"] == "fail"]
    assert failed["step"] == "fault"
    assert "illegal: expected one of the options" in failed["stderr"]
    assert failed["remedy"] == "go on after a fault: the next question is like any other"
    assert failed["exit"] == "exited with status 1"
    assert any('"fault"' in line for line in failed["traffic"])
    assert facts["steps"][1]["found"].startswith("hello after ")


def test_what_a_hostile_bot_prints_does_nothing_to_a_terminal() -> None:
    done = bullring("check", f"{sys.executable} {BOTS}/wrong.py shows_off", "--game", "standard", *UNCONFINED)
    assert done.returncode == 3
    for line in done.stdout.splitlines():
        assert line.isprintable()
    results = [line for line in done.stdout.splitlines() if re.match(r" *\d+ (PASS|FAIL|SKIPPED) ", line)]
    numbers = [int(line.split()[0]) for line in results]
    assert numbers == sorted(set(numbers)), "no line of its own looks like one of ours"
    assert results[-1].split()[:2] == ["19", "PASS"]


def test_what_follows_from_a_failure_takes_one_line() -> None:
    done = here("check", f"{sys.executable} {BOTS}/wrong.py ends_at_once", *UNCONFINED)
    assert done.exit_code == 3
    *_, skipped, last = done.stdout.splitlines()
    assert skipped == "  3 SKIPPED says hello, and all up to step 29: because of step 2"
    assert last.startswith("29 steps in the tier none: 1 failed, 28 skipped; mend the first one that failed")


def test_the_steps_are_those_of_the_document() -> None:
    document = (Path(__file__).parents[2] / "docs" / "debugging.md").read_text("utf-8")
    said = re.findall(r"^\| (.+?) \| .+ \|$", document.split("## Find out why")[0], re.MULTILINE)[2:]
    done = here("check", f"{sys.executable} {BOTS}/wrong.py ends_at_once", "--game", "standard", "--json", *UNCONFINED)
    titles = [step["title"].replace("standard", "GAME") for step in json.loads(done.stdout)["steps"]]
    assert titles == said
