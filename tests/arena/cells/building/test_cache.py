"""The builds of a user, and the homes that take theirs from there."""

import errno
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.room import unwritable
from bullring.arena.cells.building.shelf import Shelf
from bullring.arena.cells.building.toolchain import toolchain
from bullring.arena.cells.files.remove import remove_tree
from bullring.errors import BuildFailure, HostError, NoRoom
from tests.arena.cells.building.yard import Yard
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE
from tests.support.tiers import need


@pytest.fixture
def yard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Yard:
    """A bot that is built by a compiler of this machine, `my-compiler`."""
    need("bwrap")
    yard = Yard(tmp_path)
    compiler = tmp_path / "tools/bin/my-compiler"
    compiler.parent.mkdir(parents=True)
    compiler.write_text("#!/bin/sh\nprintf '#!/bin/sh\\necho 1\\n' >made\nchmod +x made\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{compiler.parent}:{os.environ['PATH']}")
    yard.write("bot.toml", 'name = "bot"\nrun = ["./made"]\nbuild = ["my-compiler"]\n')
    return yard


def update(yard: Yard) -> None:
    """Put a new version of the compiler in place of the old one, as package managers do."""
    compiler = yard.folder.parent / "tools/bin/my-compiler"
    new = compiler.with_suffix(".new")
    new.write_text(compiler.read_text().replace("echo 1", "echo 2"))
    new.chmod(0o755)
    new.rename(compiler)


def test_a_home_takes_what_was_checked_and_every_other_home_too(yard: Yard, tmp_path: Path) -> None:
    checked = yard.check()
    homes = [yard.submit(tmp_path / name) for name in ("home", "another")]
    assert yard.said == ["bot"]
    assert {bot.contents.built for bot in homes} == {checked.contents.built}
    remove_tree(yard.cache.folder)
    assert all((bot.program.folder / "made").is_file() for bot in homes), "a home is whole by itself"
    assert (homes[0].program.folder.parent / "log").is_file()


def test_what_a_home_built_is_in_the_cache(yard: Yard, tmp_path: Path) -> None:
    yard.submit(tmp_path / "home")
    yard.submit(tmp_path / "another")
    yard.check()
    assert yard.said == ["bot"]


def test_what_was_built_stays_while_its_compiler_is_gone_for_a_check_and_a_home_alike(
    yard: Yard, tmp_path: Path
) -> None:
    checked = yard.check()
    compiler = tmp_path / "tools/bin/my-compiler"
    compiler.rename(tmp_path / "gone")
    assert yard.check().contents.built == checked.contents.built
    assert yard.submit(tmp_path / "home").contents.built == checked.contents.built
    yard.write("more.txt", "another source")
    with pytest.raises(BuildFailure, match="nor a program 'my-compiler'"):
        yard.check()
    with pytest.raises(BuildFailure, match="nor a program 'my-compiler'"):
        yard.submit(tmp_path / "home")


def test_a_build_that_failed_is_listed_by_the_name_of_its_bot(yard: Yard, tmp_path: Path) -> None:
    (tmp_path / "tools/bin/my-compiler").write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(BuildFailure):
        yard.check()
    (found,) = [one.facts() for one in yard.cache.kept()]
    assert (found["kind"], found["bot"], found["folder"]) == ("failed build", "bot", str(yard.folder))


def test_a_full_disk_is_named_with_what_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    full = OSError(errno.ENOSPC, "No space left on device")
    for path, remedy in (
        (tmp_path / "bullring/builds/x", "bullring cache clear"),
        (Path("/home/builds"), "on that disk"),
    ):
        error = unwritable(full, path)
        assert isinstance(error, NoRoom)
        assert str(error).startswith(f"{path}: No space left on device; ")
        assert remedy in str(error)
    assert not isinstance(unwritable(PermissionError(errno.EACCES, "no"), tmp_path), NoRoom)


def test_after_an_update_of_the_compiler_the_cache_builds_and_a_home_keeps_what_it_rates(
    yard: Yard, tmp_path: Path
) -> None:
    yard.check()
    rated = yard.submit(tmp_path / "home")
    update(yard)
    assert "echo 2" in (yard.check().program.folder / "made").read_text()
    assert len(yard.said) == 2
    assert yard.submit(tmp_path / "home") == rated
    assert "echo 1" in (rated.program.folder / "made").read_text()
    assert "echo 2" in (yard.submit(tmp_path / "another").program.folder / "made").read_text()
    assert len(yard.said) == 2


def test_a_damaged_build_in_the_cache_is_not_taken(yard: Yard, tmp_path: Path) -> None:
    (yard.check().program.folder / "made").write_text("damaged")
    assert "echo 1" in (yard.submit(tmp_path / "home").program.folder / "made").read_text()


def test_a_home_builds_where_there_is_no_cache(yard: Yard, tmp_path: Path) -> None:
    yard.cache.folder.parent.mkdir()
    yard.cache.folder.write_text("in the way")
    assert yard.submit(tmp_path / "home").program.folder.is_relative_to(tmp_path / "home")
    with pytest.raises(HostError, match="a build needs to write there"):
        yard.check()


def test_the_toolchain_is_told_by_a_line_for_a_shell_too(yard: Yard) -> None:
    folder, line = load(str(yard.folder)).program.folder, ("sh", "-c", "cd . && my-compiler")
    before = toolchain(line, folder)
    assert toolchain(line, folder) == before
    update(yard)
    assert toolchain(line, folder) != before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "small", disk], check=False, capture_output=True
    ).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_full_disk_leaves_nothing_broken(yard: Yard, small_disk: Path, tmp_path: Path) -> None:
    yard.cache = type(yard.cache)(small_disk / "bullring")
    yard.check()
    full = small_disk / "full"
    left = os.statvfs(small_disk)
    with full.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, left.f_bavail * left.f_bsize)
    yard.write("data", "x" * 100_000)
    with pytest.raises(HostError, match="No space left on device"):
        yard.check()
    assert yard.submit(tmp_path / "home"), "a home on another disk needs no cache"
    full.unlink()
    yard.check()
    assert {path.name for shelf in yard.cache.builds.iterdir() for path in shelf.iterdir()} == {
        "bot",
        "built.json",
        "log",
    }


def test_a_disk_that_is_too_small_for_a_stock_costs_the_stock_alone(yard: Yard, small_disk: Path) -> None:
    yard.cache = type(yard.cache)(small_disk / "bullring")
    compiler = yard.folder.parent / "tools/bin/my-compiler"
    compiler.write_text(f"{compiler.read_text()}\nhead -c 2000000 /dev/urandom >$HOME/big\n")
    assert yard.check()
    assert [one.facts()["kind"] for one in yard.cache.kept()] == ["build"]


def test_a_killed_bullring_leaves_nothing_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in the middle of a build, which waits for a pipe that the test opens."""
    yard = Yard(tmp_path, "none")
    began, goes_on = tmp_path / "began", tmp_path / "goes-on"
    for pipe in (began, goes_on):
        os.mkfifo(pipe)
        pipe.chmod(0o666)
    yard.write("build.py", f"open({str(began)!r}, 'w').close()\nopen({str(goes_on)!r}).close()\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(yard.cache.folder.parent))
    command = [str(BULLRING), "match", str(yard.folder), "@random", "--deals", "1", "--sandbox", "none"]
    waiting = select.poll()
    waiting.register(os.open(began, os.O_RDONLY | os.O_NONBLOCK), select.POLLIN | select.POLLHUP)
    killed = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    assert waiting.poll(PATIENCE * 1000), "the build has not begun"
    killed.send_signal(signal.SIGKILL)
    killed.wait(PATIENCE)
    shelf = next(shelf for shelf in yard.cache.builds.iterdir() if Shelf(shelf).card() is None)
    assert (shelf / "source").exists()
    for pipe in (began, goes_on):
        pipe.unlink()
        pipe.touch()
        pipe.chmod(0o666)
    with pytest.raises(BuildFailure, match="there is no program made"):
        yard.check()
    assert {path.name for path in shelf.iterdir()} == {"log", "whose.json"}
