"""The picture of a run: a featured table wherever there is room, and never more than the terminal holds."""

import signal
from pathlib import Path

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.ladder.run.progress import Happening
from tests.ladder.homes import four
from tests.ladder.watching.display.pictures import RECORD, drawn, shown
from tests.support.command import BULLRING
from tests.support.record import entries_of, record_of, resealed
from tests.support.terminal import terminal

HOSTILE = ("\x1b[31mred\x1b[2J", "日本語のボットです" * 3, "[bold]x[/bold]", "e\u0301\u202e" * 20)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_shown_and_fits(name: str, tmp_path: Path) -> None:
    low, high = GAMES[name].seat_range
    for seats in {low, high}:
        record = record_of(tmp_path / f"{seats}.jsonl", name, seats).read_bytes()
        with shown(record) as (picture, featured):
            for tenth in range(60):
                picture.advance(tenth / 10)
            for width, height in ((80, 24), (160, 50), (40, 24)):
                lines = drawn(picture, width, height).splitlines()
                assert "replay of match" in lines[0]
                assert len(lines) <= height
                assert any("0 bot" in line for line in lines[1 : featured.least])


@pytest.mark.parametrize(("width", "height", "encoding"), [(80, 23, "utf-8"), (39, 50, "utf-8"), (80, 24, "latin-1")])
def test_a_terminal_without_room_or_letters_for_it_has_the_standings_alone(
    width: int, height: int, encoding: str
) -> None:
    with shown(RECORD.read_bytes()) as (picture, _):
        picture.advance(1.0)
        lines = drawn(picture, width, height, encoding).splitlines()
        assert "replay" not in lines[0]
        assert any(line.startswith("playing: 61 ") for line in lines)
        assert len(lines) <= height


def test_where_bots_are_many_the_table_keeps_its_room_and_what_is_new_is_said() -> None:
    with shown(RECORD.read_bytes(), others=40) as (picture, featured):
        picture.advance(1.0)
        for number in range(9):
            picture.happened(Happening("void", f"match {number} is void: \x1b[2Jthe machine stood still"))
        for width, height in ((80, 24), (100, 30), (160, 50)):
            lines = drawn(picture, width, height).splitlines()
            assert len(lines) <= height
            assert any("more: bullring ladder table" in line for line in lines)
            assert "match 8 is void: \\x1b[2Jthe machine" in lines[-1]
            assert sum("standard, 4 seats" in line for line in lines[featured.least :]) == 1


def test_a_table_never_moves_while_it_is_played() -> None:
    with shown(RECORD.read_bytes()) as (picture, _):
        places = set()
        for tenth in range(400):
            if picture.advance(tenth / 10):
                picture.happened(Happening("void", f"match {tenth} is void"))
                lines = drawn(picture, 80, 24).splitlines()
                places.add(next(at for at, line in enumerate(lines) if "standard, 4 seats" in line))
        assert len(places) == 1


def test_names_of_strangers_are_escaped_and_cut(tmp_path: Path) -> None:
    entries = entries_of(RECORD)
    entries[0]["seats"] = list(HOSTILE)
    with shown(resealed(entries)) as (picture, _):
        picture.advance(1.0)
        picture.advance(5.0)
        for width, height in ((80, 24), (160, 50)):
            text = drawn(picture, width, height)
            assert "\\x1b[31m" in text
            assert "[bold]x[/bold]" in text
            assert not set("\x1b\u202e") & set(text)
            assert len(text.splitlines()) <= height


def test_what_stays_on_the_terminal_in_the_end_is_the_standings() -> None:
    with shown(RECORD.read_bytes()) as (picture, _):
        picture.advance(1.0)
        assert "replay of match" in drawn(picture, 80, 24)
        picture.settle()
        assert not picture.advance(2.0)
        assert "replay of match" not in drawn(picture, 80, 24)


def test_in_a_terminal(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with terminal(str(BULLRING), "ladder", "run", "--home", str(home.path), columns=100, lines=30) as seen:
        seen.until("replay of match")
        seen.until("turn 2")
        seen.resize(80, 20)
        seen.until(lambda text: "playing:" in text and "replay" not in text)
        seen.resize(80, 24)
        seen.until("replay of match")
        seen.resize(80, 40)  # all that is told in the end fits
        seen.until("replay of match")
        seen.process.send_signal(signal.SIGINT)
        seen.until("continue with: bullring ladder run")
        assert seen.wait() == 128 + signal.SIGINT
    assert "replay of match" not in seen.text
    assert seen.text.count(" matches rated") == 1
