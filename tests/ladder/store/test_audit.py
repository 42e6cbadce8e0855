"""A ladder notices every edit of its records (behaviour 88), also one that is sealed again; strangers do if they have its key."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bullring.arena.cells.processes.kinds import Kind
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.match.records.verification import verify
from bullring.errors import LadderError, StoreError
from bullring.ladder.store import audit as auditing
from bullring.ladder.store import records, verifier
from bullring.ladder.store.audit import Audit, audit
from bullring.ladder.store.home import Home
from bullring.ladder.store.keys import signer_of
from bullring.ladder.store.packet import head_of
from bullring.ladder.store.rebuild import rebuild
from tests.ladder.homes import adopt, bots, folder_of, four, keep_only, ladder, matches_of, put, run, told
from tests.support.command import BULLRING, here
from tests.support.patience import PATIENCE
from tests.support.record import entries_of, resealed

MATCHES = 6


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home that signs, with a few matches."""
    home = four(tmp_path_factory.mktemp("audit") / "home")
    assert ladder("key", "--new", home=home).exit_code == 0
    run(home, "--seats", "2", "--matches", str(MATCHES), "--jobs", "1", "--allow-unsandboxed")
    return home


@pytest.fixture(scope="module")
def edited(played: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The same, whose records are written anew again and again, and so without their dictionary."""
    return Home(shutil.copytree(played.path, tmp_path_factory.mktemp("edited") / "home"))


@pytest.fixture
def copy(played: Home, tmp_path: Path) -> Home:
    """The same, to be spoilt."""
    shutil.copytree(played.path, tmp_path / "home")
    return Home(tmp_path / "home")


def found(home: Home, key: str | None = None) -> Audit:
    with closing(home.store(read_only=True)) as store:
        return audit(home, store, key)


def public(home: Home) -> str:
    (key,) = told("key", "--json", home=home)
    assert isinstance(key, str)
    return key


def test_a_home_verifies_and_so_does_each_record_with_its_key(played: Home) -> None:
    done = here("verify", "--home", str(played.path), "--key", public(played))
    assert done.exit_code == 0
    assert done.output == f"{MATCHES} records verified, signed with {public(played)}\n"
    (played.path.parent / "published").write_text(public(played) + "\n")
    for key in (public(played), str(played.path.parent / "published")):
        one = here("verify", str(played.record(1)), "--key", key)
        assert one.exit_code == 0
        assert f"; signed with {public(played)}" in one.output


def test_another_key_is_not_enough(played: Home) -> None:
    assert (
        f"expected a record signed with the key {'ab' * 32}"
        in here("verify", str(played.record(1)), "--key", "ab" * 32).output
    )
    assert len(found(played, "ab" * 32).wrong) == MATCHES
    assert "64 hexadecimal digits" in here("verify", str(played.record(1)), "--key", "abc").output


def inner(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All maps in a record, to change a value in one of them."""
    return [node for entry in entries for node in (entry, *entry.values()) if isinstance(node, dict)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_an_edit_that_is_sealed_again_is_noticed(data: st.DataObject, edited: Home) -> None:
    """Any value, line, or key; the forger computes a seal that fits."""
    number = data.draw(st.integers(1, MATCHES))
    before = dict(edited.kept.walk())
    entries = entries_of(edited.record(number))
    way = data.draw(st.sampled_from(["value", "drop", "exchange", "repeat", "nothing"]))
    match way:
        case "value":
            node = data.draw(st.sampled_from(inner(entries)))
            key = data.draw(st.sampled_from(sorted(node)))
            node[key] = data.draw(st.one_of(st.none(), st.integers(), st.text(), st.just([]), st.just({})))
        case "drop":
            del entries[data.draw(st.integers(0, len(entries) - 2))]
        case "exchange":
            a, b = data.draw(st.integers(0, len(entries) - 2)), data.draw(st.integers(0, len(entries) - 2))
            entries[a], entries[b] = entries[b], entries[a]
        case "repeat":
            entries.insert(
                data.draw(st.integers(0, len(entries) - 1)), entries[data.draw(st.integers(0, len(entries) - 2))]
            )
        case "nothing":  # but the signature is gone
            pass
    assume(isinstance(entries[-1].get("end"), dict))
    try:
        put(edited, number, resealed(entries))
        ((name, _),) = found(edited).wrong
        assert name == f"match {number}"
    finally:
        keep_only(edited, before)


def text_of(home: Home, match: int) -> bytes:
    return home.record(match).read_bytes()


def exchange(home: Home) -> None:
    one, two = text_of(home, 1), text_of(home, 2)
    put(home, 1, two)
    put(home, 2, one)


def renumber(home: Home) -> None:
    """The record of another match, which claims to be that of this one."""
    entries = entries_of(home.record(2))
    entries[0]["ladder"]["match"] = 1
    put(home, 1, resealed(entries))


def turn_round(home: Home) -> None:
    entries = entries_of(home.record(1))
    entries[0]["seats"].reverse()
    put(home, 1, resealed(entries))


def make_void(home: Home) -> None:
    entries = entries_of(home.record(1))
    entries = [*entries[:-3], entries[-1]]  # without the last answers and the costs
    replay = Replay()
    for entry in entries[:-1]:
        replay.feed(entry)
    entries[-1]["end"] |= {"void": "a stall", "ranks": [], "scores": replay.state.scores}
    put(home, 1, resealed(entries))


def overwrite(home: Home, at: int) -> None:
    """Damage the first file of records."""
    with home.kept.files()[0].open("r+b") as file:
        file.seek(at)
        file.write(b"x" * 30)


def spoil_dictionary(home: Home, copies: int) -> None:
    """Damage copies of the dictionary that is needed."""
    with closing(home.store(read_only=True)) as store:
        newest = store.newest()
    (id,) = {head.dictionary for piece in home.kept.pieces() if (head := head_of(piece.data)) and piece.match == newest}
    for path in sorted((home.records / "dictionaries").glob(f"{id:08x}*"))[:copies]:
        path.write_bytes(path.read_bytes()[:-1])


def nest(home: Home) -> None:
    """Make a line of a record a bomb."""
    lines = text_of(home, 1).splitlines()
    lines[3] = b"[" * 500_000
    put(home, 1, b"\n".join(lines) + b"\n")


def updated(change: str, match: int = 1) -> Callable[[Home], None]:
    """Change the row of a match."""
    return with_sql(f"UPDATE matches SET {change} WHERE id = {match}")


def with_sql(text: str) -> Callable[[Home], None]:
    def change(home: Home) -> None:
        with closing(sqlite3.connect(home.database)) as db, db:
            db.execute(text)

    return change


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (exchange, "this is the record of match 2"),
        (renumber, "not the record that was sealed: expected the seal"),
        (turn_round, "not the record that was sealed: expected the seal"),
        (make_void, "not the record that was sealed"),
        (lambda home: put(home, 1, None), "match 1: there is no record of it"),
        (lambda home: put(home, 1, b""), "not a record"),
        (lambda home: put(home, 1, text_of(home, 1)[:-1]), "not finished"),
        (lambda home: put(home, 99, text_of(home, 1)), "match 99: the store knows no such match"),
        (lambda home: (home.records / "1.jsonl").write_bytes(b""), "1.jsonl: not a file of records"),
        (lambda home: (home.records / "notes.txt").write_bytes(b""), "notes.txt: not a file of records"),
        (lambda home: overwrite(home, 0), "000000.records between bytes 0 and"),
        (lambda home: overwrite(home, 300), "there is no record of it"),
        (lambda home: spoil_dictionary(home, 1), "damaged; the other copy is used"),
        (lambda home: spoil_dictionary(home, 2), "both copies of its dictionary"),
        (updated("ranks = zeroblob(2)"), "the store has another result: its seats differ from the record"),
        (updated("faults = 7"), "the store has another result: its number of faults differ"),
        (
            updated("began = '2001-01-01T00:00:00Z'"),
            "the store has another result: its began differ from the record\n1 match has another result",
        ),
        (updated("seal = zeroblob(32)"), f"expected the seal {'0' * 64}"),
        (updated("ranks = zeroblob(length(ranks))", 2), "match 2: the store has another result"),
        (updated("heads = zeroblob(length(heads))", 2), "match 2: the store has another result"),
        (updated("counted = 0", 2), "match 2: the store rates another result"),
        (
            with_sql("DELETE FROM played WHERE match = 1"),
            "is wrong; to make it anew: bullring ladder rebuild",
        ),
        (
            with_sql("UPDATE conduct SET sums = replace(sums, '1', '2')"),
            "the sums of its conduct are not those of its matches",
        ),
        (lambda home: nest(home), "match 1: line 4: not JSON, so this is not a record of a match"),
    ],
)
def test_what_is_exchanged_missing_or_added_is_told(spoil: Callable[[Home], Any], says: str, copy: Home) -> None:
    spoil(copy)
    done = here("verify", "--home", str(copy.path))
    assert done.exit_code == 1
    assert says in done.output


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda home: put(home, 1, None), "match 1: there is no record of it\n1 match has no record"),
        (lambda home: overwrite(home, 300), "there is no record of it"),
        (lambda home: spoil_dictionary(home, 1), "damaged; the other copy is used"),
        (lambda home: (home.records / "notes.txt").write_bytes(b""), "notes.txt: not a file of records"),
        (with_sql("DELETE FROM played WHERE match = 1"), "ladder.db: the index of the matches of"),
        (with_sql("DROP INDEX matches_of_list"), ""),
        (with_sql("UPDATE lists SET anchor = 2"), "the anchor of a list of 'standard' is not the one that was chosen"),
    ],
)
def test_scrubbing_finds_damage_without_recomputing(spoil: Callable[[Home], Any], says: str, copy: Home) -> None:
    assert here("ladder", "scrub", "--home", str(copy.path)).output == f"{MATCHES} records read; nothing is damaged\n"
    spoil(copy)
    done = here("ladder", "scrub", "--home", str(copy.path))
    assert (says in done.output, done.exit_code) == (True, 1 if says else 0)


def test_a_changed_anchor_is_told_until_it_is_chosen_again(copy: Home) -> None:
    verify = ("verify", "--home", str(copy.path))
    for chosen, changed in (("1", "NULL"), ("2", "1")):
        with closing(copy.store()) as store:
            store.set_anchor(1, int(chosen))
        assert here(*verify).exit_code == 0
        with_sql(f"UPDATE lists SET anchor = {changed}")(copy)
        done = here(*verify)
        assert done.exit_code == 1
        assert "to choose it again: bullring ladder run --anchor BOT" in done.output


@pytest.mark.parametrize("command", [("verify",), ("ladder", "scrub")])
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda home: files_of_bot(home).write_text("print()"), "its files have changed since it was added"),
        (with_sql("UPDATE bots SET hash = replace(hash, 'a', 'b')"), "its files have changed since it was added"),
        (lambda home: shutil.rmtree(files_of_bot(home).parent), "the copy of 'folder' is missing"),
    ],
)
def test_a_bot_that_is_not_as_it_was_added_is_told(
    spoil: Callable[[Home], Any], says: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    home = Home.create(tmp_path / "home", ())
    adopt(home, str(folder_of(tmp_path / "bot", "folder")), "folder")
    assert here(*command, "--home", str(home.path)).exit_code == 0
    spoil(home)
    done = here(*command, "--home", str(home.path))
    assert done.exit_code == 1
    assert f"bot folder: {says}" in done.output


def files_of_bot(home: Home) -> Path:
    (path,) = home.bots.glob("*/main.py")
    return path


@pytest.mark.parametrize(
    ("spoil", "command", "says"),
    [
        (updated("seal = 7"), ("verify",), "holds data that no ladder wrote"),
        (with_sql("UPDATE matches SET seats = 'x'"), ("verify",), "holds data that no ladder wrote"),
        (updated("bots = zeroblob(length(bots))"), ("ladder", "matches"), "holds data that no ladder wrote"),
        (updated("bots = zeroblob(length(bots))"), ("ladder", "table"), "holds data that no ladder wrote"),
        (
            updated("bots = CAST(x'ffffffff' || substr(bots, 5) AS BLOB)"),
            ("ladder", "table"),
            "holds data that no ladder wrote",
        ),
        (with_sql("UPDATE matches SET began = 'x'"), ("ladder", "table"), "holds data that no ladder wrote"),
        (with_sql("UPDATE conduct SET sums = '{}x'"), ("ladder", "table"), "holds sums that no ladder wrote"),
        (with_sql("UPDATE conduct SET sums = CAST(x'7bff' AS TEXT)"), ("ladder", "table"), "restore it from a backup"),
        (
            lambda home: shutil.rmtree(home.records),
            ("verify",),
            "cannot be read: No such file or directory; restore them",
        ),
    ],
)
def test_a_store_that_cannot_be_read_is_told_in_a_line(
    spoil: Callable[[Home], Any], command: tuple[str, ...], says: str, copy: Home
) -> None:
    with_sql("DELETE FROM ratings")(copy)  # which would be shown as they are
    spoil(copy)
    done = here(*command, "--home", str(copy.path))
    assert done.exit_code == StoreError.exit_code
    assert says in done.stderr


def test_stored_ratings_that_cannot_be_read_are_told_in_a_line(copy: Home) -> None:
    with_sql("UPDATE ratings SET facts = x'00'")(copy)
    done = here("ladder", "table", "--home", str(copy.path))
    assert done.exit_code == StoreError.exit_code
    assert "holds ratings that no ladder wrote" in done.stderr


@pytest.mark.parametrize("spoil", [exchange, renumber, turn_round, make_void, lambda home: put(home, 1, None)])
def test_rebuild_takes_no_record_but_the_one_that_was_sealed(spoil: Callable[[Home], Any], copy: Home) -> None:
    """It changes nothing, unless it is told to go on without those matches; then it lists them."""
    before = matches_of(copy)
    spoil(copy)
    with pytest.raises(LadderError, match="no record that verifies"):
        rebuild(copy)
    assert matches_of(copy) == before
    assert 1 <= MATCHES - rebuild(copy, drop_missing=True).matches <= 2


def test_rebuild_leaves_the_store_as_it_was_times_and_seals_included(copy: Home) -> None:
    before = matches_of(copy)
    assert all(match.began <= match.ended for match in before)
    assert rebuild(copy).wrong == []
    assert matches_of(copy) == before


# Keys


def test_a_new_key_signs_from_now_on_and_the_old_one_is_still_known(copy: Home) -> None:
    old = public(copy)
    new = ladder("key", "--new", home=copy).output.splitlines()
    assert new[1:] == [old]
    assert new[0] != old
    assert stat.S_IMODE(copy.key.stat().st_mode) == 0o600  # for its owner alone
    run(copy, "--seats", "2", "--matches", "2", "--jobs", "1", "--allow-unsandboxed")
    assert verify(read_lines(copy.record(MATCHES)), old).difference is None
    assert verify(read_lines(copy.record(MATCHES + 1)), new[0]).difference is None
    assert found(copy).wrong == []


def lose(home: Home) -> None:
    home.key.unlink()


def spoil(home: Home) -> None:
    home.key.write_text("-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----\n")


def open_up(home: Home) -> None:
    home.key.chmod(0o644)


def confuse(home: Home) -> None:
    other = four(home.path.parent / "other")
    ladder("key", "--new", home=other)
    shutil.copy(other.key, home.key)


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (lose, "its key is missing"),
        (spoil, "not an Ed25519 private key"),
        (open_up, "others may read"),
        (confuse, "not the key of"),
    ],
)
def test_a_ladder_that_cannot_sign_any_more_does_not_run_and_says_what_to_do(
    what: Callable[[Home], None], says: str, copy: Home
) -> None:
    what(copy)
    done = ladder("run", "--matches", "2", home=copy)
    assert done.exit_code == 2
    assert says in done.output
    assert ladder("key", "--new", home=copy).exit_code == 0
    with closing(copy.store(read_only=True)) as store:
        assert signer_of(copy, store) is not None


def test_a_ladder_without_a_key_says_how_to_make_one(tmp_path: Path) -> None:
    done = ladder("key", home=four(tmp_path / "home"))
    assert done.exit_code == 2
    assert "bullring ladder key --new" in done.output


# Homes that nobody can write to


@pytest.fixture
def read_only(copy: Home) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """The command, run where the home is read-only."""
    command = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(copy.path), str(copy.path)]
    if shutil.which("bwrap") is None or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip("bubblewrap does not work here")

    def call(*arguments: str) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "BULLRING_HOME": str(copy.path), "COLUMNS": "120"}
        whole = [*command, str(BULLRING), *arguments]
        return subprocess.run(whole, capture_output=True, text=True, timeout=PATIENCE, env=env, check=False)

    return call


@pytest.mark.slow
def test_a_home_on_read_only_media_can_be_read(read_only: Callable[..., Any], copy: Home, tmp_path: Path) -> None:
    writable = Home(shutil.copytree(copy.path, tmp_path / "writable"))
    shown = (("table",), ("matches",), ("export",), ("pairs",), ("key",))
    for words in shown:
        done = read_only("ladder", *words)
        assert done.returncode == 0, done.stderr
        assert done.stdout == ladder(*words, home=writable).stdout.replace(str(writable.path), str(copy.path))
    assert read_only("bots").stdout == bots(home=writable).stdout
    assert f"{MATCHES} records verified" in read_only("verify", "--home", str(copy.path)).stdout
    assert read_only("watch").returncode == 0
    assert "turn 10" in read_only("replay", str(copy.record(1))).stdout
    for change in ("ladder run --matches 2", "ladder rebuild", "bots remove a", "ladder key --new"):
        done = read_only(*change.split())
        assert done.returncode in (1, 2)
        assert "Traceback" not in done.stderr
        assert "cannot be" in done.stderr


def test_a_home_that_was_copied_while_it_was_played_in_is_read_with_its_last_changes(
    copy: Home, read_only: Callable[..., Any]
) -> None:
    with closing(copy.store()) as store:
        store.add_bot("late", "true")
        for file in copy.path.glob("ladder.db*"):
            shutil.copy(file, copy.path / f"kept-{file.name}")
    for file in copy.path.glob("ladder.db*"):
        file.unlink()
    for name in ("ladder.db", "ladder.db-wal"):
        (copy.path / f"kept-{name}").rename(copy.path / name)
    assert "late" in read_only("bots").stdout


# Rebuilding


def test_records_that_a_store_from_an_older_copy_does_not_know_can_be_added(copy: Home) -> None:
    before = matches_of(copy)
    with_sql("DELETE FROM matches WHERE id > 2; ")(copy)
    with_sql("DELETE FROM played WHERE match > 2")(copy)
    done = rebuild(copy)
    assert (done.matches, done.count) == (2, MATCHES - 2)
    assert "--add-unknown" in done.wrong[0][1]
    run(copy, "--seats", "2", "--matches", "2", "--jobs", "1", "--allow-unsandboxed")  # it takes numbers that are free
    assert rebuild(copy, add_unknown=True).matches == MATCHES + 2
    assert matches_of(copy)[:MATCHES] == before


def test_several_processes_verify_a_home_as_one_does(copy: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier, "AHEAD", 1)
    put(copy, 3, text_of(copy, 4))
    put(copy, 2 * records.EACH, text_of(copy, 4))  # in a file of its own
    assert found(copy).wrong == [
        ("match 3", "this is the record of match 4"),
        (f"match {2 * records.EACH}", "the store knows no such match"),
    ]
    assert rebuild(copy, drop_missing=True).matches == MATCHES - 1


def test_a_verifying_process_that_dies_is_told_in_a_line(copy: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    put(copy, 2 * records.EACH, text_of(copy, 4))
    monkeypatch.setattr(Kind, "command", lambda *_: [sys.executable, "-c", "import sys; sys.stdin.buffer.read(1)"])
    before = matches_of(copy)
    done = here("ladder", "rebuild", "--home", str(copy.path))
    assert "a process that verified records has died" in done.stderr
    assert matches_of(copy) == before


def test_after_a_rebuild_that_drops_matches_all_is_well_and_the_damage_is_kept(copy: Home) -> None:
    overwrite(copy, 300)
    damaged = copy.kept.files()[0].read_bytes()
    done = ladder("rebuild", "--drop-missing", home=copy)
    assert done.exit_code == 0
    assert f"000000.records was damaged; it is kept as {copy.damaged / '000000.records'}" in done.output
    assert (copy.damaged / "000000.records").read_bytes() == damaged
    assert here("verify", "--home", str(copy.path)).exit_code == 0


def test_records_are_enough_where_the_store_is_lost(copy: Home, tmp_path: Path) -> None:
    before = matches_of(copy)
    copy.database.unlink()
    done = here("verify", "--home", str(copy.path))
    assert "has records, but ladder.db is missing" in done.stderr
    new = four(tmp_path / "new")
    shutil.copytree(copy.records, new.records, dirs_exist_ok=True)
    assert ladder("rebuild", "--add-unknown", home=new).exit_code == 0
    assert [(match.id, match.seal) for match in matches_of(new)] == [(match.id, match.seal) for match in before]


def test_what_a_ladder_stores_meanwhile_is_not_missed(copy: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """One match of three is stored after the records were gone through, one between, and one goes on."""
    texts = dict(copy.kept.walk())
    with closing(copy.store()) as store:
        rows = {match: store.packed_of(match) for match in (1, 2, 3)}

        def gone_through(home: Home, *terms: Any) -> Iterator[verifier.Found]:
            found = list(verifier.verified(home, *terms))
            yield from [one for one in found if one.match != 1]
            with store.change():
                store.add([row for match, row in rows.items() if match != 3 and row])

        with sqlite3.connect(copy.database) as db:
            db.execute("DELETE FROM matches WHERE id <= 3")
            db.execute("DELETE FROM played WHERE match <= 3")
        db.close()
        with monkeypatch.context() as patched:
            patched.setattr(auditing, "verified", gone_through)
            patched.setattr(store, "playing", iter([[], [3]]).__next__)
            report = audit(copy, store)
    assert texts.keys() == set(range(1, MATCHES + 1))
    assert (report.wrong, report.lost, report.records) == ([], 0, MATCHES - 3)
