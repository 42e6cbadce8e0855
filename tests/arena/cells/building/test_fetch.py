"""Packages are fetched into a copy of the bot's folder, by a package manager in a cell; nothing of theirs is run."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.python import PACKAGES
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import BotError, BuildFailure, first_error
from tests.arena.cells.building.yard import LIMITS
from tests.arena.cells.sandbox.stage import hear
from tests.support.tiers import in_each
from tests.support.wheels import only_from, sdist, wheel

pytestmark = pytest.mark.usefixtures("wheels")


@dataclass
class Author:
    """An author with a bot, which prints what it finds, and a folder of wheels."""

    folder: Path
    wheels: Path
    tier: str = "bwrap"

    def writes(self, requirements: str, program: str = "import mine\nprint(mine.WORD)\n", more: str = "") -> None:
        """Write the bot."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "bot.toml").write_text(f'name = "mine"\nrun = ["{{python}}", "bot.py"]\n{more}')
        (self.folder / "bot.py").write_text(program)
        (self.folder / "requirements.txt").write_text(requirements)

    def plays(self, limits: BuildLimits = LIMITS) -> str:
        """All that the bot prints once it is ready. Raises what `built` raises."""
        said: list[str] = []

        async def main() -> None:
            async with open_sandbox(Wish(self.tier, allow_unsandboxed=True, proven=False)) as sandbox:
                bot = await built(load(str(self.folder)), sandbox, self.folder.parent / "builds", limits)
                log = bytearray()
                cell = await sandbox.start(bot.program, log.extend)
                try:
                    said.append(await hear(cell))
                    await cell.wait()
                finally:
                    await cell.end()
                said[0] = said[0] or log.decode()

        try:
            trio.run(main)
        except BaseExceptionGroup as group:
            raise first_error(group) from None
        return said[0].strip()


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return only_from(tmp_path / "wheels", monkeypatch)


@pytest.fixture
def author(tmp_path: Path, wheels: Path) -> Author:
    return Author(tmp_path / "bot", wheels)


MINE = {"mine.py": "WORD = 'fetched'\n"}


@in_each(*TIERS, slow=("docker", "landlock", "none"))
def test_a_bot_plays_with_the_packages_that_it_declares(tier: str, author: Author) -> None:
    author.tier = tier
    wheel(author.wheels, "mine", MINE)
    author.writes("mine==1\n")
    assert author.plays() == "fetched"
    assert not (author.folder / PACKAGES).exists()


def test_a_pyproject_serves_as_well_and_the_build_sees_the_packages(author: Author) -> None:
    wheel(author.wheels, "mine", MINE)
    author.writes("", "print(open('made').read())", 'build = ["{python}", "build.py"]\n')
    (author.folder / "requirements.txt").unlink()
    (author.folder / "pyproject.toml").write_text('[project]\ndependencies = ["mine"]\n')
    (author.folder / "build.py").write_text("import mine\nopen('made', 'w').write(mine.WORD)\n")
    assert author.plays() == "fetched"


def test_what_was_fetched_serves_again_without_its_source(author: Author) -> None:
    wheel(author.wheels, "mine", MINE)
    author.writes("mine\n")
    assert author.plays() == "fetched"
    (author.wheels / "mine-1-py3-none-any.whl").unlink()
    author.writes("mine\n", "import mine\nprint(mine.WORD, 'again')\n")
    assert author.plays() == "fetched again"


def test_the_users_settings_are_not_kept(author: Author, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://me:secret@mirror.invalid/")
    wheel(author.wheels, "mine", MINE)
    author.writes("mine\n", "import os\nprint(os.environ, os.listdir())\n")
    assert "secret" not in author.plays()
    kept = [
        path.read_bytes() for place in ("builds", "cache") for path in (tmp_path / place).rglob("*") if path.is_file()
    ]
    assert kept
    assert not any(b"secret" in data for data in kept)


@pytest.mark.slow
def test_an_ignore_file_of_the_author_does_not_leave_them_out(author: Author) -> None:
    wheel(author.wheels, "mine", MINE)
    author.writes("mine\n")
    (author.folder / ".bullringignore").write_text(f"{PACKAGES}\n")
    assert author.plays() == "fetched"


def test_a_hash_must_be_that_of_the_wheel(author: Author) -> None:
    hash_ = wheel(author.wheels, "mine", MINE)
    author.writes(f"mine==1 {hash_}\n")
    assert author.plays() == "fetched"
    author.writes(f"mine==1 {hash_[:-4]}0000\n")
    with pytest.raises(BuildFailure) as failure:
        author.plays()
    assert "DO NOT MATCH THE HASHES" in failure.value.log


def test_nothing_is_fetched_where_the_operator_does_not_allow_it(author: Author) -> None:
    author.writes("mine\n")
    with pytest.raises(BotError, match=r"write fetch = true under \[build\] in the settings file"):
        author.plays(replace(LIMITS, fetch=False))


def test_source_distributions_are_neither_taken_nor_run(author: Author, tmp_path: Path) -> None:
    sdist(author.wheels, "mine", f"open({str(tmp_path / 'ran')!r}, 'w')\nimport setuptools; setuptools.setup()\n")
    author.writes("mine\n")
    with pytest.raises(
        BuildFailure, match=r"the packages of mine \(Python\) cannot be fetched: pip failed: "
    ) as failure:
        author.plays()
    assert "No matching distribution found for mine" in failure.value.log
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "path", ["../evil.py", "../../../tmp/evil.py", "/tmp/evil.py", "mine-1.data/data/../../evil.py"]
)
def test_a_wheel_writes_nothing_outside_of_its_folder(path: str, author: Author, tmp_path: Path) -> None:
    wheel(author.wheels, "mine", {**MINE, path: "evil"})
    author.writes("mine\n")
    with pytest.raises(BuildFailure) as failure:
        author.plays()
    assert "evil.py" in failure.value.log
    assert not list(tmp_path.rglob("evil.py"))
    assert not Path("/tmp/evil.py").exists()


MANY = {f"mine/{number}.py": "" for number in range(300)}


@pytest.mark.slow
def test_too_many_files_are_refused(author: Author) -> None:
    wheel(author.wheels, "mine", MANY)
    author.writes("mine\n")
    with pytest.raises(BotError, match=r"has more than 200 files and folders.*; the bot declares too much"):
        author.plays(replace(LIMITS, folder=Bounds(files=200)))


def test_too_much_to_unpack_is_refused(author: Author) -> None:
    wheel(author.wheels, "mine", {**MINE, "mine.bin": bytes(80 * MIB)})
    author.writes("mine\n")
    with pytest.raises(BuildFailure, match="cannot be fetched"):
        author.plays()


def test_code_that_python_would_run_by_itself_runs_in_no_process_of_ours(author: Author, tmp_path: Path) -> None:
    mark = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    wheel(
        author.wheels,
        "mine",
        {
            **MINE,
            "mine.pth": f"import sys; exec({mark!r})\n",
            "usercustomize.py": mark,
            "bullring/__init__.py": mark,
            "pip/__init__.py": mark,
            "pip/__main__.py": mark,
            "json.py": mark,
        },
    )
    author.writes("mine\n", "import sys\nprint('mine.pth' in str(sys.path), sys.flags.isolated)\n")
    before = dict(sys.modules)
    author.plays()
    assert not (tmp_path / "ran").exists()
    assert all(PACKAGES not in str(getattr(module, "__file__", "")) for module in {**before, **sys.modules}.values())


@pytest.mark.slow
def test_the_same_declarations_bring_the_same_bytes(author: Author, tmp_path: Path) -> None:
    wheel(author.wheels, "mine", MINE)
    author.writes("mine\n")
    hashes = set()
    for place in ("one", "two"):
        author.folder = (tmp_path / place / "bot").absolute()
        author.folder.parent.mkdir()
        author.writes("mine\n")
        author.plays()
        (made,) = (author.folder.parent / "builds").glob("*/bot")
        hashes.add(hash_folder(made, Bounds()))
    assert len(hashes) == 1
