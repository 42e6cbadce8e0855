"""Strangers' folders on their way into a home."""

import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.cells.files.remove import remove_tree
from bullring.errors import BotError, StoreError
from bullring.ladder.store.arrival import sweep
from bullring.ladder.store.home import Home
from tests.arena.cells.files.test_remove import deep
from tests.ladder.homes import adopt

MANIFEST = 'name = "bot"\nrun = ["{python}", "bot.py"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o700)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text("")
    return folder


def adopted(tmp_path: Path, folder: Path) -> Path:
    home = Home.create(tmp_path / "home", ())
    return adopt(home, str(folder)).program.folder


def test_links_inside_are_kept_and_of_modes_whether_it_is_a_program(tmp_path: Path, folder: Path) -> None:
    tool = folder / "tool"
    tool.write_text("")
    tool.chmod(0o6755)
    (folder / "link.py").symlink_to("bot.py")
    (folder / "bot.py").chmod(0o600)
    copy = adopted(tmp_path, folder)
    assert (copy / "tool").stat().st_mode & 0o7777 == 0o755
    assert (copy / "bot.py").stat().st_mode & 0o7777 == 0o644
    assert copy.stat().st_mode & 0o7777 == 0o755
    assert (copy / "link.py").readlink() == Path("bot.py")


@pytest.mark.parametrize(
    ("lay", "why"),
    [
        (lambda folder: (folder / "link").symlink_to("/etc/hostname"), "leads out of the bot's folder"),
        (lambda folder: (folder / "link").symlink_to("../../secret"), "leads out of the bot's folder"),
        (lambda folder: (folder / "link").symlink_to("../bot2/x"), "leads out of the bot's folder"),
        (lambda folder: os.mkfifo(folder / "pipe"), "neither a file nor a folder"),
        (lambda folder: endless_manifest(folder), "bot.toml is not a plain file"),
        (lambda folder: os.truncate(folder / "bot.py", 3 << 30), "is larger than 256 MiB"),
        (lambda folder: deep(folder / "deep", 40), "is more than 32 folders deep"),
        (lambda folder: long(folder), "a path of more than 1024 bytes"),
        (lambda folder: (folder / "loop").symlink_to("loop"), "leads through more than 40 links"),
        (lambda folder: socket.socket(socket.AF_UNIX).bind(str(folder / "s")), "is neither a file nor a folder"),
        (lambda folder: links_that_lead_out_together(folder), "leads out of the bot's folder"),
    ],
    ids=["absolute", "upwards", "beside", "pipe", "manifest", "sparse", "deep", "long", "loop", "socket", "links"],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_leads_out_or_exceeds_bounds_is_refused_and_leaves_nothing(
    lay: Callable[[Path], object], why: str, tmp_path: Path, folder: Path
) -> None:
    lay(folder)
    home = Home.create(tmp_path / "home", ())
    with pytest.raises(BotError, match=why):
        adopt(home, str(folder))
    assert nothing_left(home)
    remove_tree(folder)


def endless_manifest(folder: Path) -> None:
    (folder / "bot.toml").unlink()
    os.mkfifo(folder / "bot.toml")


def long(folder: Path) -> None:
    for _ in range(5):
        folder /= "b" * 250
        folder.mkdir()


def links_that_lead_out_together(folder: Path) -> None:
    """Each looks as if it stayed inside, taken by itself."""
    (folder / "x" / "y").mkdir(parents=True)
    (folder / "x" / "y" / "up").symlink_to("../..")
    (folder / "out").symlink_to("x/y/up/..")


def nothing_left(home: Home) -> bool:
    return not any(home.bots.iterdir()) and not any(home.incoming.iterdir())


def test_the_settings_say_how_large_a_folder_may_be(tmp_path: Path, folder: Path) -> None:
    home = Home.create(tmp_path / "home", ())
    home.settings_file.write_text("[bots]\nfolder_mib = 1\nfolder_files = 3\n")
    os.truncate(folder / "bot.py", 1 << 20)
    with pytest.raises(BotError, match="larger than 1 MiB"):
        adopt(home, str(folder))
    os.truncate(folder / "bot.py", 0)
    (folder / "third").write_text("")
    adopt(home, str(folder))
    (folder / "fourth").write_text("")
    with pytest.raises(BotError, match="more than 3 files and folders"):
        adopt(home, str(folder), "another")


def test_a_hard_link_to_another_user_s_file_is_refused(tmp_path: Path, folder: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can make such a link here")
    secret = tmp_path / "secret"
    secret.write_text("of root")
    for path in (folder, *folder.iterdir()):
        os.chown(path, 1234, 1234)
    (folder / "mine").hardlink_to(folder / "bot.py")
    adopted(tmp_path, folder)
    (folder / "theirs").hardlink_to(secret)
    with pytest.raises(BotError, match="a hard link to another user's file"):
        adopt(Home(tmp_path / "home"), str(folder), "another")


def test_names_of_odd_bytes_are_kept_and_shown_escaped(tmp_path: Path, folder: Path) -> None:
    odd = folder / os.fsdecode(b"\xff\x1b[2J\n")
    odd.write_text("")
    copy = adopted(tmp_path, folder)
    assert (copy / odd.name).is_file()
    odd.unlink()
    os.mkfifo(odd)
    with pytest.raises(BotError) as raised:
        adopt(Home(tmp_path / "home"), str(folder), "another")
    str(raised.value).encode()


class Swap:
    """The folder's owner, who changes something right after it was looked at, once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, change: Callable[[], object]) -> None:
        self.done = False
        look = os.stat

        def looked_at(path: Any, **how: Any) -> os.stat_result:
            found: os.stat_result = look(path, **how)
            if "dir_fd" in how and os.fsencode(path) == name.encode() and not self.done:
                self.done = True
                change()
            return found

        monkeypatch.setattr(os, "stat", looked_at)


@pytest.mark.parametrize("what", ["file", "folder", "link", "gone", "pipe"])
def test_what_is_swapped_after_it_was_looked_at_is_refused(
    what: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir(mode=0o700)
    (secret / "key").write_text("secret")
    (secret / "key").chmod(0o600)
    inner = folder / "inner"
    if what == "folder":
        inner.mkdir()
    elif what == "link":
        inner.symlink_to("bot.py")
    else:
        inner.write_text("")

    def change() -> None:
        remove_tree(inner) if what == "folder" else inner.unlink()
        match what:
            case "file":
                inner.symlink_to(secret / "key")
            case "folder":
                inner.symlink_to(secret)
            case "link":
                inner.write_text("")
            case "pipe":
                os.mkfifo(inner)

    home = Home.create(tmp_path / "home", ())
    swap = Swap(monkeypatch, "inner", change)
    with pytest.raises(BotError, match=r"inner (changed while it was read|is a link|is not a plain file)"):
        adopt(home, str(folder))
    assert swap.done
    assert nothing_left(home)
    assert (secret / "key").stat().st_mode & 0o7777 == 0o600


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read

    def growing(fd: int, most: int) -> bytes:
        with (folder / "bot.py").open("a") as file:
            file.write("more")
        return read(fd, most)

    (folder / "bot.py").write_text("some")
    home = Home.create(tmp_path / "home", ())
    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(BotError, match=r"bot.py changed while it was read"):
        adopt(home, str(folder))
    assert nothing_left(home)


SWAPPER = """
import os, sys, time
inner, secret = sys.argv[1:]
new = inner + ".new"
until = time.monotonic() + 60
while time.monotonic() < until:
    os.symlink(secret, new)
    os.rename(new, inner)
    with open(new, "w") as file:
        file.write("mine")
    os.rename(new, inner)
"""


def test_an_owner_who_swaps_links_all_the_time_gains_nothing(tmp_path: Path, folder: Path) -> None:
    """A real race, fifty times: what is swapped is refused or copied as it was, and the victim stays as it is."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o600)
    (folder / "inner").write_text("mine")
    home = Home.create(tmp_path / "home", ())
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", SWAPPER, folder / "inner", secret]) as swapper:
        try:
            for number in range(50):
                try:
                    copy = adopt(home, str(folder), f"bot {number}").program.folder
                except BotError:
                    continue
                assert (copy / "inner").read_text() == "mine"
        finally:
            swapper.kill()
    assert not any(home.incoming.iterdir())
    assert secret.read_text() == "secret"
    assert secret.stat().st_mode & 0o7777 == 0o600


def test_a_full_disk_leaves_nothing(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, mode: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    home = Home.create(tmp_path / "home", ())
    monkeypatch.setattr(os, "fchmod", full)
    with pytest.raises(StoreError, match="No space left on device"):
        adopt(home, str(folder))
    assert nothing_left(home)


def test_what_a_killed_add_left_is_swept_by_the_next(tmp_path: Path, folder: Path) -> None:
    home = Home.create(tmp_path / "home", ())
    deep(home.path / "incoming", 3)
    with closing(home.store()) as store:
        sweep(home, store)
    assert not any(home.incoming.iterdir())
    deep(home.incoming / "deep", 1_100)
    adopt(home, str(folder))
    assert not any(home.incoming.iterdir())


def test_no_file_in_a_folder_is_taken_for_one_of_the_arena_s_own(tmp_path: Path, folder: Path) -> None:
    facts = {"name": "evil", "command": ["sh"], "folder": "/", "reads": ["/"], "caps": {"memory": 1 << 40}}
    (folder / "command.json").write_text(json.dumps(facts))
    home = Home.create(tmp_path / "home", ())
    bot = adopt(home, str(folder))
    assert bot.program.command == ("{python}", "bot.py")
    assert bot.program.folder.parent == home.bots
    assert bot.program.reads == ()
