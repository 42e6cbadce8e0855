"""Finding out why a bot did something: the wire, the logs."""

import json
import re
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.display.wire import DIALECTS
from bullring.protocol.encoding import ENCODERS
from tests.support.command import BULLRING, POLITE, bullring, command_of, here
from tests.support.patience import PATIENCE
from tests.support.processes import BOTS
from tests.support.record import record_of, sent_in
from tests.support.scripted import first_option, referee, silent

QUICK = ("--deals", "1", "--time", "5s", "--time", "start=30s")


@pytest.fixture(name="record", scope="module")
def _record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of a match in which seat 1 is silent. Only to be read."""
    path = tmp_path_factory.mktemp("record") / "m.jsonl"
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
    assert shown.count("# fault: timeout after 1000 ms: expected an answer within 1000 ms\n#        got nothing") == 3
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
    done = here("match", chatty, POLITE, *QUICK, "--record", str(record))
    (line,) = [line for line in done.stdout.splitlines() if "to stderr" in line]
    assert line.startswith("seat 0 wrote ")
    command = line.partition("read it with: bullring ")[2].split()
    log = here(*command).stdout
    assert log
    assert line in here("replay", str(record)).stdout
    assert "--stderr 0" in here("match", chatty, POLITE, *QUICK).stdout


COUNTING = """
import json, sys
print(json.dumps({"type": "hello", "protocol": 1, "name": "counting"}), flush=True)
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        sys.stderr.write(line)
        asked += 1
        option = message["options"][asked % len(message["options"])]
        print(json.dumps({"type": "choice", "id": message["id"], "option": option}), flush=True)
    elif message["type"] == "welcome":
        seed = message["seed"]
print("the end", file=sys.stderr)
"""
"""A bot with a memory, which shows what it is asked."""


@pytest.fixture(name="counting", scope="module")
def _counting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot with a memory, with a record of it at seat 0. Only to be read."""
    folder = tmp_path_factory.mktemp("why") / "counting"
    folder.mkdir()
    (folder / "bot.py").write_text(COUNTING)
    (folder / "bot.toml").write_text('name = "counting"\nrun = ["{python}", "bot.py"]\n')
    record = folder.parent / "counting.jsonl"
    assert here("match", str(folder), POLITE, *QUICK, "--record", str(record)).exit_code == 0
    return folder


def test_a_bot_with_a_memory_answers_a_question_again_as_in_the_match(counting: Path) -> None:
    record = str(counting.parent / "counting.jsonl")
    done = here("ask", str(counting), "--from", record, "--deal", "1", "--turn", "4", "--kind", "card")
    assert done.exit_code == 0
    assert "deal 1, turn 4, card (line" in done.stdout
    assert ": the same" in done.stdout
    assert "  hand " in done.stdout
    assert "| the end" in done.stdout, "what it writes after its answer is shown, too"
    alone = here("ask", str(counting), "--from", record, "--turn", "4", "--kind", "card", "--alone", "--json")
    assert alone.exit_code == 1
    assert json.loads(alone.stdout)["differs"] is True


def test_a_bot_is_asked_the_very_questions_of_the_record(counting: Path) -> None:
    record = counting.parent / "counting.jsonl"
    done = here("ask", str(counting), "--from", str(record), "--all", "--json")
    assert done.exit_code == 0
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    asked = [json.loads(reply["stderr"].splitlines()[0]) for reply in replies]
    wire = [json.loads(data) for data in sent_in(read_lines(record), 0, ENCODERS[DIALECTS["json"]])]
    recorded = [message for message in wire if message["type"] == "decide"]
    assert [{**one, "id": 0} for one in asked] == [{**one, "id": 0} for one in recorded]
    assert len({one["id"] for one in asked}) == len(asked)
    assert not any(reply["differs"] or reply["fault"] for reply in replies)


def test_the_wire_of_a_real_match_is_what_its_bot_read(counting: Path) -> None:
    """The bot writes every question to its stderr. Nothing is virtual here: times and clocks are those of real processes."""
    record = counting.parent / "counting.jsonl"
    log = here("replay", str(record), "--stderr", "0").stdout.splitlines()
    read = [re.sub('"id":[0-9]+', '"id":0', line) for line in log if line.startswith("{")]
    wire = [data.decode().strip() for data in sent_in(read_lines(record), 0, ENCODERS[DIALECTS["json"]])]
    sent = [re.sub('"id":[0-9]+', '"id":0', line) for line in wire if '"type":"decide"' in line]
    assert read == sent


def test_another_bot_answers_otherwise_and_a_table_says_where(counting: Path) -> None:
    record = str(counting.parent / "counting.jsonl")
    done = here("ask", POLITE, "--from", record, "--seat", "0", "--all")
    assert done.exit_code == 1
    shown = done.stdout.splitlines()
    differing = int(shown[-1].partition(": ")[2].split()[0])
    assert differing > 0
    assert shown[-1].endswith("not as in the record, 0 faults")
    assert sum(" card " in line or " row " in line for line in shown) == differing


def test_a_bot_at_fault_is_told_and_asked_no_more_than_in_a_match(counting: Path) -> None:
    record = str(counting.parent / "counting.jsonl")
    done = here("ask", command_of("crash"), "--from", record, "--seat", "0", "--turn", "9", "--kind", "card")
    assert done.exit_code == 3
    assert "0 questions" in done.stdout
    assert "were not asked, as the seat is lost" in done.stdout
    table = here("ask", command_of("crash"), "--from", record, "--seat", "0", "--all")
    assert table.exit_code == 3
    assert "fault: crash" in table.stdout
    assert "got      the end of its output" in table.stdout


def test_a_bot_of_a_ladder_is_asked_by_its_name(counting: Path, tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    assert here("ladder", "init", home).exit_code == 0
    assert here("ladder", "add", str(counting), "--name", "mine", "--home", home).exit_code == 0
    record = str(counting.parent / "counting.jsonl")
    done = here("ask", "mine", "--home", home, "--from", record, "--seat", "0", "--turn", "2")
    assert done.exit_code == 0
    missing = here("ask", "yours", "--home", home, "--from", record, "--seat", "0", "--turn", "2")
    assert missing.exit_code == 2
    assert "its bots: mine" in missing.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--all"),
        (["--turn", "99"], "was not asked turn 99"),
        (["--all", "--seat", "2"], "0 to 1"),
        (["--all"], "--seat: 0 bot 0, 1 bot 1"),
    ],
)
def test_questions_that_there_are_not_are_told(record: Path, options: list[str], message: str) -> None:
    seat = ["--seat", "0"] if "--turn" in options or not options else []
    done = here("ask", "@greedy", "--from", str(record), *options, *seat)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_move_of_the_referee_is_shown_and_not_compared(record: Path) -> None:
    done = here("ask", "@greedy", "--from", str(record), "--seat", "1", "--turn", "1")
    assert done.exit_code == 0
    assert "by the referee, after a fault: timeout" in done.stdout


ATTACHED = """
import os, socket, sys
line = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
os.dup2(line.fileno(), 0)
os.dup2(line.fileno(), 1)
sys.path.insert(0, sys.argv[2])
import polite
polite.play(lambda number, question: None)
"""


def test_a_seat_is_left_to_a_bot_that_a_person_starts(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    arguments = ["match", POLITE, "--attach", "0=0", "--no-clock", *QUICK, "--record", str(record), "--json"]
    with subprocess.Popen([BULLRING, *arguments], stdout=PIPE, stderr=PIPE, text=True) as referee_:
        assert referee_.stderr is not None
        port = next(found[1] for line in referee_.stderr if (found := re.search(r"on port (\d+)", line)))
        command = [sys.executable, "-c", ATTACHED, port, str(BOTS)]
        assert subprocess.run(command, timeout=PATIENCE, check=False).returncode == 0
        said, _ = referee_.communicate(timeout=PATIENCE)
    assert referee_.returncode == 0
    assert [seat["bot"] for seat in json.loads(said)["seats"]] == ["attached", POLITE]
    assert bullring("verify", str(record)).returncode == 0
    wire = here("replay", str(record), "--wire", "0").stdout
    assert "did not bind" in wire
    assert "nobody could be late" in here("replay", str(record)).stdout
    assert "attached) wrote nothing" in here("replay", str(record), "--stderr", "0").stderr
    assert '"clock":"wall"' in wire


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--attach", "5=4000"], "a seat from 0 to 2"),
        (["--attach", "x"], "SEAT=PORT"),
        (["--attach", "0=70000"], "a port from 1 to 65535"),
        (["--attach", "0=1", "--attach", "0=2"], "duplicate seat 0"),
        (["--stderr", "2"], "0 to 1"),
        (["--attach", "0=0", "--stderr", "0"], "where you start it"),
    ],
)
def test_what_cannot_be_attached_or_overheard_is_told(options: list[str], message: str) -> None:
    done = here("match", "@greedy", "@random", *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_what_a_bot_writes_is_shown_at_once_and_harmlessly(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(COUNTING.replace("sys.stderr.write(line)", 'sys.stderr.write("\\x1b[2Jasked\\n")'))
    done = bullring("match", POLITE, f"{sys.executable} {bot}", *QUICK, "--stderr", "1", "--json")
    assert done.returncode == 0
    lines = [line for line in done.stderr.splitlines() if line.startswith("1 ")]
    assert lines[0].endswith(" | \\x1b[2Jasked")
    assert lines[-1].endswith(" | the end")
    assert json.loads(done.stdout)
