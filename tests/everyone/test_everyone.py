import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.everyone.load import spinners
from tests.everyone.share import pytest_collection_modifyitems

SHARES = 3


def test_each_test_is_in_one_share() -> None:
    names = [f"tests/test_a.py::test_{number}" for number in range(50)]
    shares = [_played(names, f"{number}/{SHARES}") for number in range(SHARES)]
    assert all(shares)
    assert sorted(name for share in shares for name in share) == sorted(names)


def _played(names: list[str], share: str) -> list[str]:
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in names]
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    config: Any = SimpleNamespace(getoption=lambda _: share, hook=hook)
    pytest_collection_modifyitems(config, items)
    return [item.nodeid for item in items]


def test_spinners_have_sessions_of_their_own_and_are_gone_in_the_end() -> None:
    before = _children()
    with spinners(2):
        mine = _children() - before
        assert len({os.getsid(pid) for pid in mine}) == len(mine) == 2
    assert not _children() & mine


def _children() -> set[int]:
    return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}
