"""Bad input gets one clear line and exit code 2, never a traceback, and loses nothing."""

from pathlib import Path

import pytest

from tests.support.command import POLITE, bullring, here

TWO = (POLITE, POLITE)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("match", "no/such/folder", POLITE), "no/such/folder: there is no such folder or program"),
        (("match", "no-such-program", POLITE), "there is neither a folder nor a program 'no-such-program'"),
        (("match", "", POLITE), "not an empty string"),
        (("match", "python3 'unclosed", POLITE), "is not a command line"),
        (("match", "/", POLITE), "must hold a bot.toml"),
        (("match", POLITE), "standard is for 2 to 10 seats, not 1"),
        (("match", *[POLITE] * 11), "standard is for 2 to 10 seats, not 11"),
        (("match", *TWO, "--game", "online"), "online is for 4 seats, not 2"),
        (("match", *TWO, "--game", "skat"), "there is no game 'skat'; the games are: standard"),
        (("match", *TWO, "--option", "colour=red"), "standard has no option 'colour'; its options: target"),
        (("match", *TWO, "--option", "target"), "--option must be KEY=VALUE"),
        (("match", *TWO, "--deals", "0"), "option deals must be a whole number from 1"),
        (("match", *TWO, "--deals", "2", "--option", "deals=3"), "duplicate option deals"),
        (("match", *TWO, "--deals", "2", "--target", "50"), "give one of them"),
        (("match", *TWO, *TWO, "--game", "online", "--deals", "2"), "online has no option 'deals'"),
        (("match", *TWO, "--time", "soon"), "a duration is a number with its unit"),
        (("match", *TWO, "--time", "lunch=1s"), "--time is DURATION or NAME=DURATION, NAME being start, card"),
        (("match", *TWO, "--time", "card=0ms"), "is not between"),
        (("match", *TWO, "--pace", "slow"), "--pace: a duration"),
        (("match", *TWO, "--seed", "two words"), "a seed is 1 to 64 letters"),
        (("match", *TWO, "--seed", ""), "a seed is 1 to 64 letters"),
        (("match", *TWO, "--config", "/no/such.toml"), "/no/such.toml cannot be read"),
        (("match", *TWO, "--matches", "0"), "--matches"),
        (("match", *TWO, "--start", "2"), "--start must be a seat from 0 to 1, not 2"),
        (("replay", "/no/such.jsonl"), "bullring: /no/such.jsonl cannot be read"),
        (("verify", "/no/such.jsonl"), "bullring: /no/such.jsonl cannot be read"),
        (("verify", "/"), "cannot be read"),
        (("dance",), "there is no command 'dance'"),
        (("mach", *TWO), "there is no command 'mach' (did you mean 'match'?)"),
    ],
)
def test_mistakes_on_the_command_line(arguments: tuple[str, ...], says: str) -> None:
    done = here(*arguments)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ("name = ", "is not valid TOML"),
        ('name = "x"\nrun = ["python3 bot.py"]\n', 'quote each word by itself: ["python3", "bot.py"]'),
        ('name = "x"\nrun = ["bot.toml"]\n', "for the file in the folder, write ./bot.toml"),
        ('name = "x"\nrun = ["bot.py"]\n', 'write "python3 bot.py", or in a bot.toml: ["python3", "bot.py"]'),
        ('name = "x"\nrun = ["./bot.py"]\n', 'is not executable; write "python3 ./bot.py"'),
        ('\xef\xbb\xbfname = "x"\nrun = ["python3"]\n', "begins with a byte order mark; save it as UTF-8 without one"),
        ('name = ""\nrun = ["python3"]\n', "name: must not be empty\n"),
        ('name = "x"\nruns = ["python3"]\n', "unknown key 'runs' (did you mean 'run'?)"),
        ('name = "x"\nrun = ["./missing"]\n', "there is no program"),
        ('name = "x"\nrun = ["/bin/../home/x"]\n', "there is no program"),
        ('name = "x"\nrun = ["python3"]\nimage = "--privileged"\n', "image: has characters that are not allowed"),
        ('name = "x"\nrun = ["no-such-program"]\n', "neither a folder nor a program 'no-such-program'"),
        ("\xff\xfe", "cannot be read"),
    ],
)
def test_mistakes_in_a_manifest_are_named_with_their_file(manifest: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(manifest.encode("latin-1"))
    (tmp_path / "bot.py").touch()
    done = here("match", str(tmp_path), POLITE)
    assert done.exit_code == 2
    assert says in done.stderr
    assert "bot.toml" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("[time]\ncard = 5\n", "time.card: a duration is a string with its unit"),
        ('[time]\ncard = "5"\n', "time.card: a duration is a number with its unit"),
        ('[time]\nlunch = "5s"\n', "time: unknown key 'lunch'; known: start, card, row"),
        ('[time]\ncart = "5s"\n', "time: unknown key 'cart' (did you mean 'card'?)"),
        ("[bots]\nmemory_mib = 1\n", "bots.memory_mib: must be at least 16"),
        ("time", "is not valid TOML"),
    ],
)
def test_mistakes_in_a_settings_file(settings: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.toml"
    path.write_text(settings)
    done = here("match", *TWO, "--config", str(path))
    assert done.exit_code == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_bot_that_asks_for_more_than_the_arena_gives_is_refused_with_the_figures(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "greedy one"\nrun = ["python3"]\n[limits]\nmemory_mib = 4096\n')
    done = here("match", str(tmp_path), POLITE)
    assert done.exit_code == 2
    assert done.stderr == (
        "bullring: greedy one asks for memory_mib = 4096, but at most 1024 is allowed here;"
        " to allow more, raise memory_mib under [bots] in the settings file\n"
    )


@pytest.mark.parametrize(
    ("record", "extra", "code", "says"),
    [
        ("file", ("--matches", "2"), 1, "{}/file is a file; with --matches, give --record a folder"),
        ("file", (), 2, "{}/file exists and is not a record, so it is not overwritten; give --record another"),
        ("", (), 1, "{} is a folder; give --record a file, or play several --matches"),
        ("no/m.jsonl", (), 1, "the folder {}/no does not exist, so no record can be written to it; make it first"),
    ],
)
def test_a_place_for_records_is_checked_before_anything_is_started(
    record: str, extra: tuple[str, ...], code: int, says: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("years of work")
    done = here("match", *TWO, "--record", str(tmp_path / record), *extra)
    assert (done.exit_code, done.stderr) == (code, f"bullring: {says.format(tmp_path)}\n")
    assert (tmp_path / "file").read_text() == "years of work"


def test_a_record_is_replaced_only_by_a_wish_and_before_anything_is_started(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text('{"bullring":2}\n')
    folder = tmp_path / "matches"
    folder.mkdir()
    (folder / "match-2.jsonl").write_text('{"bullring":2}\n')
    for wish in (["--record", str(path)], ["--record", str(folder), "--matches", "3"]):
        done = here("match", *TWO, *wish)
        assert done.exit_code == 2
        assert done.stderr.endswith(" holds the record of a match; give --record another, or add --overwrite\n")
    assert path.read_text() == '{"bullring":2}\n'
    assert (
        here("match", *TWO, "--deals", "1", "--time", "start=30s", "--record", str(path), "--overwrite").exit_code == 0
    )
    assert here("verify", str(path)).exit_code == 0


def test_a_full_disk_is_said_and_leaves_nobody_behind() -> None:
    done = bullring("match", *TWO, "--deals", "1", "--time", "start=30s", "--record", "/dev/full")
    assert done.returncode == 1
    assert "the record cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
