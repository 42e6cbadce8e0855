"""A backup is a whole home, also one that is written while matches are stored, and nothing but a backup becomes a home."""

import io
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bullring.ladder.store import backup as module
from bullring.ladder.store.backup import TOP, backup, restore
from bullring.ladder.store.home import Home
from tests.ladder.homes import count, four, ladder, run, told
from tests.support.command import here

PLAN = ("--seats", "2", "--jobs", "1", "--allow-unsandboxed")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = four(tmp_path_factory.mktemp("backup") / "home")
    assert ladder("key", "--new", home=home).exit_code == 0
    run(home, *PLAN, "--matches", "6")
    return home


@pytest.mark.parametrize("name", ["b.tar", "b.tgz"])
def test_a_restored_home_is_the_one_that_was_saved_and_goes_on(played: Home, tmp_path: Path, name: str) -> None:
    file, folder = tmp_path / name, tmp_path / "new"
    done = here("ladder", "backup", str(file), "--home", str(played.path))
    assert done.exit_code == 0, done.output
    assert file.stat().st_mode & 0o077 == 0
    done = here("ladder", "restore", str(file), str(folder))
    assert done.output.startswith(f"restored 6 matches and 4 bots to {folder}")
    home = Home(folder)
    assert folder.stat().st_mode & 0o077 == 0
    assert told("table", "--format", "json", home=home) == told("table", "--format", "json", home=played)
    assert told("key", "--json", home=home) == told("key", "--json", home=played)
    run(home, *PLAN, "--matches", "2")
    assert here("verify", "--home", str(folder)).output == "8 records verified\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, "new"]


def test_what_a_ladder_stores_meanwhile_is_not_in_the_backup(
    played: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, snapshot = count(played, "matches"), module._snapshot

    def then_play(database: Path, copy: Path) -> Path:
        path = snapshot(database, copy)
        run(played, *PLAN, "--matches", "3")
        return path

    monkeypatch.setattr(module, "_snapshot", then_play)
    with closing(played.store()) as store, store.change():
        store.begin([before + 1])
    backup(played, tmp_path / "b.tar")
    assert count(played, "matches") == before + 3
    home = restore(tmp_path / "b.tar", tmp_path / "new")
    assert (count(home, "matches"), count(home, "playing")) == (before, 0)
    assert here("verify", "--home", str(home.path)).output == f"{before} records verified\n"


def test_a_backup_replaces_nothing_and_is_not_kept_in_the_home(played: Home, tmp_path: Path) -> None:
    (tmp_path / "b.tar").write_text("mine")
    for file, says in ((tmp_path / "b.tar", "exists, and is not replaced"), (played.path / "b.tar", "is in the home")):
        done = here("ladder", "backup", str(file), "--home", str(played.path))
        assert done.exit_code != 0
        assert says in done.stderr
    assert (tmp_path / "b.tar").read_text() == "mine"


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def escape(*names: str, type: bytes = tarfile.REGTYPE, to: str = "") -> Callable[[Path], None]:
    """Add files of these names; the first one is of another type, and leads to a place."""

    def spoil(file: Path) -> None:
        with tarfile.open(file, "a") as tar:
            for number, name in enumerate(names):
                info = tarfile.TarInfo(name)
                info.type, info.linkname = (tarfile.REGTYPE, "") if number else (type, to)
                info.size = 4 if info.isfile() else 0
                tar.addfile(info, io.BytesIO(b"evil"))

    return spoil


def other(file: Path) -> None:
    with tarfile.open(file, "w") as tar:
        tar.add(__file__, f"{TOP}/notes.py")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (cut, "is no whole backup of a home"),
        (escape(f"{TOP}/../../evil"), "is nothing that is in a home"),
        (escape("/tmp/bullring-evil"), "is nothing that is in a home"),
        (escape("evil"), "is nothing that is in a home"),
        (escape(f"{TOP}/link", type=tarfile.SYMTYPE, to="../../evil"), "is nothing that is in a home"),
        (escape(f"{TOP}/link", type=tarfile.SYMTYPE, to="/etc"), "is nothing that is in a home"),
        (escape(f"{TOP}/link", type=tarfile.LNKTYPE, to="/etc/passwd"), "is nothing that is in a home"),
        (escape(f"{TOP}/link", f"{TOP}/link/x", type=tarfile.SYMTYPE, to="bots"), "is nothing that is in a home"),
        (escape(f"{TOP}/link", f"{TOP}/link", type=tarfile.SYMTYPE, to="bots"), "is nothing that is in a home"),
        (escape(f"{TOP}/pipe", type=tarfile.FIFOTYPE), "is nothing that is in a home"),
        (other, f"it has no {TOP}/ladder.db"),
        (lambda file: file.write_text("hello"), "is no whole backup of a home"),
        (Path.unlink, "cannot be read: No such file or directory"),
    ],
)
def test_what_is_no_whole_backup_makes_no_home(
    played: Home, tmp_path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    file = tmp_path / "below" / "b.tar"
    file.parent.mkdir()
    backup(played, file)
    spoil(file)
    done = here("ladder", "restore", str(file), str(tmp_path / "below" / "new"))
    assert done.exit_code != 0
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert {path.name for path in file.parent.iterdir()} <= {"b.tar"}
    assert not (tmp_path / "evil").exists()


def test_a_backup_is_restored_into_nothing_that_is_there(played: Home, tmp_path: Path) -> None:
    backup(played, tmp_path / "b.tar")
    (tmp_path / "new").mkdir()
    home = restore(tmp_path / "b.tar", tmp_path / "new")
    assert count(home, "bots") == 4
    done = here("ladder", "restore", str(tmp_path / "b.tar"), str(home.path))
    assert "is not empty; restore into an empty or new folder" in done.stderr
