"""Referee processes that are started before their run."""

from contextlib import closing
from pathlib import Path

import pytest

from bullring.arena.cells.processes.kinds import Kind
from bullring.ladder.run.hired import hired
from bullring.ladder.store.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.create(tmp_path / "home", ["10s"])


def test_those_that_no_run_has_taken_are_ended(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the command finds that there are too few bots."""
    monkeypatch.setattr(Kind, "command", lambda _: ["sleep", "600"])
    with closing(home.store()) as store, hired(home, store, 2) as early:
        assert [referee.child.status for referee in early] == [None, None]
    assert [referee.child.status for referee in early] == [-9, -9]


def test_those_of_a_run_that_was_killed_are_ended_first(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kind, "command", lambda _: ["sleep", "600"])
    with closing(home.store()) as store, hired(home, store, 1) as [left], hired(home, store, 1) as [new]:
        assert left.child.wait() == "was killed by SIGKILL"
        assert new.child.status is None
