"""Packages that a submitted bot declares: fetched if the operator allows it, and part of the bot from then on."""

from contextlib import closing
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.contents import check_contents
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.sandbox.python import PACKAGES
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import BotError, LadderError
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home
from bullring.ladder.submit.candidate import Step, Wanted
from bullring.ladder.submit.submission import Submitted, submit
from tests.ladder.homes import TINY, ladder, loaded
from tests.support.tiers import need
from tests.support.wheels import only_from, wheel


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    need("bwrap")
    found = only_from(tmp_path / "wheels", monkeypatch)
    wheel(found, "mine", {"mine.py": "WORD = 'fetched'\n"})
    return found


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot that plays only with a package."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\nrun = ["{python}", "tiny.py", "first"]\n')
    (folder / "tiny.py").write_text(TINY.read_text().replace("import json", "import json\nimport mine", 1))
    (folder / "requirements.txt").write_text("mine==1\n")
    return folder


def home_of(path: Path, *, fetches: bool) -> Home:
    home = Home.create(path, ("10s", "start=30s"))
    if fetches:
        with home.settings_file.open("a") as file:
            file.write("[build]\nfetch = true\n")
    return home


def submitted(home: Home, bot: Path) -> tuple[Submitted, dict[str, Step]]:
    told: list[Step] = []
    with closing(home.store()) as store:
        done = trio.run(submit, home, store, Wanted(str(bot), checked=False), Wish("bwrap"), told.append)
    return done, {step.name: step for step in told}


def test_a_ladder_fetches_nothing_unless_its_operator_says_so(wheels: Path, bot: Path, tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", fetches=False)
    with pytest.raises(BotError, match=r"mine declares packages \(Python\).* settings.toml in its home"):
        submitted(home, bot)
    with closing(home.store()) as store, pytest.raises(LadderError, match="bullring submit"):
        add(home, store, str(bot))
    assert not any(home.bots.iterdir()) if home.bots.is_dir() else True


def test_packages_are_part_of_the_bot_which_plays_without_them_being_fetched_again(
    wheels: Path, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_of(tmp_path / "home", fetches=True)
    done, told = submitted(home, bot)
    row = done.row
    assert told["packages"].facts["kinds"] == ["Python"]
    assert row.contents.hash == told["packages"].facts["hash"] != told["contents"].facts["hash"]
    assert (home.path / row.entry.place / PACKAGES / "mine.py").is_file()
    check_contents(loaded(home, "mine"), row.contents)
    again, _ = submitted(home, bot)
    assert not again.is_new
    remove_tree(wheels)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    moved = Home.find(home.path.rename(tmp_path / "moved"))
    with closing(moved.store()) as store:
        add(moved, store, "@random")
    result = ladder("run", "--matches", "2", "--seats", "2", "--sandbox", "bwrap", "--jobs", "1", home=moved)
    assert result.exit_code == 0, result.output
    with closing(moved.store(read_only=True)) as store:
        assert [bot.state for bot in store.bots()] == ["active", "active"]
        assert not any(seat.faults for match in store.matches() for seat in match.seats)
