"""Ladders: standings on a terminal and while they are watched, the site, and the commands that print matches and standings."""

import io
import re
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console
from textual.pilot import Pilot

import bullring
from bullring.arena.games.rulebook.language import LANGUAGES, say, spoken
from bullring.arena.games.rules.registry import GAMES
from bullring.cli.ladder.runs import continuing
from bullring.cli.options import TableWish
from bullring.cli.play.watch import _list
from bullring.cli.program import program
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.ended import Ended
from bullring.ladder.watching.display.tables import standings_notes, standings_table
from bullring.ladder.watching.screens import watch
from bullring.ladder.watching.screens.bot import BotPage
from bullring.ladder.watching.screens.reader import results
from bullring.ladder.watching.screens.standings import StandingsScreen
from bullring.ladder.watching.screens.watch import WatchApp
from bullring.ladder.watching.site.folder import Folder
from bullring.ladder.watching.site.site import Report
from tests.arena.watching.screens.showing import run, text_of, until
from tests.ladder.stored import match_of, played, recorded
from tests.languages.catalogue import Check
from tests.languages.test_tables import NAMES
from tests.support.record import record_of

RECORDED = ("bot 0", "bot 1", "bot 2")
"""Names in the record."""

TERMS = ("LOS", "CPU", "UTC", "Elo", "CSV", "JSON", "Parquet", "JavaScript", "Bullring")
"""Terms that are the same in every language."""


@pytest.fixture(name="home")
def home_fixture(tmp_path: Path) -> Home:
    """A home with bots of every state, matches with a fault, a void one, and one that can be looked at."""
    home = Home.create(tmp_path / "0", ["10s"])
    with closing(home.store()) as store:
        for name in NAMES[:5]:
            store.add_bot(name, "1")
        for id in range(1, 8):
            bots = ((1, 2, 3), (2, 3, 4), (3, 1, 2))[id % 3]
            void = "0" if id == 2 else None
            played(store, match_of(store, bots, id=id, void=void, faults=["timeout"] if id == 3 else []))
        store.bench(4, "0")
    text = record_of(tmp_path / "1.jsonl").read_bytes()
    recorded(home, (1, text))
    return home


def test_standings(home: Home, whole: Check) -> None:
    with closing(home.store(read_only=True)) as store:
        standings = Standings(store, store.lists()[0])
        for width in (80, 240):
            console = Console(width=width, file=io.StringIO())
            rows = standings.rows()
            with console.capture() as shown:
                console.print(standings_table(rows, wide=width > 200, width=width))
                console.print(*standings_notes(rows, standings.outlook()), sep="\n")
            whole(shown.get(), *TERMS, "bullring ladder run", "bullring ladder table", "bwrap")


def test_the_watched_ladder(home: Home, whole: Check) -> None:
    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await pilot.pause(0.5)
        for key in ("", "down", "question_mark", "escape", "v", "enter", "question_mark", "escape", "escape"):
            if key:
                await pilot.press(key)
            await pilot.pause()
            whole(text_of(app.screen), *TERMS, "bullring ladder table", "bullring ladder run", *RECORDED)

    app = watch.ladder(home, lambda store, now: _list(home, store, TableWish(None, None, ()), now))
    run(app, steps, (120, 40))


@pytest.mark.slow
def test_the_page_of_a_bot(home: Home, whole: Check) -> None:
    async def steps(app: WatchApp, pilot: Pilot[int]) -> None:
        await until(lambda: isinstance(app.screen, StandingsScreen) and bool(app.screen.news.rows))
        assert isinstance(app.screen, StandingsScreen)
        app.screen._open_bot(app.screen.news.rows[0].bot)
        await until(lambda: isinstance(app.screen, BotPage) and app.screen.about is not None)
        for key in ("down", "question_mark", "escape"):
            await pilot.press(key)
            await pilot.pause()
            whole(text_of(app.screen), *TERMS, *RECORDED)

    run(watch.ladder(home, lambda store, now: _list(home, store, TableWish(None, None, ()), now)), steps, (80, 24))


def test_the_end_of_a_run(home: Home, whole: Check) -> None:
    with closing(home.store(read_only=True)) as store:
        list_ = store.lists()[0]
        standings = Standings(store, list_)
        found = results(store, list_.id, {bot.name: bot.id for bot in store.bots()})
        rows, title = standings.rows(), plain_title(list_)
        ended = Ended(
            title, say("ladder.in_run", matches=say("ladder.matches", count=7)), rows, rows, standings.outlook(), found
        )
    console = Console(width=80, file=io.StringIO(), force_terminal=True, color_system=None)
    with console.capture() as shown:
        console.print(*ended.drawn(80, 24), sep="\n")
    whole(f"{shown.get()} {continuing('', console)}", *TERMS, "bullring ladder run", "bullring ladder table", "bwrap")


def test_the_site(home: Home, tmp_path: Path, whole: Check) -> None:
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site")).make(store)
    for path in (tmp_path / "site").rglob("*.html"):
        text = path.read_text("utf-8")
        if 'data-bullring="replay"' not in text:  # that is filled by its script
            whole(shown_of(text), *TERMS, "bullring gauge", "stderr", "English", "Deutsch")


def shown_of(page: str) -> str:
    """The words that a page shows to those who read the language of the test."""
    page = re.sub(r"<(script|style|svg|head)\b.*?</\1>", " ", page, flags=re.DOTALL)
    others = "|".join(code for code in LANGUAGES if code != spoken().code)
    page = re.sub(rf'<(span|p|h\d) lang="({others})">.*?</\1>', " ", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", page))


@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "eleven"),
        ("games",),
        ("replay", "RECORD", "--plain"),
        ("analyse", "RECORD", "--playouts", "2", "--all"),
        ("ladder", "table"),
        ("ladder", "matches"),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_commands(arguments: tuple[str, ...], home: Home, tmp_path: Path, whole: Check) -> None:
    record = tmp_path / "2.jsonl"
    bullring.play(first, first, first, options={"deals": 1}, seed="0", names=[*NAMES[:3]], record=record)
    words = [str(record) if word == "RECORD" else word for word in arguments]
    env = {"BULLRING_LANG": None, "LC_ALL": spoken().code, "BULLRING_HOME": str(home.path), "COLUMNS": "100"}
    result = CliRunner().invoke(program, words, env=env)
    assert result.exit_code == 0, result.output
    whole(re.sub("[0-9a-f]{32,}", "", result.stdout), *TERMS, *IDENTIFIERS)


def first(message: dict[str, Any]) -> Any:
    return message["options"][0]


IDENTIFIERS = {
    *(name for game in GAMES.values() for name in (game.id, *game.aliases)),
    *(word for game in GAMES.values() for spec in game.option_specs for word in (spec.name, *spec.choices)),
    *(
        "true",
        "false",
        "--option NAME",
        "--option",
        "--start",
        "noisy",
        "trained",
        "sharp",
        "greedy",
        "cheapest",
        "none",
    ),
}
"""Words that are typed, in every language."""
