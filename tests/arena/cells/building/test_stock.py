"""What builds of a bot leave for its next build, and for nobody else's."""

import io
import os
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.arena.cells.building.stock import Handover, Stock
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.errors import BuildFailure
from tests.arena.cells.building.yard import LIMITS, Yard
from tests.support.tiers import in_each, need

COUNTS = """
import os, pathlib
kept = pathlib.Path.home() / "deep" / "count"
kept.parent.mkdir(exist_ok=True)
count = int(kept.read_text()) + 1 if kept.exists() else 1
kept.write_text(str(count))
pathlib.Path("made").write_text(f"#!/bin/sh\\necho {count}\\n")
os.chmod("made", 0o755)
"""
"""Makes a program that says how many builds before it had the same HOME."""


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    need("bwrap")
    return Yard(tmp_path)


def count(yard: Yard, program: str = COUNTS) -> int:
    """Build what was not built before, and return how many builds had its HOME."""
    yard.write("changed", os.urandom(8).hex())
    return int((yard.check(program).program.folder / "made").read_text().split()[-1])


def stocks(yard: Yard) -> dict[str, bytes]:
    """The stocks, by the folders of their bots."""
    kept = [one for one in yard.cache.kept() if isinstance(one, Stock)]
    return {one.facts()["folder"]: (one.path / "home.tar").read_bytes() for one in kept}


@in_each(*TIERS, slow=[name for name in TIERS if name != "bwrap"])
def test_a_build_finds_what_the_last_one_left(tier: str, tmp_path: Path) -> None:
    yard = Yard(tmp_path, tier)
    assert [count(yard) for _ in range(3)] == [1, 2, 3]
    assert not list(tmp_path.rglob("deep")), "it was unpacked outside of a cell"
    shelves = [{path.name for path in shelf.iterdir()} for shelf in yard.cache.builds.iterdir()]
    assert shelves == [{"bot", "built.json", "log"}] * 3


def test_a_build_that_fails_leaves_something_too(yard: Yard) -> None:
    count(yard)
    with pytest.raises(BuildFailure):
        count(yard, COUNTS + "raise SystemExit(1)")
    assert count(yard) == 3


def test_a_home_of_a_ladder_builds_from_nothing(yard: Yard, tmp_path: Path) -> None:
    assert count(yard) == 1
    yard.write("changed", "again")
    bot = yard.submit(tmp_path / "home")
    assert (bot.program.folder / "made").read_text().split()[-1] == "1"
    assert count(yard) == 2


def test_another_folder_is_another_bot(yard: Yard, tmp_path: Path) -> None:
    assert count(yard) == 1
    yard.folder.rename(tmp_path / "moved")
    yard.folder.mkdir()
    yard.write("bot.toml", (tmp_path / "moved/bot.toml").read_text())
    assert count(yard) == 1, "the same path, and made anew: perhaps by another author"
    yard.write("bot.toml", (yard.folder / "bot.toml").read_text().replace('"bot"', '"other"'))
    assert count(yard) == 1


def test_what_was_made_of_a_stock_is_for_that_bot_alone(yard: Yard, tmp_path: Path) -> None:
    """Whoever makes the same bot of the same sources, in another folder, gets what they make from nothing."""
    count(yard, COUNTS + "# other sources")
    yard.write("changed", "not")
    spoilt = yard.check(COUNTS).program.folder / "made"
    assert spoilt.read_text().split()[-1] == "2"
    (tmp_path / "theirs").mkdir()
    theirs = Yard(tmp_path / "theirs")
    theirs.cache = yard.cache
    theirs.write("changed", "not")
    clean = theirs.check(COUNTS).program.folder / "made"
    assert clean.read_text().split()[-1] == "1"
    remove_tree(theirs.cache.builds / clean.parents[1].name)
    for home, by_archive, made in (("one", True, "1"), ("two", False, "1")):
        bot = theirs.submit(tmp_path / home, by_archive=by_archive)
        assert (bot.program.folder / "made").read_text().split()[-1] == made


def test_a_stock_cannot_replace_sources(yard: Yard) -> None:
    count(yard)
    (stock,) = yard.cache.stocks.iterdir()
    with tarfile.open(stock / "home.tar", "w") as archive:
        member = tarfile.TarInfo("../bot/changed")
        member.size = 5
        archive.addfile(member, io.BytesIO(b"other"))
    yard.write("changed", "#!/bin/sh\n# mine")
    made = (
        yard.check("import os, shutil; shutil.copy('changed', 'made'); os.chmod('made', 0o755)").program.folder / "made"
    )
    assert made.read_text().endswith("# mine")


def test_sources_that_did_not_change_keep_their_times(yard: Yard) -> None:
    says = """
import os, pathlib
(pathlib.Path.home() / "x").touch()
times = [os.stat(name).st_mtime_ns for name in ("same", "changed")]
pathlib.Path("made").write_text(f"#!/bin/sh\\necho {times[0]} {times[1]}\\n")
os.chmod("made", 0o755)
"""
    yard.write("same", "same")

    def times() -> list[int]:
        yard.write("changed", os.urandom(8).hex())
        return [int(word) for word in (yard.check(says).program.folder / "made").read_text().split()[-2:]]

    first, second = times(), times()
    assert first[0] == second[0]
    assert first[1] < second[1]


def test_what_is_too_large_is_not_left_and_the_build_stands(yard: Yard) -> None:
    large = COUNTS + "(kept.parent / 'large').write_bytes(os.urandom(20 << 20))"
    assert count(yard, large) == 1
    assert not stocks(yard)
    (shelf,) = yard.cache.builds.iterdir()
    assert "too much" in (shelf / "log").read_text()
    assert count(yard, large.replace("os.urandom(20 << 20)", "b''")) == 1


def test_what_cannot_be_read_again_costs_nothing_but_time(yard: Yard) -> None:
    count(yard)
    (stock,) = yard.cache.stocks.iterdir()
    (stock / "home.tar").write_bytes(b"no archive" * 100)
    assert count(yard) == 1
    assert count(yard) == 2


def test_a_build_that_ran_into_a_limit_is_not_begun_with_the_same_again(yard: Yard) -> None:
    count(yard)
    with pytest.raises(BuildFailure, match="took longer"):
        yard.check("import time; time.sleep(600)", replace(LIMITS, time=0.5))
    assert not stocks(yard)


@in_each(*TIERS, slow=[name for name in TIERS if name != "bwrap"])
def test_a_hostile_build_changes_nothing_of_others(tier: str, tmp_path: Path) -> None:
    """It writes to all that it can reach of the cache, to the stock that it was given, and to what another bot has there."""
    if not TIERS[tier].confines:
        pytest.skip("nothing confines bots here")
    need(tier)
    yards = {}
    for name in ("victim", "hostile", "hostile-renamed"):
        (tmp_path / name).mkdir()
        yards[name] = Yard(tmp_path / name, tier)
        yards[name].cache = yards["victim"].cache
        count(yards[name])
    hostile = yards["hostile"]
    cache = hostile.cache.folder

    def others() -> dict[str, bytes]:
        """All that is in the cache, but for what the hostile bot has there."""
        own = {one for one in hostile.cache.kept() if one.facts()["folder"] == str(hostile.folder)}
        files = [path for path in cache.rglob("*") if path.is_file()]
        return {
            str(path): path.read_bytes()
            for path in files
            if not any(path.is_relative_to(one.path) for one in own)  # type: ignore[attr-defined]
        }

    before = others()
    program = f"""
import json, os, pathlib
reached = []
try:
    given = json.loads(open(f"/proc/{{os.getppid()}}/cmdline").read().split("\\0")[-2])["stock"]
    reached += [given, os.path.dirname(given)]
except OSError:  # it may not look there
    pass
for top in ({str(cache)!r}, {str(tmp_path / "victim")!r}):
    for here, folders, files in os.walk(top):
        reached += [os.path.join(here, name) for name in [*folders, *files]]
for path in reached:
    for way in (lambda: open(path, "r+b").write(b"poison"), lambda: open(path + "/new", "x"), lambda: os.remove(path),
                lambda: os.rename(path, path + "x"), lambda: os.chmod(path, 0o777), lambda: os.truncate(path, 0)):
        try:
            way()
        except OSError:
            pass
for name in ("deep/count", ".cache/go-build/poison", "../../../escaped"):
    path = pathlib.Path.home() / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("666")
    except OSError:
        pass
"""
    count(hostile, program + COUNTS)
    assert others() == before
    assert [count(yards[name]) for name in ("victim", "hostile-renamed")] == [2, 2]
    assert count(hostile) == 668, "its own is poisoned by itself"


def forged(*, end: bool = True) -> str:
    """A build that ends what runs it, and sends an archive of its own, which leads out of HOME and is no archive in the end."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name in ("../../../../escaped", "/escaped", "x"):
            archive.addfile(tarfile.TarInfo(name), io.BytesIO())
        device = tarfile.TarInfo("device")
        device.type = tarfile.CHRTYPE
        archive.addfile(device)
    return f"""
import os, signal, struct, time
os.kill(os.getppid(), signal.SIGSTOP)
out = os.open(f"/proc/{{os.getppid()}}/fd/1", os.O_WRONLY)
data = {data.getvalue()!r}
os.write(out, b"s" + struct.pack(">i", 1))
while True:
    os.write(out, struct.pack(">I", len(data)) + data)
    if {end}:
        os.write(out, struct.pack(">I", 0))
        break
time.sleep(600)
"""


def test_a_forged_stock_comes_back_to_its_own_bot_alone(yard: Yard, tmp_path: Path) -> None:
    with pytest.raises(BuildFailure, match="status 1"):
        yard.check(forged())
    assert stocks(yard).keys() == {str(yard.folder)}
    assert count(yard) == 1
    assert not [*tmp_path.rglob("escaped")]
    assert not Path("/escaped").exists()
    assert count(yard) == 2


def test_an_endless_stock_is_refused(yard: Yard) -> None:
    with pytest.raises(BuildFailure, match="what it left for the next build is larger than 16 MiB"):
        yard.check(forged(end=False))
    assert not stocks(yard)
    assert LIMITS.disk == 64 * MIB


def test_two_builds_of_one_bot_at_once_leave_what_one_of_them_left(yard: Yard, tmp_path: Path) -> None:
    count(yard)
    (path,) = yard.cache.stocks.iterdir()
    stock = Stock(path)
    both = [Handover(stock, tmp_path / f"given{n}", tmp_path / f"left{n}", MIB) for n in range(2)]
    for n, handover in enumerate(both):
        handover.write(b"a" * n)
    for n, handover in enumerate(both):
        handover.write(b"b" * (n + 1))
        handover.finish()
    before = (path / "home.tar").read_bytes()
    for handover in both:
        handover.settle(failed=False)
    assert (path / "home.tar").read_bytes() == b"abb"
    assert [(tmp_path / f"given{n}").read_bytes() for n in range(2)] == [before, before]
