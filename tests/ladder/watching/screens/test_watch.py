"""Watching a ladder in full screen. The ladder is made up: its home is written as a run writes it."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bullring.cli.options import TableWish
from bullring.cli.play.watch import _list
from bullring.ladder.run.progress import Progress, RunningMatch, tell_running
from bullring.ladder.store.home import Home
from bullring.ladder.watching.screens import watch
from bullring.ladder.watching.screens.match import Table
from bullring.ladder.watching.screens.matches import Tables
from bullring.ladder.watching.screens.standings import StandingsScreen
from bullring.ladder.watching.screens.watch import BotScreen, WatchApp
from tests.arena.watching.screens.showing import run, text_of, until
from tests.ladder.homes import put
from tests.ladder.stored import match_of, played
from tests.support.command import BULLRING, here
from tests.support.patience import PATIENCE
from tests.support.record import record_of
from tests.support.terminal import terminal

WISH = TableWish(None, None, ())


@pytest.fixture(name="lines", scope="module")
def _lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The record of a match."""
    path = record_of(tmp_path_factory.mktemp("watch") / "match.jsonl")
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture(name="begun", scope="module")
def _begun(lines: list[bytes]) -> list[bytes]:
    """The part of it that is written when some turns have been played."""
    return lines[: lines.index(dealing(lines)) + 5]


def dealing(lines: list[bytes]) -> bytes:
    return next(line for line in lines if line.startswith(b'{"deal"'))


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Home:
    """A home in which something was played, and in one list nothing."""
    home = Home.create(tmp_path / "home", ["10s"])
    with closing(home.store()) as store:
        for name in ("ann", "bob", "\x1b[31meve"):
            store.add_bot(name, "true")
        played(store, match_of(store, (1, 2, 3), id=1), match_of(store, (2, 3, 1), id=2))
        store.list_of("tactics", {}, 2)
    return home


def plays(home: Home, lines: list[bytes], *matches: int) -> None:
    """Let a ladder run that is playing these matches; their records have these lines."""
    for match in matches:
        home.live.mkdir(exist_ok=True)
        (home.live / f"{match}.jsonl").write_bytes(b"".join(lines))
    bots = ("ann", "bob", "\x1b[31meve")
    tell_running(home, 1, Progress(playing=[RunningMatch(match, bots) for match in matches]))


def ladder(home: Home) -> WatchApp:
    return watch.ladder(home, lambda store, now: _list(home, store, WISH, now), pace=0.001)


def shown(app: WatchApp) -> str:
    return text_of(app.screen)


def test_a_match_that_was_followed_is_shown_to_its_end_when_it_lies_with_the_others(
    home: Home, lines: list[bytes], begun: list[bytes]
) -> None:
    """While it is played, there is a file with the beginning of its record; in the end that is removed."""

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        table = app.screen
        assert isinstance(table, Table)
        await until(lambda: bool(table.stepper.frames) and table.stepper.latest)
        home.record(18).unlink()
        await pilot.pause(0.5)
        assert not table.ended  # it is still said to be played
        put(home, 18, b"".join(lines))
        await until(lambda: "first place" in shown(app))
        await pilot.press("h")
        await until(lambda: "hands open" in shown(app))

    plays(home, begun, 18)
    run(watch.match(home, 18, pace=0.001), steps)


def test_it_waits_for_a_ladder_and_opens_its_tables(home: Home, lines: list[bytes], begun: list[bytes]) -> None:
    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "ann" in shown(app))  # the list with matches is shown, though there are two
        assert "no ladder is running in this home; waiting for one" in shown(app)
        assert "standard, 3 seats" in shown(app)
        plays(home, begun, 17, 18)
        await until(lambda: "▸    17  ann  bob  \\x1b[31meve" in shown(app))
        assert "2 tables being played" in shown(app)
        await pilot.press("down")
        assert "▸    18" in shown(app)
        await pilot.press("enter")
        table = app.screen
        assert isinstance(table, Table)
        await until(lambda: "match 18" in shown(app) and bool(table.stepper.frames) and table.stepper.latest)
        at = table.stepper.at
        await pilot.press("h", "up")
        assert "the hands are secret" in shown(app) or table.stepper.at < at
        with home.record(18).open("ab") as file:
            file.write(b"".join(lines[len(begun) :]))
        await pilot.press("space")
        await until(lambda: "first place" in shown(app))
        await pilot.press("h")
        await until(lambda: "hands open" in shown(app))
        await pilot.press("escape")
        assert isinstance(app.screen, StandingsScreen)
        plays(home, begun, 18, 19)  # the chosen table stays chosen
        await until(lambda: "19" in shown(app))
        assert "▸    18" in shown(app)
        await pilot.click(Tables, offset=(12, 1))
        assert isinstance(app.screen, Table)
        assert app.screen.match == 19

    run(ladder(home), steps)


def test_nothing_of_the_hands_is_drawn_before_the_match_is_over(
    home: Home, lines: list[bytes], begun: list[bytes]
) -> None:
    plays(home, begun, 17)
    dealt = set(json.loads(dealing(lines))["deal"])

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        table = app.screen
        assert isinstance(table, Table)
        await until(lambda: bool(table.stepper.frames) and table.stepper.latest)
        for key in ("h", "s", "m", "tab", "a", "home", "h", "end", "h"):
            await pilot.press(key)
            await pilot.pause()
            assert "open hands" not in shown(app)
            assert not table.opened
            for frame in table.stepper.frames:
                lying = {card for seat in frame.picture.seats for card in seat.cards}
                assert lying < dealt
                assert all(seat.hand is None for seat in frame.picture.seats)

    run(watch.match(home, 17, pace=0.0), steps, (160, 50))


def test_a_match_that_is_given_up_is_said(home: Home, begun: list[bytes]) -> None:
    plays(home, begun, 17)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "turn" in shown(app))
        home.record(17).unlink()
        plays(home, begun)
        await until(lambda: "was given up, and is played anew under another number" in shown(app))
        await pilot.press("home", "down")
        assert "deal 1 of 1" in shown(app)

    run(watch.match(home, 17, pace=0.0), steps)


def test_a_finished_match_is_a_replay(home: Home, lines: list[bytes]) -> None:
    plays(home, lines, 17)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        table = app.screen
        assert isinstance(table, Table)
        await until(lambda: table.ended)
        assert (table.stepper.place, table.stepper.playing) == ("d1t1", False)
        await pilot.press("down", "h")
        assert "open hands" in shown(app)

    run(watch.match(home, 17), steps)


def test_a_bot_is_followed_from_match_to_match(
    home: Home, lines: list[bytes], begun: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bullring.ladder.watching.screens.match.AFTER", PATIENCE)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "bob: no ladder is running" in shown(app))
        plays(home, lines, 17)
        await until(lambda: isinstance(app.screen, Table) and app.screen.match == 17 and "first place" in shown(app))
        monkeypatch.setattr("bullring.ladder.watching.screens.match.AFTER", 0.0)
        await until(lambda: isinstance(app.screen, BotScreen) and "waiting for its next match" in shown(app))
        plays(home, begun, 18)
        await until(lambda: isinstance(app.screen, Table) and app.screen.match == 18)

    run(watch.bot(home, "bob", pace=0.0), steps)


@pytest.mark.parametrize("size", [(40, 12), (60, 15), (160, 50)])
def test_the_names_stay_in_any_size(size: tuple[int, int], home: Home, begun: list[bytes]) -> None:
    plays(home, begun, 17)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "rating" in shown(app) and "17" in shown(app))
        assert {"ann", "bob"} <= set(shown(app).split())
        assert ("p99" in shown(app)) == (size[0] > 60)

    run(ladder(home), steps, size)


def test_in_a_terminal(home: Home, lines: list[bytes], begun: list[bytes]) -> None:
    plays(home, begun, 17)
    with terminal(str(BULLRING), "watch", "--home", str(home.path), columns=100, lines=30) as seen:
        seen.until("1 table being played")
        seen.resize(60, 15)
        seen.until(lambda text: "p99" not in text and "▸    17" in text)
        seen.press("\r")
        seen.until("match 17")
        seen.press("\x1b")
        seen.until("1 table being played")
        seen.press("q")
        assert seen.wait() == 0


def test_in_a_pipe(home: Home, lines: list[bytes]) -> None:
    done = here("watch", "--home", str(home.path))
    assert done.exit_code == 0
    assert done.stdout.endswith("no ladder is running in this home\n")
    assert "ann" in done.stdout
    home.record(17).parent.mkdir()
    home.record(17).write_bytes(b"".join(lines))
    told = here("watch", "17", "--home", str(home.path)).stdout
    assert "turn 10" in told
    assert "holds" in told
    home.record(17).write_bytes(b"".join(lines[:-1]))
    assert "holds" not in here("watch", "17", "--home", str(home.path)).stdout
