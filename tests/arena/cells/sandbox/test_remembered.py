"""A tier that was proven is not proven again, until anything changes that the proof rests on."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox import choice, remembered
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.proof import Proof
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import first_error
from tests.support.tiers import need


class Proofs:
    """Counts the proofs that are made, and says how they end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
        self.made = 0
        self.failure = ""
        self.proofs = cache / "bullring" / "proofs"
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        monkeypatch.setattr(choice, "prove", self._prove)

    async def _prove(self, _: object) -> Proof:
        self.made += 1
        return Proof((), self.failure)

    def needed(self, tier: str = "bwrap") -> bool:
        """Whether a sandbox is proven when it is opened now."""
        before = self.made

        async def look() -> None:
            async with open_sandbox(Wish(tier, allow_unsandboxed=True)):
                pass

        trio.run(look)
        return self.made > before


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Proofs:
    need("bwrap")
    return Proofs(monkeypatch, tmp_path / "cache")


def _other_setting(monkeypatch: pytest.MonkeyPatch, _: Proofs) -> None:
    text = remembered._text
    monkeypatch.setattr(remembered, "_text", lambda path: "0" if path.name == "max_user_namespaces" else text(path))


def _other_program(monkeypatch: pytest.MonkeyPatch, _: Proofs) -> None:
    state = remembered._state
    monkeypatch.setattr(remembered, "_state", lambda path: "new" if (path or "").endswith("bwrap") else state(path))


def _other_code(monkeypatch: pytest.MonkeyPatch, _: Proofs) -> None:
    state = remembered._state
    monkeypatch.setattr(remembered, "_state", lambda path: "new" if (path or "").endswith("policy.py") else state(path))


def _an_hour(_: pytest.MonkeyPatch, proofs: Proofs) -> None:
    for each in proofs.proofs.iterdir():
        os.utime(each, (each.stat().st_mtime - remembered.LASTS,) * 2)


def _from_the_future(_: pytest.MonkeyPatch, proofs: Proofs) -> None:
    for each in proofs.proofs.iterdir():
        os.utime(each, (each.stat().st_mtime + remembered.LASTS,) * 2)


def _open_to_others(_: pytest.MonkeyPatch, proofs: Proofs) -> None:
    proofs.proofs.chmod(0o1777)


def _open_to_a_group(_: pytest.MonkeyPatch, proofs: Proofs) -> None:
    proofs.proofs.chmod(0o770)


def _elsewhere(_: pytest.MonkeyPatch, proofs: Proofs) -> None:
    proofs.proofs.symlink_to(proofs.proofs.rename(proofs.proofs.with_name("elsewhere")))


def _no_file(_: pytest.MonkeyPatch, proofs: Proofs) -> None:
    for each in proofs.proofs.iterdir():
        each.symlink_to(each.rename(proofs.proofs.parent / each.name))


CHANGES = (
    *(_other_setting, _other_program, _other_code, _an_hour, _from_the_future),
    *(_open_to_others, _open_to_a_group, _elsewhere, _no_file),
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_proof_counts_until_something_changes(
    change: Callable[[pytest.MonkeyPatch, Proofs], None], monkeypatch: pytest.MonkeyPatch, proofs: Proofs
) -> None:
    assert [proofs.needed(), proofs.needed()] == [True, False]
    change(monkeypatch, proofs)
    assert proofs.needed()


def test_a_proof_of_a_sandbox_that_freezes_is_not_one_of_another(proofs: Proofs) -> None:
    assert proofs.needed()

    async def look() -> None:
        async with open_sandbox(Wish("bwrap", freeze=False)):
            pass

    trio.run(look)
    assert proofs.made == 2


def test_what_failed_is_tried_again(proofs: Proofs) -> None:
    proofs.failure = "the canary got out"
    for _ in range(2):
        with pytest.raises(BaseExceptionGroup) as caught:
            proofs.needed()
        assert "the canary got out" in str(first_error(caught.value))
    assert proofs.made == 2


def test_tiers_that_are_not_for_strangers_are_proven_each_time(proofs: Proofs) -> None:
    assert [proofs.needed("none"), proofs.needed("none")] == [True, True]


def test_files_that_are_no_proofs_stay(proofs: Proofs, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proofs.needed()
    others = [proofs.proofs / "mine", proofs.proofs.parent / ("a" * 64)]
    for each in others:
        each.touch()
        os.utime(each, (0, 0))
    assert not proofs.needed()
    _other_setting(monkeypatch, proofs)
    assert proofs.needed()  # which looks for old ones
    old = proofs.proofs.rename(proofs.proofs.with_name("old"))
    proofs.proofs.symlink_to(proofs.proofs.parent)
    assert proofs.needed()
    assert all(each.exists() for each in (others[1], old / "mine"))


def test_old_proofs_leave(proofs: Proofs, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proofs.needed()
    _an_hour(monkeypatch, proofs)
    _other_setting(monkeypatch, proofs)
    assert proofs.needed()
    assert len(list(proofs.proofs.iterdir())) == 1
