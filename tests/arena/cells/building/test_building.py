"""Builds in real cells, and what is kept of them."""

import fcntl
import json
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.contents import check_contents
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import key
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.building.shelf import Shelf, prune
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.sandbox import temporary
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import me
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import BotError, BuildFailure, first_error
from tests.arena.cells.building.yard import LIMITS, Yard
from tests.support.tiers import WITH_IMAGES, in_each, need

MAKES_IT = """
import os, pathlib, subprocess, sys, tempfile
print("to stdout", flush=True); print("to stderr", file=sys.stderr)
assert sys.stdin.read() == ""
assert os.environ["PWD"] == os.getcwd()
home = pathlib.Path.home()
(home / "cache").write_text("x")
with tempfile.NamedTemporaryFile("w", suffix=".sh") as script:
    script.write("#!/bin/sh\\necho '#!/bin/sh' > made\\nchmod +x made\\n")
    script.flush()
    os.chmod(script.name, 0o700)
    subprocess.run(["/bin/sh", script.name], check=True)
subprocess.run(["cp", "/bin/true", "tool"], check=True)
subprocess.run(["./tool"], check=True)
os.symlink("made", "link")
os.remove("build.py")
"""


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    need("bwrap")
    return Yard(tmp_path)


@in_each(*TIERS, slow=("landlock", "none"))
def test_a_bot_plays_from_what_its_build_made(tier: str, tmp_path: Path) -> None:
    yard = Yard(tmp_path, tier)
    bot = yard.build(MAKES_IT)
    assert bot.build == ()
    folder = bot.program.folder
    assert {path.name for path in folder.iterdir()} == {"bot.toml", "made", "tool", "link"}
    assert (folder / "made").read_text() == "#!/bin/sh\n"
    assert yard.left() == {"bot", "built.json", "log"}
    assert (folder.parent / "log").read_text().splitlines() == ["to stdout", "to stderr"]
    assert {path.name for path in yard.folder.iterdir()} == {"bot.toml", "build.py"}, "the author's folder was changed"
    check_contents(bot, bot.contents)
    (folder / "made").write_text("something else")
    with pytest.raises(BotError, match="its built files have changed"):
        check_contents(bot, bot.contents)


def test_what_was_built_is_not_built_again(yard: Yard) -> None:
    first = yard.build(MAKES_IT)
    assert yard.build() == first
    yard.write("notes.pyc", "left out by default, so it changes nothing")
    assert yard.build() == first
    assert yard.said == ["bot"]
    yard.write("data", "something else to build from")
    assert yard.build().program.folder != first.program.folder
    assert len(yard.said) == 2


def test_the_same_is_built_once_at_the_same_time(yard: Yard) -> None:
    yard.build(MAKES_IT, times=3)
    assert yard.said == ["bot"]


def test_a_failed_build_is_tried_again_and_its_log_is_kept(yard: Yard) -> None:
    for _ in range(2):
        with pytest.raises(BuildFailure, match=r"the build of bot failed: .*build\.py exited with status 3$") as caught:
            yard.build("import sys\nprint('the reason')\nsys.exit(3)")
        assert caught.value.log == "the reason\n"
        assert Path(caught.value.log_path).read_text() == "the reason\n"
        assert yard.left() == {"log", "whose.json"}
    assert len(yard.said) == 2


def test_a_build_that_makes_no_program_has_failed(yard: Yard) -> None:
    with pytest.raises(
        BuildFailure, match=r"succeeded, but `run` in its bot\.toml cannot be started: there is no program made"
    ):
        yard.build("")
    assert yard.left() == {"log", "whose.json"}


def test_a_build_that_makes_a_dockerfile_has_failed(yard: Yard) -> None:
    with pytest.raises(BuildFailure, match="made a Dockerfile"):
        yard.build(f"{MAKES_IT}\nopen('Dockerfile', 'w').write('FROM scratch')")
    yard.write("Dockerfile", "FROM scratch\n")
    assert yard.build()


def test_a_cache_that_others_may_change_is_refused(yard: Yard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    yard.write("build.py", MAKES_IT)
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))

    async def build() -> list[Bot]:
        async with open_sandbox(Wish("bwrap", proven=False)) as sandbox:
            return await built_here([load(str(yard.folder))], sandbox, LIMITS)

    def refused() -> bool:
        with pytest.raises(ExceptionGroup) as raised:
            trio.run(build)
        return "set XDG_CACHE_HOME" in str(first_error(raised.value))

    cache.chmod(0o777)
    assert refused()
    cache.chmod(0o1777)
    assert trio.run(build)
    if os.geteuid() == 0:
        os.chown(cache / "bullring", 1, 1)
        assert refused()
        os.chown(cache / "bullring", 0, 1)  # another group
        (cache / "bullring").chmod(0o775)
        assert refused()
        os.chown(cache / "bullring", 0, 0)
        assert trio.run(build)


def test_a_box_that_cannot_be_removed_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(folder)

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(temporary, "remove_tree", refuse)
    (tmp_path / f"{temporary.PREFIX}x").mkdir()
    (tmp_path / f"{temporary.PREFIX}x" / temporary.OWNER).write_text(me().replace("-", "-1", 1))
    temporary.sweep()


def test_a_command_that_does_not_exist(yard: Yard) -> None:
    yard.write("bot.toml", 'name = "bot"\nrun = ["./made"]\nbuild = ["no-such-compiler"]\n')
    with pytest.raises(BuildFailure, match=r"nor a program 'no-such-compiler' on this machine.*`bullring languages`"):
        yard.build()


def test_a_killed_build_leaves_nothing_to_the_next(yard: Yard) -> None:
    yard.write("build.py", MAKES_IT)
    folder = Path(yard.build().program.folder).parent
    (folder / "built.json").unlink()
    for name in ("work", "source"):
        (folder / name).mkdir()
        (folder / name / "half").touch()
    bot = yard.build()
    assert not (bot.program.folder / "half").exists()
    assert yard.left() == {"bot", "built.json", "log"}


def test_after_a_start_of_the_machine_what_was_built_is_looked_at(yard: Yard) -> None:
    folder = yard.build(MAKES_IT).program.folder
    card = folder.parent / "built.json"
    card.write_text(json.dumps({**json.loads(card.read_text()), "boot": "another"}))
    yard.build()
    assert json.loads(card.read_text())["boot"] != "another"
    assert len(yard.said) == 1
    card.write_text(json.dumps({**json.loads(card.read_text()), "boot": "another"}))
    (folder / "made").write_text("")
    assert (yard.build().program.folder / "made").read_text() == "#!/bin/sh\n"
    assert len(yard.said) == 2


def test_the_least_recently_used_builds_are_removed(yard: Yard) -> None:
    used = yard.build(MAKES_IT).program.folder.parent
    for name, hours in (("old", 3), ("older", 4)):
        other = used.parent / name
        other.mkdir()
        (other / "built.json").write_text((used / "built.json").read_text())
        os.utime(other / "built.json", (0, time.time() - hours * 3600))
    prune(map(Shelf, yard.builds.iterdir()), Shelf(used).size() * 2)
    assert {path.name for path in yard.builds.iterdir()} == {used.name, "old"}
    prune(map(Shelf, yard.builds.iterdir()), 0)
    assert {path.name for path in yard.builds.iterdir()} == {used.name}, "what was just used stays"


def test_what_is_being_built_is_not_removed(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "shelf")
    shelf.path.mkdir()
    fd = os.open(shelf.path, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    assert not shelf.remove()
    os.close(fd)
    assert shelf.remove()
    assert not shelf.path.exists()


def test_a_build_is_kept_by_what_it_depends_on() -> None:
    usual = key("sha256:1", ("make",), LIMITS)
    assert usual == key("sha256:1", ("make",), replace(LIMITS, time=1.0, memory=1, disk=1))
    others = [
        key("sha256:2", ("make",), LIMITS),
        key("sha256:1", ("make", "all"), LIMITS),
        key("sha256:1", ("make",), replace(LIMITS, network=True)),
    ]
    assert len({usual, *others}) == 4


def test_a_bot_without_a_build_is_played_as_it_is(yard: Yard) -> None:
    yard.write("bot.toml", 'name = "bot"\nrun = ["{python}", "build.py"]\n')
    assert yard.build("") == load(str(yard.folder))
    assert not yard.builds.exists()


@in_each(*WITH_IMAGES)
def test_a_bot_with_an_image_is_built_by_it(tier: str, tmp_path: Path) -> None:
    yard = Yard(tmp_path, tier)
    yard.write("Dockerfile", "FROM scratch\n")
    bot = yard.build("")
    assert (bot.build, bot.program.folder) == ((), yard.folder)
    assert not yard.builds.exists()


def test_a_folder_that_cannot_be_opened_is_removed_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "top/shut").mkdir(parents=True)
    (tmp_path / "top/shut/file").touch()
    (tmp_path / "top/shut").chmod(0)
    (tmp_path / "top").chmod(0)
    remove_tree(tmp_path / "top")
    assert not (tmp_path / "top").exists()
