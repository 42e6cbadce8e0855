"""Sentences to be read by people. Written anew by `make goldens`.

`lessons.txt` has one example of each way to say each lesson, `told.txt` of each kind of step in each game.
"""

from pathlib import Path
from typing import Any

from bullring.arena.games.rulebook.language import in_all, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.lessons import Lesson
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.picture.picture import Picture
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.steps import Chose
from tests.arena.games.rules.golden import MATCHES, entries
from tests.arena.watching.picture.matches import TABLES, taught

FOLDER = Path(__file__).parent / "golden"
MADE = "Made by: make goldens"
TRIED = 2
"""Matches that are looked through at each table for examples."""


def template(game: type[Game[Any]], lesson: Lesson, way: int) -> str:
    """A way to say a lesson, in English and not filled in."""
    return wording(game).lesson(lesson)[way]


def all_ways(game: type[Game[Any]], lesson: Lesson, picture: Picture) -> list[list[str]]:
    """All ways to say a lesson, each in all languages."""
    names = [seat.name for seat in picture.seats]
    said = in_all(lambda: [spoken().fill(text, names, lesson.values) for text in wording(game).lesson(lesson)])
    return [list(way) for way in zip(*said.values(), strict=True)]


def lessons() -> str:
    """An example of each way to say each lesson, in the first game that has it."""
    lines, told_before = [MADE], set()
    for game, tables in TABLES.items():
        found: dict[tuple[str, str], list[str]] = {}
        for seats, options in tables:
            for number in range(TRIED):
                for one in taught(game, seats, options, f"{game}-{number}"):
                    for lesson in one.lessons:
                        for way, said in enumerate(all_ways(GAMES[game], lesson, one.frame.picture)):
                            key = (lesson.rule, template(GAMES[game], lesson, way))
                            if key not in found and key not in told_before:
                                found[key] = said
        told_before |= {*found}
        lines += ["", game]
        for (rule, _), said in sorted(found.items(), key=lambda item: (item[0][0], item[1])):
            lines += [f"  {rule}", *(f"    {text}" for text in said)]
    return "\n".join(lines) + "\n"


def steps() -> str:
    """An example of each kind of step of each game."""
    lines = [MADE]
    for match in MATCHES:
        lines += ["", match]
        reducer, seen = Reducer(), set()
        for entry in entries(*MATCHES[match], file=match):
            for frame in reducer.feed(entry):
                kind = (type(frame.step), frame.step.kind if isinstance(frame.step, Chose) else "")
                if kind not in seen:
                    seen.add(kind)
                    lines += [f"  {said}" for said in in_all(told, frame).values()]
    return "\n".join(lines) + "\n"


def files() -> dict[str, str]:
    """All golden files and what must stand in them."""
    return {"lessons.txt": lessons(), "told.txt": steps()}
