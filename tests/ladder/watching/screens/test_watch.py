"""Watching a ladder in full screen. The ladder is made up: its home is written as a run writes it."""

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.registry import GAMES
from bullring.cli.options import TableWish
from bullring.cli.play.watch import _list
from bullring.errors import LadderError
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.progress import Notice, Progress, Running, RunningMatch, tell_running
from bullring.ladder.standings.columns import settled
from bullring.ladder.standings.outlook import NOTHING
from bullring.ladder.standings.ratings import Told
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.screens import watch
from bullring.ladder.watching.screens.boards import Boards
from bullring.ladder.watching.screens.bot import BotPage
from bullring.ladder.watching.screens.match import Table
from bullring.ladder.watching.screens.matches import Tables
from bullring.ladder.watching.screens.reader import moved
from bullring.ladder.watching.screens.standings import StandingsScreen
from bullring.ladder.watching.screens.watch import BotScreen, WatchApp
from tests.arena.watching.screens.showing import run, text_of, until
from tests.ladder.homes import put
from tests.ladder.stored import match_of, played
from tests.support.command import BULLRING, here
from tests.support.games import some_games
from tests.support.patience import PATIENCE
from tests.support.record import record_of
from tests.support.terminal import terminal

WISH = TableWish(None, None, ())

LOW = (80, 20)
"""A terminal without room for boards: tables are in a list."""


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


def plays(home: Home, lines: list[bytes], *matches: int, notices: Sequence[Notice] = ()) -> None:
    """Let a ladder run that is playing these matches; their records have these lines."""
    for match in matches:
        home.live.mkdir(exist_ok=True)
        (home.live / f"{match}.jsonl").write_bytes(b"".join(lines))
    bots = ("ann", "bob", "\x1b[31meve")
    playing = [RunningMatch(match, bots) for match in matches]
    tell_running(home, 1, Progress(playing=playing, tables=len(matches)), notices)


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
        assert "three at a table" in shown(app)
        plays(home, begun, 17, 18)
        await until(lambda: "17  ann  bob  \\x1b[31meve" in shown(app))
        assert "2 tables being played" in shown(app)
        await pilot.press("down", "down")
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
        await until(lambda: app.screen is not table)
        plays(home, begun, 18, 19)  # the chosen table stays chosen
        await until(lambda: "19" in shown(app))
        assert "▸    18" in shown(app)
        await pilot.click(Tables, offset=(12, 1))
        opened = app.screen
        assert isinstance(opened, Table)
        assert opened.match == 19

    run(ladder(home), steps, LOW)


def test_bots_and_finished_matches_can_be_opened(home: Home, lines: list[bytes]) -> None:
    put(home, 2, b"".join(lines))

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "last results" in shown(app) and "match 2  replay" in shown(app))
        await pilot.press("tab", "tab", "down", "enter")
        page = app.screen
        assert isinstance(page, BotPage)
        await until(lambda: page.about is not None and "head to head" in shown(app))
        assert page.about is not None
        assert "no place yet, rating 1500?, provisional" in shown(app)  # after two matches
        assert "1.  50%" in shown(app)  # it has won one of two matches
        await pilot.press("enter")
        match = app.screen
        assert isinstance(match, Table)
        assert match.match == 2  # the last one
        await until(lambda: match.ended)
        await pilot.press("escape", "escape", "tab", "down", "up", "enter")
        await until(lambda: app.screen is not match)
        again = app.screen
        assert isinstance(again, Table)
        assert again.match == 2
        await until(lambda: again.feed.finished)

    run(ladder(home), steps, (100, 30))


def test_what_was_chosen_is_opened_though_others_have_taken_its_place(home: Home, begun: list[bytes]) -> None:
    plays(home, begun, 17, 18, 19)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "3 tables being played" in shown(app))
        await pilot.press("down", "down")
        assert "▸    18" in shown(app)
        plays(home, begun, 20, 21, 22)
        await until(lambda: "▸    18  ann  bob  \\x1b[31meve  over" in shown(app))
        await pilot.press("enter")
        table = app.screen
        assert isinstance(table, Table)
        assert table.match == 18
        await pilot.press("escape", "down")
        await until(lambda: "▸    21" in shown(app))
        assert "over" not in shown(app)  # what is over and no longer chosen has left the list
        await pilot.press("up")
        assert "▸    20" in shown(app)

    run(ladder(home), steps, LOW)


def test_a_chosen_board_keeps_its_match(home: Home, lines: list[bytes], begun: list[bytes]) -> None:
    plays(home, begun, 17)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        boards = app.screen.query_one(Boards)
        await until(lambda: [board.match for board in boards.shown] == [17])
        await pilot.press("tab")
        assert boards.chosen == 17
        put(home, 17, b"".join(lines))
        (home.live / "17.jsonl").unlink()
        plays(home, begun, 18)
        for moment in range(1, 100):
            boards.advance(1e9 + 1000.0 * moment, [18])
        assert 18 in [board.match for board in boards.shown[1:]]
        assert boards.chosen == 17

    run(ladder(home), steps, (120, 40))


def test_the_list_stays_when_its_ladder_has_ended(home: Home, begun: list[bytes]) -> None:
    plays(home, begun, 17)

    def choose(store: Store, now: Running | None) -> ListRow:
        if now is None:
            raise LadderError("2 lists fit")
        return store.lists()[0]

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        standings = app.screen
        assert isinstance(standings, StandingsScreen)
        await until(lambda: bool(standings.news.rows))
        home.running.unlink()
        await until(lambda: "no ladder is running" in shown(app))
        before = standings.news
        await until(lambda: standings.news is not before)
        assert standings.news.rows == before.rows
        assert not standings.news.trouble

    run(watch.ladder(home, choose), steps)


def test_news_that_come_while_the_screen_is_left_do_no_harm(home: Home) -> None:
    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        standings = app.screen
        assert isinstance(standings, StandingsScreen)
        await until(lambda: bool(standings.news.rows))
        standings._stopped.set()
        await standings.query("*").remove()
        standings.take(standings.news)

    run(ladder(home), steps)


def test_who_has_got_another_place_is_told(home: Home) -> None:
    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        standings = app.screen
        assert isinstance(standings, StandingsScreen)
        await until(lambda: bool(standings.news.rows))
        assert not standings.news.moves
        standings._stopped.set()
        rated = settled(
            [replace(row, error=20.0) for row in standings.news.rows]
        )  # places of provisional ratings are not told
        news = replace(standings.news, rows=rated)
        first, second, *rest = rated
        swapped = [replace(first, place=2), replace(second, place=1), *rest]
        assert news.list is not None
        moves = tuple(moved(news, news.list, swapped))
        standings.take(replace(news, rows=swapped, moves=moves))
        await until(lambda: f"▲ {harmless(second.bot)} 2 → 1" in shown(app))
        assert f"▼ {harmless(first.bot)} 1 → 2" in shown(app)

    run(ladder(home), steps, (100, 30))


def test_tables_being_played_are_boards_with_cards_where_there_is_room(home: Home, begun: list[bytes]) -> None:
    plays(home, begun, 17, 18)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        boards = app.screen.query_one(Boards)
        for size, cards, count in (
            ((120, 40), True, 2),
            ((80, 24), True, 1),
            ((60, 24), False, 1),
            ((200, 60), True, 2),
        ):
            await pilot.resize_terminal(*size)
            while len(boards.shown) != count or ("▗" in shown(app)) != cards:
                await pilot.pause(0.01)
            assert "match 17  live" in shown(app)
            assert {"rating", "matches", "ann", "bob"} <= set(shown(app).split())
            assert "last results" in shown(app)
            assert "…" not in shown(app)
        await pilot.press("tab")
        assert boards.chosen == 17
        await pilot.press("enter")
        table = app.screen
        assert isinstance(table, Table)
        assert table.match == 17

    run(ladder(home), steps, (120, 40))


@pytest.mark.parametrize("name", some_games)
def test_tables_of_every_game_fit(name: str, home: Home, tmp_path: Path) -> None:
    low, high = GAMES[name].seat_range
    for seats in {low, high}:
        record = record_of(tmp_path / f"{seats}.jsonl", name, seats).read_bytes()
        plays(home, record.splitlines(keepends=True)[:9], 17, 18, 19, 20)

        async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
            await until(lambda: "match 17  live" in shown(app))
            for size in ((80, 24), (160, 50)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                lines = shown(app).splitlines()
                assert "Enter open" in lines[-1]
                assert any("ann" in line for line in lines)

        run(ladder(home), steps, (120, 40))


def test_the_ratings_of_a_run_are_shown_as_it_tells_them(home: Home, begun: list[bytes]) -> None:
    with closing(home.store()) as store:
        rated = Rated(home, store, store.lists()[0])
        told = Told([replace(row, rating=2345.0, error=10.0) for row in rated.rows()], NOTHING)

    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "2345" in shown(app))
        home.running.unlink()
        await until(lambda: "2345" not in shown(app))  # it has ended: they are rated here

    told.write(home, 1)
    plays(home, begun, 17)
    run(ladder(home), steps)


def test_the_notices_of_a_run_are_shown_whole(home: Home, begun: list[bytes]) -> None:
    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: "12:00:00 ann: too late in match 7 (card): nothing in 1 s" in shown(app))

    plays(home, begun, 17, notices=[Notice("12:00:00", "fault", "ann: too late in match 7 (card): nothing in 1 s")])
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
        assert ("heads" in shown(app)) == (size[0] > 40)

    run(ladder(home), steps, size)


def test_in_a_terminal(home: Home, lines: list[bytes], begun: list[bytes]) -> None:
    plays(home, begun, 17)
    with terminal(str(BULLRING), "watch", "--home", str(home.path), columns=100, lines=30) as seen:
        seen.until("1 table being played")
        seen.resize(44, 15)
        seen.until(lambda text: "heads" not in text and "17" in text)
        seen.press("\r")  # nothing is chosen yet: this chooses the first one
        seen.until("▸    17")
        seen.press("\r")
        seen.until("match 17")
        seen.press("\x1b")
        seen.until(lambda text: "▸    17" in text and "rating" in text)
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
