"""Submissions: what becomes of a bot step by step, what its author is told, and that nothing stays of one that is refused."""

import os
import shutil
import signal
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.load import load
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.match.checking.result import Result
from bullring.errors import BotError, LadderError, Refusal, StoreError
from bullring.ladder.store import add as adding
from bullring.ladder.store.add import add
from bullring.ladder.store.arrival import arriving, sweep
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store
from bullring.ladder.submit.candidate import Step, Wanted
from bullring.ladder.submit.sources import fetch
from bullring.ladder.submit.submission import Submitted, submit
from tests.ladder.homes import TINY, folder, four, loaded, running, until
from tests.support.patience import PATIENCE

NONE = Wish(tier="none", allow_unsandboxed=True)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.create(tmp_path / "home", ("10s", "start=30s"))


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with closing(home.store()) as store:
        yield store


def submitted(
    home: Home, store: Store, text: Path | str, name: str | None = None, *, retire: bool = False
) -> Submitted:
    told: list[Step] = []
    wanted = Wanted(str(text), name, retire=retire, checked=False)
    return trio.run(submit, home, store, wanted, NONE, told.append)


def nothing_left(home: Home, bots: int = 0) -> bool:
    """Whether the home has this many bots, and nothing else of any."""
    with closing(home.store(read_only=True)) as store:
        places = {home.path / row.entry.place for row in store.bots()}
        held = {path for folder in (home.bots, home.commands) if folder.is_dir() for path in folder.iterdir()}
        return len(store.bots()) == bots and held == places and not any(home.incoming.iterdir())


def test_every_step_is_told(home: Home, store: Store, tmp_path: Path) -> None:
    told: list[Step] = []
    bot = folder(tmp_path / "bot")
    (bot / "__pycache__").mkdir()
    (bot / "__pycache__" / "x").write_bytes(bytes(5000))
    done = trio.run(submit, home, store, Wanted(str(bot)), NONE, told.append)
    assert [step.name for step in told] == [
        "manifest",
        "files",
        "contents",
        "sandbox",
        "build",
        "check",
        "match",
        "entered",
    ]
    assert "left out: __pycache__/ (5.0 KB)" in told[1].text
    assert told[1].facts["left_out"] == [{"path": "__pycache__/", "size": 5000, "files": 1}]
    assert done.is_new
    assert done.row.entry.files == 2
    assert done.row.entry.place == f"bots/{told[2].facts['hash'].removeprefix('sha256:')}"
    assert nothing_left(home, bots=1)


def test_advice_of_a_check_that_passes_is_told(
    home: Home, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def checked(*_: object) -> list[Result]:
        return [Result("time", "answers in time"), Result("clock", "thinks as long on a busy machine", remedy="call X")]

    monkeypatch.setattr("bullring.ladder.submit.submission.check", checked)
    told: list[Step] = []
    trial = trio.run(submit, home, store, Wanted(str(folder(tmp_path / "bot"))), NONE, told.append)
    assert trial.is_new
    assert [step.text for step in told if step.name == "advice"] == ["thinks as long on a busy machine: call X"]


def test_the_arena_s_own_bots_are_not_tried_where_they_are_not_checked(home: Home, store: Store) -> None:
    for checked, steps in ((False, ["entered"]), (True, ["match", "entered"])):
        told: list[Step] = []
        trio.run(submit, home, store, Wanted("@random", f"one {checked}", checked=checked), NONE, told.append)
        assert [step.name for step in told if step.name in ("match", "entered")] == steps


def test_versions_of_a_bot(home: Home, store: Store, tmp_path: Path) -> None:
    bot = folder(tmp_path / "bot")
    assert submitted(home, store, bot).row.name == "mine"
    assert not submitted(home, store, bot).is_new
    (bot / "tiny.py").write_bytes(TINY.read_bytes() + b"# two\n")
    second = submitted(home, store, bot).row
    assert (second.name, second.bot, second.version, second.state) == ("mine v2", "mine", 2, "active")
    assert store.bot("mine").state == "older"
    (bot / "tiny.py").write_bytes(TINY.read_bytes() + b"# three\n")
    assert submitted(home, store, bot, retire=True).row.name == "mine v3"
    assert [row.state for row in store.versions("mine")] == ["retired", "retired", "active"]
    assert store.bot("mine").reason == "replaced by mine v3"
    assert store.bot("mine v1") == store.bot("mine")
    assert nothing_left(home, bots=3)
    assert loaded(home, "mine v2").name == "mine v2"


def test_the_newest_versions_play_and_older_ones_come_back(home: Home, store: Store, tmp_path: Path) -> None:
    bot = folder(tmp_path / "bot")
    for number in range(4):
        (bot / "tiny.py").write_bytes(TINY.read_bytes() + b"# %d\n" % number)
        said = submitted(home, store, bot)
    assert said.row.name == "mine v4"
    assert states(home) == ["older", "older", "older", "active"]
    assert store.bot("mine").reason == "replaced by mine v4"
    store.set_state(4, "benched")
    assert states(home) == ["older", "older", "active", "benched"]
    home.settings_file.write_text(home.settings_file.read_text() + "\n[ladder]\nactive = 2\n")
    assert states(home) == ["older", "active", "active", "benched"]
    store.set_state(4, "active")
    store.set_state(3, "removed")
    assert states(home) == ["older", "active", "removed", "active"]
    home.settings_file.unlink()  # as in a home that says nothing of versions
    assert states(home) == ["older", "older", "removed", "active"]


def states(home: Home) -> list[str]:
    """The states of all bots of a home."""
    with closing(home.store(read_only=True)) as store:
        return [row.state for row in store.bots()]


def test_of_a_bot_that_the_store_cannot_take_nothing_stays(
    home: Home, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("disk full")

    monkeypatch.setattr(Store, "add_bot", full)
    with pytest.raises(StoreError, match="disk full"):
        submitted(home, store, folder(tmp_path / "bot"))
    assert nothing_left(home)


def test_the_same_bot_may_be_submitted_twice_at_once(
    home: Home, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = folder(tmp_path / "bot")

    async def quicker(*_: object) -> None:
        add(home, store, str(bot))

    monkeypatch.setattr("bullring.ladder.submit.submission.trial", quicker)
    assert not submitted(home, store, bot).is_new
    assert nothing_left(home, bots=1)


def test_the_home_is_not_blamed_for_a_reader_that_is_gone(home: Home, store: Store, tmp_path: Path) -> None:
    def gone(_: Step) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        trio.run(submit, home, store, Wanted(str(folder(tmp_path / "bot"))), NONE, gone)
    assert nothing_left(home)


@pytest.mark.parametrize(
    ("way", "says"),
    [("absent", "expected a hello"), ("crash", "crash"), ("illegal", "illegal")],
)
def test_a_bot_that_cannot_play_is_refused_and_leaves_nothing(
    home: Home, store: Store, tmp_path: Path, way: str, says: str
) -> None:
    with pytest.raises(Refusal, match=says) as caught:
        submitted(home, store, folder(tmp_path / "bot", way))
    assert caught.value.exit_code == 3
    assert caught.value.lines
    assert nothing_left(home)


def test_a_build_that_fails_leaves_nothing_and_its_log_is_told(home: Home, store: Store, tmp_path: Path) -> None:
    bot = folder(tmp_path / "bot", more='build = ["sh", "-c", "echo no such header; exit 7"]')
    with pytest.raises(Refusal, match="status 7") as caught:
        submitted(home, store, bot)
    assert "no such header" in caught.value.lines
    assert nothing_left(home)
    assert not home.builds.exists()


def test_what_is_built_is_kept_for_the_run(home: Home, store: Store, tmp_path: Path) -> None:
    bot = folder(tmp_path / "bot", more='build = ["sh", "-c", "echo made > made"]')
    row = submitted(home, store, bot).row
    assert row.contents.built.startswith("sha256:")
    (shelf,) = home.builds.iterdir()
    assert (shelf / "bot" / "made").read_text() == "made\n"
    assert submitted(home, store, bot, "other").row.contents.built == row.contents.built
    assert list(home.builds.iterdir()) == [shelf]


@pytest.mark.parametrize("name", ["", "two\nlines", "@x", " x", "x v2", "x" * 65])
def test_a_name_that_cannot_be_is_refused_before_anything_is_copied(
    home: Home, store: Store, tmp_path: Path, name: str
) -> None:
    told: list[Step] = []
    wanted = Wanted(str(folder(tmp_path / "bot")), name)
    with pytest.raises(LadderError, match="cannot be the name of a bot"):
        trio.run(submit, home, store, wanted, NONE, told.append)
    assert told == []
    assert nothing_left(home)


def test_an_archive_and_what_code_hosts_pack(home: Home, store: Store, tmp_path: Path) -> None:
    folder(tmp_path / "bot-main")
    shutil.make_archive(str(tmp_path / "packed"), "gztar", tmp_path, "bot-main")
    row = submitted(home, store, tmp_path / "packed.tar.gz").row
    assert row.source == str(tmp_path / "packed.tar.gz")
    assert not submitted(home, store, tmp_path / "bot-main").is_new
    (tmp_path / "empty").mkdir()
    shutil.make_archive(str(tmp_path / "empty"), "zip", tmp_path / "empty")
    with pytest.raises(BotError, match="must be at its top"):
        submitted(home, store, tmp_path / "empty.zip")
    with pytest.raises(BotError, match="there is no such archive"):
        submitted(home, store, tmp_path / "none.zip")
    (tmp_path / "bot.tar.xz").write_bytes(b"\xfd7zXZ")
    with pytest.raises(BotError, match=r"archives of this kind cannot be read; pack the bot as one of \.tar"):
        submitted(home, store, tmp_path / "bot.tar.xz")
    assert nothing_left(home, bots=1)


def test_a_path_that_cannot_be_looked_at_is_named(home: Home, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="xxx/bot: File name too long"):
        fetch(f"{'x' * 300}/bot", "", tmp_path, home.settings())


def test_an_image_needs_its_command_and_containers(home: Home, store: Store, tmp_path: Path) -> None:
    with pytest.raises(BotError, match="needs the command of the bot in it: --run"):
        fetch("image:debian:12", "", tmp_path, home.settings())
    with pytest.raises(BotError, match="is not one"):
        fetch("image:debian:12", "what's", tmp_path, home.settings())
    fetched = fetch("image:registry.example:5000/my/bot:12", "bot --mode 'a b'", tmp_path, home.settings())
    assert fetched is not None
    bot = load(str(fetched.folder))
    assert (bot.name, bot.program.image) == ("bot", "registry.example:5000/my/bot:12")
    assert bot.program.image_run == ("bot", "--mode", "a b")
    with pytest.raises(BotError, match="plays in containers only; add --sandbox docker"):
        trio.run(submit, home, store, Wanted("image:debian:12", run="bot"), NONE, lambda _: None)
    with pytest.raises(BotError, match="--run is for an image"):
        trio.run(submit, home, store, Wanted("@greedy", run="x"), NONE, lambda _: None)
    assert nothing_left(home)


def test_several_may_be_on_their_way_at_once(home: Home, store: Store) -> None:
    with arriving(home, store) as one, arriving(home, store) as other:
        assert one.is_dir()
        assert other.is_dir()
        sweep(home, store)
        assert one.is_dir()
    assert not any(home.incoming.iterdir())


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed(home: Home, bot: Path, when: str) -> int:
    """Submit a bot in a process that is killed after a step, or within one. Returns its exit code."""
    within = {"renamed": (Store, "add_bot"), "copying": (adding, "_measured"), "added": (adding, "label")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pytest may have threads; the child only runs what follows
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        if when in within:
            setattr(*within[when], die)
        wanted = Wanted(str(bot), checked=False)
        trio.run(submit, home, home.store(), wanted, NONE, lambda step: die() if step.name == when else None)
    finally:
        os._exit(1)


@pytest.mark.parametrize(
    "when", ["manifest", "copying", "contents", "sandbox", "build", "match", "added", "renamed", "entered"]
)
def test_of_a_submission_that_is_killed_nothing_stays_unless_it_is_entered(
    home: Home, tmp_path: Path, when: str
) -> None:
    bot = folder(tmp_path / "bot", more='build = ["sh", "-c", "echo made > made"]')
    assert killed(home, bot, when) == -signal.SIGKILL
    assert any(home.incoming.iterdir())
    with closing(home.store()) as store:
        sweep(home, store)
    assert nothing_left(home, bots=when == "entered")
    assert home.builds.exists() == (when == "entered")


@pytest.mark.slow
def test_a_running_ladder_plays_a_new_bot_and_no_longer_one_that_is_retired(tmp_path: Path) -> None:
    """Without a restart."""
    home = four(tmp_path / "home")
    bot = folder(tmp_path / "bot")

    def matches(name: str) -> int:
        with closing(home.store(read_only=True)) as store:
            return len(store.matches_of([store.bot(name).id], -1))

    with (
        running(home, "--jobs", "1", "--seats", "3", "--sandbox", "none", "--allow-unsandboxed") as process,
        closing(home.store()) as store,
    ):
        until(lambda: matches("a") > 0, process)
        submitted(home, store, bot)
        until(lambda: matches("mine") > 5, process)
        (bot / "tiny.py").write_bytes(TINY.read_bytes() + b"# two\n")
        submitted(home, store, bot, retire=True)
        until(lambda: matches("mine v2") > 5, process)
        before, others = matches("mine"), matches("mine v2")
        until(lambda: matches("mine v2") > others + 20, process)
        assert matches("mine") == before
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
