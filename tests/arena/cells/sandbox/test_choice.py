"""Which sandbox a run gets, and what is refused."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import remembered
from bullring.arena.cells.sandbox.bwrap import arguments
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.promises import NAMES
from bullring.arena.cells.sandbox.proof import prove
from bullring.arena.cells.sandbox.seccomp import policy
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.match.records.reader import read_lines
from bullring.errors import HostError, SandboxError, first_error
from tests.support.command import BULLRING, bullring, command_of
from tests.support.patience import PATIENCE
from tests.support.processes import BOTS
from tests.support.tiers import need

POLITE = command_of("polite")
SAMPLE = str(Path(__file__).parents[4] / "sample_bots" / "python" / "random")


@pytest.fixture(autouse=True)
def always_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these tests change is in this process alone, where no remembered proof can know it."""
    monkeypatch.setattr(remembered, "LASTS", 0.0)


def opened(wish: Wish) -> str:
    async def look() -> str:
        async with open_sandbox(wish) as sandbox:
            return sandbox.tier.name

    try:
        return trio.run(look)
    except BaseExceptionGroup as group:
        raise first_error(group) from None


def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> arguments.Bubblewrap:
        raise HostError("bubblewrap is not installed; on Debian and Ubuntu: apt install bubblewrap")

    monkeypatch.setattr(arguments, "find", missing)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")


def test_auto_takes_bubblewrap_where_it_is_proven() -> None:
    need("bwrap")
    assert opened(Wish()) == "bwrap"


def test_without_a_tier_for_strangers_nothing_is_started_and_the_reason_of_each_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_bubblewrap(monkeypatch)
    with pytest.raises(SandboxError) as caught:
        opened(Wish())
    text = str(caught.value)
    assert "apt install bubblewrap" in text
    assert "docker: the container engine at /nonexistent/docker.sock does not answer" in text
    assert "--allow-unsandboxed" in text
    assert "bullring doctor" in text


def test_who_trusts_the_bots_gets_the_next_best(monkeypatch: pytest.MonkeyPatch) -> None:
    need("landlock")
    without_bubblewrap(monkeypatch)
    assert opened(Wish(allow_unsandboxed=True)) == "landlock"


@pytest.mark.parametrize(
    ("tier", "told"),
    [("landlock", "landlock is not meant for strangers' programs"), ("none", "`--sandbox none` confines nothing")],
)
def test_tiers_that_are_not_for_strangers_have_to_be_allowed(tier: str, told: str) -> None:
    with pytest.raises(SandboxError, match=told):
        opened(Wish(tier))


def test_a_filter_that_lets_everything_through_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    need("bwrap")
    allow_all = bytes.fromhex("0600 0000 0000ff7f")
    monkeypatch.setattr("bullring.arena.cells.sandbox.seccomp.bpf.program", lambda rules, machine: allow_all)
    with pytest.raises(SandboxError, match=r"bwrap: .*system calls: clone3"):
        opened(Wish("bwrap"))


def test_a_cell_that_shows_the_whole_machine_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    need("bwrap")
    options_of = arguments.options_of
    monkeypatch.setattr(arguments, "options_of", lambda *given: [*options_of(*given), "--bind", "/tmp", "/tmp"])
    with pytest.raises(SandboxError, match="files: reading what is not its own"):
        opened(Wish("bwrap"))


@pytest.mark.parametrize("tier", ["bwrap", "landlock"])
def test_a_filter_that_lets_bots_change_their_share_of_the_processor_is_noticed(
    tier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(tier)
    monkeypatch.setattr(policy, "_RULES", [rule for rule in policy._RULES if rule.error != policy.IN_NAME_ONLY])
    calls = "sched_setaffinity setpriority sched_setscheduler sched_setattr ioprio_set"
    monkeypatch.setitem(policy._ALLOWED, "its share", calls)
    with pytest.raises(SandboxError, match=r"time: its share of the processor \(it changed"):
        opened(Wish(tier, allow_unsandboxed=True))


@pytest.mark.parametrize("tier", ["bwrap", "landlock"])
def test_the_proof_is_thorough_where_it_may_be(tier: str) -> None:
    need(tier)

    async def look() -> list[str]:
        async with open_sandbox(Wish(tier, allow_unsandboxed=True, freeze=True)) as sandbox:
            proof = await prove(sandbox, thorough=True)
            assert proof.holds, proof.text()
            return [each.name for each in proof.tries]

    names = trio.run(look)
    assert "caps: memory" in names
    assert len(names) >= 16


def test_a_match_says_in_which_sandbox_it_was_played(tmp_path: Path) -> None:
    need("bwrap")
    record = tmp_path / "m.jsonl"
    done = bullring("match", SAMPLE, SAMPLE, "--deals", "1", "--sandbox", "bwrap", "--freeze", "--record", str(record))
    assert done.returncode == 0, done.stderr
    head = json.loads(record.read_text().splitlines()[0])
    assert head["sandbox"] == "bwrap"
    assert head["freeze"] is True
    told = done.stderr.splitlines()[0]
    assert told.startswith("sandbox bwrap: every promise")
    assert [name for name in NAMES if f" {name} (" in told] == head["lacks"]
    assert read_lines(record).finished


def test_a_bot_in_bubblewrap_cannot_read_the_record_that_is_being_written(tmp_path: Path) -> None:
    need("bwrap")
    (tmp_path / "peeps.py").write_text(
        "import sys\nfrom polite import play\n"
        "def look(number, question):\n"
        "    try:\n        print('I saw', len(open('m.jsonl').read()), file=sys.stderr)\n"
        "    except OSError as error:\n        print('I saw nothing:', error, file=sys.stderr)\n"
        "play(look)\n"
    )
    polite = BOTS / "polite.py"
    (tmp_path / "polite.py").write_text(polite.read_text())
    peeps = "python3 peeps.py"
    done = bullring("match", peeps, peeps, "--deals", "1", "--sandbox", "bwrap", "--record", "m.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr + done.stdout
    text = (tmp_path / "m.jsonl").read_text()
    assert "I saw nothing" in text
    assert not re.search(r"I saw \d*[1-9]", text)


def test_a_refusal_is_one_clear_line_and_exit_code_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BULLRING_ALLOW_UNSANDBOXED")
    done = bullring("match", POLITE, POLITE, "--sandbox", "none")
    assert done.returncode == 2
    assert done.stderr.startswith("bullring: `--sandbox none` confines nothing; add --allow-unsandboxed")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_doctor_tells_of_every_tier_what_was_tried() -> None:
    need("bwrap")
    done = bullring("doctor", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {each["tier"] for each in found["tiers"]} == set(TIERS)
    (best,) = [each for each in found["tiers"] if each["tier"] == "bwrap"]
    assert best["proven"]
    assert all(each["held"] for each in best["tries"])
    assert list(best["promises"]) == list(NAMES)
    assert best["promises"]["network"] == {"grade": "proven now", "missing": None, "remedy": None}


@pytest.mark.slow
def test_the_doctor_tells_it_to_people() -> None:
    need("bwrap")
    text = bullring("doctor").stdout
    assert "--sandbox auto takes bwrap." in text
    assert re.match(r"promise +bwrap.*\nnetwork +proven now", text)
    assert "held  files: writing" not in text
    assert "held  files: writing" in bullring("doctor", "--all").stdout


@pytest.mark.parametrize("word", ["python3", "python"])
def test_the_python_of_a_virtual_environment_in_the_path_runs_a_bot(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("bwrap")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    bot = BOTS / "polite.py"
    done = bullring("match", f"{word} {bot}", SAMPLE, "--deals", "1", "--sandbox", "bwrap", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_pipe_that_is_closed_early_is_no_traceback_of_the_doctor() -> None:
    need("bwrap")
    done = subprocess.run(
        ["sh", "-c", f"{BULLRING} doctor | head -1"], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "Traceback" not in done.stderr
