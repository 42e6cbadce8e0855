"""The canary: what it says of a tier is seen, and not measured by the clock of a busy machine."""

import pytest

from bullring.arena.cells.sandbox import cgroups, proof
from bullring.arena.cells.sandbox.local.process import LocalCell
from bullring.arena.cells.sandbox.proof import prove
from tests.arena.cells.sandbox.stage import Stage, staged

TRIES = 30


@pytest.fixture
def no_cgroups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: cgroups.NoCgroups("as on most desktops"))


async def proof_by(canary: str, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> str:
    """The reason why a tier does not hold by another canary."""
    stage.folder.mkdir(exist_ok=True)
    (stage.folder / "probe.py").write_text(canary)
    monkeypatch.setattr(proof, "CANARY", stage.folder)
    return (await prove(stage.sandbox)).text()


@pytest.mark.usefixtures("no_cgroups")
@staged("bwrap", "landlock")
async def test_a_canary_that_ends_says_how_far_it_came_and_what_was_seen(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = await proof_by("", stage, monkeypatch)
    assert reason == "the canary exited with status 0 before its first try"
    reason = await proof_by("import sys\nprint('[\"files: x\", true, \"\"]')\nsys.exit('no more')", stage, monkeypatch)
    assert reason == "the canary exited with status 1 after the try 'files: x': no more"
    reason = await proof_by("import sys\ndata = b'x' * (90 << 20)\nsys.stdin.read()", stage, monkeypatch)
    assert reason.startswith("the canary ended by the arena before its first try: more than 64 MiB of memory: ")


@pytest.mark.usefixtures("no_cgroups")
@staged("bwrap")
async def test_a_tier_that_does_not_freeze_and_counts_no_memory_is_noticed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(cell: LocalCell) -> None:
        pass

    monkeypatch.setattr(LocalCell, "freeze", lambda cell: None)
    monkeypatch.setattr(LocalCell, "look_at_memory", look)
    monkeypatch.setattr(proof, "UNNOTICED", 0.1)
    noticed: set[str] = set()
    for _ in range(TRIES):  # a canary that gets no core on a busy machine cannot be told from a frozen one
        found = await prove(stage.sandbox, thorough=True)
        noticed |= {each.name for each in found.tries if each.needed and not each.held}
        assert "96 MiB where 64 are allowed" in found.text()
        if "time: freezing" in noticed:
            break
    assert noticed == {"time: freezing", "caps: memory"}, [each.came for each in found.tries]
