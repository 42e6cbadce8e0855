"""Finding out why a bot did something: the wire, the logs."""

import json
from pathlib import Path

import pytest

from bullring.arena.display.wire import DIALECTS
from bullring.arena.records.reading import read_lines
from bullring.protocol.encoding import ENCODERS
from tests.support.command import POLITE, bullring, command_of, here
from tests.support.record import record_of
from tests.support.scripted import first_option, referee, silent
from tests.support.wire import sent_in

QUICK = ("--deals", "1", "--time", "5s", "--time", "start=30s")


@pytest.fixture(name="record")
def _record(tmp_path: Path) -> Path:
    path = tmp_path / "m.jsonl"
    referee(first_option, silent, record=path)
    return path


def test_the_wire_in_json_lines_is_a_line_for_each_message(record: Path) -> None:
    shown = here("replay", str(record), "--wire", "0").stdout.splitlines()
    assert "ids" in shown[0]
    sent = [line[9:].strip() for line in shown if line.startswith("referee:")]
    assert sent == [data.decode().strip() for data in sent_in(read_lines(record), 0, ENCODERS[DIALECTS["json"]])]
    said = [json.loads(line[9:]) for line in shown if line.startswith("bot:")]
    assert [message["type"] for message in said] == ["hello"] + ["choice"] * (len(sent) - 2)
    assert "# after 0 ms of 1000 ms" in shown


@pytest.mark.parametrize("dialect", ["msgpack", "frames"])
def test_the_wire_in_msgpack_has_its_bytes_in_hexadecimal_digits(record: Path, dialect: str) -> None:
    shown = here("replay", str(record), "--wire", "0", "--dialect", dialect).stdout.splitlines()
    starts = [number for number, line in enumerate(shown) if line.startswith("referee:")]
    for start, data in zip(starts, sent_in(read_lines(record), 0, ENCODERS[DIALECTS[dialect]]), strict=True):
        digits = ""
        for line in shown[start + 1 :]:
            if line.startswith(("#", "bot:", "referee:")) or not line:
                break
            digits += line[:48]
        assert bytes.fromhex(digits) == data
        assert shown[start].endswith(f", {len(data)} bytes")


def test_faults_stand_where_they_happened_with_what_came(record: Path) -> None:
    shown = here("replay", str(record), "--wire", "1").stdout
    assert shown.count("# fault: timeout after 1000 ms: expected an answer within 1000 ms\n#        got nothing\n") == 3
    assert "# the referee played " in shown
    assert "The seat is closed" in shown
    assert "match_over" not in shown


def test_the_wire_as_json_is_an_object_for_each_message(record: Path) -> None:
    found = [json.loads(line) for line in here("replay", str(record), "--wire", "1", "--json").stdout.splitlines()]
    assert [one["message"]["type"] for one in found[:3]] == ["hello", "welcome", "decide"]
    assert found[3]["fault"]["kind"] == "timeout"
    assert {one["from"] for one in found} == {"bot", "referee"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--wire", "3"], "0 to 1"),
        (["--wire", "0", "--stderr", "0"], "either"),
        (["--dialect", "json"], "--wire"),
        (["--wire", "0", "--dialect", "xml"], "frames"),
        (["--stderr", "7"], "0 to 1"),
    ],
)
def test_what_cannot_be_shown_is_told(record: Path, options: list[str], message: str) -> None:
    done = here("replay", str(record), *options)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_names_and_faults_cannot_write_to_the_terminal_by_the_wire(tmp_path: Path) -> None:
    record = record_of(tmp_path / "m.jsonl", seats=2)
    text = record.read_text().replace('"bot 0"', '"\\u001b[31mred"').replace('"nothing"', '"\\u001b[2J"')
    record.write_text(text)
    shown = here("replay", str(record), "--wire", "0")
    assert shown.exit_code == 0
    assert "\x1b" not in shown.stdout
    assert "\\x1b[2J" in shown.stdout


def test_after_a_match_a_person_is_told_where_the_logs_are(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    chatty = command_of("chatty")
    done = bullring("match", chatty, POLITE, *QUICK, "--record", str(record))
    (line,) = [line for line in done.stdout.splitlines() if "to stderr" in line]
    assert line.startswith("seat 0 wrote ")
    command = line.partition("read it with: bullring ")[2].split()
    log = bullring(*command).stdout
    assert log
    assert line in bullring("replay", str(record)).stdout
    assert "--stderr 0" in bullring("match", chatty, POLITE, *QUICK).stdout
