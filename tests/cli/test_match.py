"""`bullring match`, `replay` and `verify` as a user tries them."""

import json
import shutil
import sys
from pathlib import Path

from tests.support.command import POLITE, bullring, command_of, here

QUICK = ("--deals", "1", "--time", "5s", "--time", "start=30s")


def test_a_match_prints_one_json_object_with_all_a_program_wants(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    done = bullring("match", POLITE, POLITE, POLITE, *QUICK, "--seed", "42", "--json", "--record", str(record))
    assert done.returncode == 0
    facts = json.loads(done.stdout)
    assert facts["game"] == "standard"
    assert facts["options"] == {"target": 66, "target_rule": "over", "deals": 1}
    assert facts["seed"] == "42"
    assert facts["record"] == str(record)
    assert facts["void"] is False
    assert [seat["seat"] for seat in facts["seats"]] == [0, 1, 2]
    for seat in facts["seats"]:
        assert seat["bot"].startswith(POLITE)
        assert seat["faults"] == []
        timing = seat["decisions"]
        assert timing["count"] >= 10
        assert 0 < timing["median_ms"] <= timing["p99_ms"] <= timing["max_ms"]
    by_score = sorted(facts["seats"], key=lambda seat: seat["score"])
    assert by_score[0]["rank"] == 1


def test_the_same_seed_gives_the_same_match_and_no_seed_another_one() -> None:
    def scores(*extra: str) -> tuple[str, list[int]]:
        facts = json.loads(here("match", POLITE, POLITE, *QUICK, "--json", *extra).stdout)
        return facts["seed"], [seat["score"] for seat in facts["seats"]]

    assert scores("--seed", "a") == scores("--seed", "a")
    (one, _), (two, _) = scores(), scores()
    assert one != two
    assert len(one) == 64


def test_a_record_verifies_and_replays(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    assert here("match", POLITE, POLITE, *QUICK, "--record", str(record)).exit_code == 0
    verified = here("verify", str(record))
    assert verified.exit_code == 0
    assert "verified: 1 deal" in verified.stdout
    told = here("replay", str(record))
    assert told.exit_code == 0
    assert "turn 10" in told.stdout
    assert "takes row" in told.stdout or "rows  1:" in told.stdout
    events = [json.loads(line) for line in here("replay", str(record), "--json").stdout.splitlines()]
    assert [event["type"] for event in events if event["type"] in ("match", "deal", "deal_over", "match_over")] == [
        "match",
        "deal",
        "deal_over",
        "match_over",
    ]
    assert sum(event["type"] == "play" for event in events) == 10


def test_watch_shows_the_new_match_and_not_the_record_it_overwrites(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    here("match", POLITE, POLITE, *QUICK, "--seed", "old", "--record", str(record))
    old = json.loads(record.read_text().splitlines()[0])["commitment"]
    wish = ("--seed", "new", "--record", str(record), "--overwrite", "--watch")
    done = bullring("match", POLITE, POLITE, *QUICK, *wish)
    assert done.returncode == 0
    assert "turn 10" in done.stdout
    assert "\x1b" not in done.stdout
    assert json.loads(record.read_text().splitlines()[0])["commitment"] in done.stdout
    assert old not in done.stdout
    assert record.stat().st_mode & 0o077 == 0


def test_watch_with_json_keeps_stdout_for_the_object() -> None:
    done = bullring("match", POLITE, POLITE, *QUICK, "--watch", "--json")
    assert json.loads(done.stdout)["void"] is False
    assert "turn 10" in done.stderr


def test_many_matches_rotate_the_seats_and_end_in_a_summary(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    done = here("match", POLITE, command_of("pid"), *QUICK, "--matches", "3", "--json", "--record", str(folder))
    seats = [[seat["bot"] for seat in json.loads(line)["seats"]] for line in done.stdout.splitlines()]
    assert seats[0] == seats[1][::-1] == seats[2]
    files = sorted(folder.iterdir())
    assert len(files) == 3
    assert all(here("verify", str(file)).exit_code == 0 for file in files)
    summary = here("match", POLITE, POLITE, *QUICK, "--matches", "2").stdout
    assert "± 95 %" in summary


def test_a_bot_at_fault_gives_exit_code_3_and_a_report_its_author_can_use() -> None:
    done = here("match", command_of("crash"), POLITE, *QUICK)
    assert done.exit_code == 3
    assert "crash (deal 1, turn" in done.stdout
    assert "my strategy has a hole" in done.stdout
    facts = json.loads(here("match", command_of("crash"), POLITE, *QUICK, "--json").stdout)
    (fault,) = facts["seats"][0]["faults"]
    assert fault["kind"] == "crash"
    assert fault["exit"] == "exited with status 1"
    assert "my strategy has a hole" in fault["stderr"]
    assert facts["seats"][0]["rank"] == 2


def test_a_manifest_names_the_bot_and_runs_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\nrun = ["{python}", "main.py"]\n')
    source = Path(POLITE.split()[1]).read_text()
    (folder / "main.py").write_text(source)
    facts = json.loads(bullring("match", str(folder), "mine", POLITE, *QUICK, "--json", cwd=tmp_path).stdout)
    assert [seat["bot"] for seat in facts["seats"]] == ["mine #1", "mine #2", POLITE]


def test_settings_come_from_a_file_and_the_command_line_goes_before_it(tmp_path: Path) -> None:
    config = tmp_path / "arena.toml"
    config.write_text('[time]\nstart = "30s"\ncard = "2s"\nbank = "1s"\n[bots]\nrestart = "match"\n')
    record = tmp_path / "m.jsonl"
    here("match", POLITE, POLITE, "--deals", "1", "--config", str(config), "--time", "card=4s", "--record", str(record))
    limits = json.loads(record.read_text().splitlines()[0])["limits"]
    assert limits == {
        "start_us": 30_000_000,
        "card_us": 4_000_000,
        "row_us": 1_000_000,
        "other_us": 1_000_000,
        "bank_us": 1_000_000,
    }


def test_strangers_names_do_no_harm_to_a_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "evil"
    folder.mkdir()
    shutil.copy(POLITE.split()[1], folder / "polite.py")  # other folders the bot may not be allowed to enter
    (folder / "bot.toml").write_text('name = "\\u001b[2J[red]x\\n\\u202e"\nrun = ["{python}", "polite.py"]\n')
    for extra in ((), ("--watch",)):
        done = bullring("match", str(folder), POLITE, *QUICK, *extra)
        assert done.returncode == 0
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout
        assert "\\x1b[2J[red]x" in done.stdout


def test_games_are_listed_for_people_and_programs() -> None:
    games = {game["id"]: game for game in json.loads(here("games", "--json").stdout)}
    assert {"standard", "tactics", "online"} <= set(games)
    assert games["standard"]["seats"] == [2, 10]
    assert games["online"]["seats"] == [4, 4]
    assert "taktik" in games["tactics"]["aliases"]
    assert games["standard"]["options"]["target_rule"]["choices"] == ["over", "reach"]
    assert "tactics" in here("games").stdout


def test_a_remedy_at_the_end_of_a_long_text_is_shown(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("print('Warning: ' + 'something is odd ' * 15, flush=True)\ninput()\n")
    done = here("match", f"{sys.executable} {bot}", POLITE, *QUICK)
    shown = " ".join(done.stdout.split())
    assert "the text 'Warning: something is odd" in shown
    assert "print to stderr; PHP prints its warnings to stdout unless display_errors = stderr)" in shown
