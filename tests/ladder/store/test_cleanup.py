"""The remains of a killed ladder are settled by the next command that may write, wherever that is killed in turn."""

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bullring.ladder.store import cleanup, records
from bullring.ladder.store.cleanup import changing, clear_up
from bullring.ladder.store.home import Home
from tests.ladder.homes import bots
from tests.ladder.store.test_records import OWN, packed, some
from tests.ladder.stored import match_of, played

STORED, BEGUN = range(1, 13), range(13, 16)


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home whose ladder was killed: some files of records, and matches that were not stored."""
    monkeypatch.setattr(records, "EACH", 5)
    home = Home.create(tmp_path / "home", ())
    home.kept.keep(OWN)
    with closing(home.store()) as store:
        for name in ("a", "b", "c"):
            store.add_bot(name, "")
        for match in STORED:
            home.kept.append(packed(match))
            played(store, match_of(store, id=match))
        with store.change():
            store.begin(BEGUN)
    home.kept.append(packed(*BEGUN))
    with home.kept.files()[-2].open("ab") as file:
        file.write(packed(BEGUN[0])[0][:-7])
    return home


def kept(home: Home) -> dict[int, bytes]:
    return dict(Home(home.path).kept.walk())


def is_settled(home: Home) -> bool:
    with closing(home.store(read_only=True)) as store:
        return store.playing() == [] and all(piece.match for piece in home.kept.pieces())


def test_a_command_that_writes_settles_what_was_left(killed: Home) -> None:
    assert bots("remove", "b", home=killed).exit_code == 0
    assert kept(killed) == dict(some(*STORED))
    assert is_settled(killed)


@pytest.mark.parametrize("at", [0, 5, 12, 16], ids=["magic", "sum", "number", "size"])
def test_damage_of_what_was_stored_last_is_no_torn_tail(at: int, tmp_path: Path) -> None:
    """It may be mended by hand, so it stays, and what is appended goes behind it."""
    home = Home.create(tmp_path / "home", ())
    home.kept.keep(OWN)
    with closing(home.store()) as store:
        for name in ("a", "b", "c"):
            store.add_bot(name, "")
        for match in (1, 2, 3):
            home.kept.append(packed(match))
            played(store, match_of(store, id=match))
        (file,) = home.kept.files()
        data = bytearray(file.read_bytes())
        data[at - len(packed(3)[0])] ^= 1
        file.write_bytes(data)
        assert clear_up(home, store) == 3
    home.kept.append(packed(4))
    assert file.read_bytes().startswith(data)
    assert [Home(home.path).kept.read(match) for match in (1, 2, 4)] == [text for _, text in some(1, 2, 4)]


def test_nothing_is_settled_while_a_ladder_runs(killed: Home) -> None:
    before = {path: path.read_bytes() for path in killed.kept.files()}
    with Home(killed.path).locked():
        assert bots("remove", "b", home=killed).exit_code == 0
    assert {path: path.read_bytes() for path in killed.kept.files()} == before


STEPS = {module.__file__ for module in (records, cleanup)}
READING = {"pieces", "files", "_packet", "_next", "_match", "_number", "file_of"}
KILLED = 9


def killed_at(step: int, home: Home) -> bool:
    """Let a process settle the home that is killed before one of the lines that may write. Returns whether there are so many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pytest may have threads; the child only runs what follows
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED
    try:
        sys.settrace(killer(step))
        with changing(home):
            os._exit(0)
    finally:
        os._exit(1)


def killer(left: int) -> Any:
    """A trace function that ends this process, without clearing up, when so many lines have been run."""

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename not in STEPS or frame.f_code.co_name in READING:
            return None
        if event == "line":
            left -= 1
            if left < 0:
                os._exit(KILLED)
        return trace

    return trace


def copies(home: Home) -> Iterator[Home]:
    """The same home as often as it is wanted."""
    while True:
        copy = home.path.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home.path, copy)
        yield Home(copy)


def test_wherever_it_is_killed_nothing_is_lost_and_the_next_command_does_the_rest(killed: Home) -> None:
    for step, home in zip(count(), copies(killed), strict=False):
        if not killed_at(step, home):
            break
        found = kept(home)
        assert {match: found[match] for match in STORED} == dict(some(*STORED))
        assert found.keys() <= {*STORED, *BEGUN}
        with changing(home):
            pass
        assert kept(home) == dict(some(*STORED))
        assert is_settled(home)
    assert step > 20
    assert is_settled(home)
