"""A rating belongs to the files that were added: files that change between runs, or while one is going on."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bullring.ladder.run.workers.messages import Order, OrderWriter, Play
from bullring.ladder.store.home import Home
from tests.ladder.homes import TINY, adopt, bots, folder, four, ladder, listed, loaded, run, told


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with a bot from a folder, a command line whose file is ours, and two others."""
    home = four(tmp_path / "home")
    program = tmp_path / "program.py"
    program.write_bytes(TINY.read_bytes())
    for bot in (str(folder(tmp_path / "mine")), f"python3 -I -S {program} last"):
        adopt(home, bot, bot.rpartition("/")[2].partition(".")[0])
    return home


def reasons(home: Home) -> dict[str, str]:
    with closing(home.store(read_only=True)) as store:
        return {row.name: row.reason for row in store.bots() if row.state == "benched"}


def play(home: Home) -> str:
    return run(home, "--matches", "6", "--seats", "2", "--jobs", "1", "--sandbox", "none", "--allow-unsandboxed")


def copy_of(home: Home) -> Path:
    return loaded(home, "mine").program.folder


def edit_copy(home: Home) -> None:
    with (copy_of(home) / "tiny.py").open("a") as file:
        file.write("# better\n")


@pytest.mark.parametrize(
    ("change", "bot"),
    [
        (edit_copy, "mine"),
        pytest.param(lambda home: (copy_of(home) / "more").mkdir(), "mine", marks=pytest.mark.slow),
        pytest.param(lambda home: (copy_of(home) / "tiny.py").chmod(0o755), "mine", marks=pytest.mark.slow),
        pytest.param(lambda home: (copy_of(home) / "tiny.py").unlink(), "mine", marks=pytest.mark.slow),
        pytest.param(
            lambda home: (home.path.parent / "program.py").write_text(TINY.read_text() + "#\n"),
            "program",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["contents", "name", "mode", "gone", "command"],
)
def test_a_bot_whose_files_change_between_runs_is_benched_and_the_others_play(
    change: Callable[[Home], object], bot: str, home: Home
) -> None:
    play(home)
    assert reasons(home) == {}
    change(home)
    output = play(home)
    assert f"{bot} is benched: its files have changed since it was added (expected " in output
    assert list(reasons(home)) == [bot]
    # It does not help to reinstate it.
    assert bots("reinstate", bot, home=home).exit_code == 0
    play(home)
    assert list(reasons(home)) == [bot]


@pytest.mark.slow
def test_a_bot_that_is_restored_plays_again(home: Home) -> None:
    copy = copy_of(home)
    before = (copy / "tiny.py").read_bytes()
    edit_copy(home)
    play(home)
    (copy / "tiny.py").write_bytes(before)
    assert bots("reinstate", "mine", home=home).exit_code == 0
    play(home)
    assert reasons(home) == {}


def test_a_bot_whose_files_change_before_a_referee_process_opens_it_is_benched(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run has found it as it was added; its first match is not played."""
    from bullring.api.ladders import Ladder

    write = OrderWriter.write

    def changing(writer: OrderWriter, order: Order) -> bytes:
        if isinstance(order, Play) and any(bot.name == "mine" for match in order.matches for bot in match.bots):
            edit_copy(home)
        return write(writer, order)

    monkeypatch.setattr(OrderWriter, "write", changing)
    rows = Ladder(home.path).run(seats=2, matches=20, jobs=1, sandbox="none", allow_unsandboxed=True)
    assert list(reasons(home)) == ["mine"]
    assert "its files have changed since it was added" in reasons(home)["mine"]
    assert {row.bot: row.matches for row in rows if row.bot == "mine"} in ({}, {"mine": 0})


def test_store_table_and_record_say_what_was_rated(home: Home) -> None:
    play(home)
    hashes = {row["bot"]: row["hash"] for row in told("table", "--format", "json", home=home)["rows"]}
    known = listed(home)
    assert {name: row["hash"] for name, row in known.items()} == hashes
    assert {name: row["reproducible"] for name, row in known.items()} == {name: name == "mine" for name in known}
    assert hashes["mine"].startswith("sha256:")
    shown = bots(home=home).output
    assert hashes["mine"][7:19] in shown
    assert shown.count("not fixed") == 5
    records = [home.lines(match).entries[0] for match in home.kept.matches()]
    assert len(records) == 6
    for head in records:
        assert head["contents"] == [{"hash": hashes[name], "whole": name == "mine"} for name in head["seats"]]


def test_who_adds_a_command_line_is_told_that_it_is_not_fixed(home: Home, tmp_path: Path) -> None:
    done = ladder("add", f"python3 -I -S {tmp_path / 'program.py'} last", "--name", "x", home=home)
    assert done.exit_code == 0, done.output
    assert "the files of a command line are not copied" in done.stderr


def test_an_image_that_changes_is_another_bot(tmp_path: Path) -> None:
    from bullring.arena.cells.bots.bot import Contents
    from bullring.arena.cells.bots.contents import check_image
    from bullring.errors import BotError

    check_image(Contents("sha256:00", whole=True), "sha256:11")
    check_image(Contents("sha256:00", whole=True, image="sha256:11"), "")
    check_image(Contents("sha256:00", whole=True, image="sha256:11"), "sha256:11")
    with pytest.raises(BotError, match=r"its image has changed .* \(expected sha256:11, found sha256:22\)"):
        check_image(Contents("sha256:00", whole=True, image="sha256:11"), "sha256:22")
