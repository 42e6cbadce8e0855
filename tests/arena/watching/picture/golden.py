"""Sentences to be read by people. Written anew by `python -m tests.arena.watching.picture.golden`.

`lessons.txt` has one example of each way to say each lesson, `told.txt` of each kind of step in each game.
"""

from collections.abc import Callable
from pathlib import Path

from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.steps import Chose
from bullring.arena.watching.picture.teacher import sentence
from tests.arena.games.rules.golden import MATCHES, entries
from tests.arena.watching.picture.matches import TABLES, taught

FOLDER = Path(__file__).parent / "golden"
MADE = "Made by: python -m tests.arena.watching.picture.golden"
TRIED = 2
"""Matches that are looked through at each table for examples."""


def lessons() -> str:
    """An example of each way to say each lesson, in the first game that has it."""
    lines, told_before = [MADE], set()
    for game, tables in TABLES.items():
        found: dict[tuple[str, int, int], list[str]] = {}
        for seats, options in tables:
            for number in range(TRIED):
                for one in taught(game, seats, options, f"{game}-{number}"):
                    for lesson in one.lessons:
                        for way in range(len(lesson.texts)):
                            key = (lesson.rule, id(lesson.texts), way)
                            if key not in found and key not in told_before:
                                found[key] = [
                                    sentence(lesson, way, one.frame.picture, LANGUAGES[language])
                                    for language in ("en", "de")
                                ]
        told_before |= {*found}
        lines += ["", game]
        for (rule, _, _), (english, german) in sorted(found.items(), key=lambda item: (item[0][0], item[1])):
            lines += [f"  {rule}", f"    {english}", f"    {german}"]
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
                    lines += [f"  {told(frame)}", f"  {told(frame, 'de')}"]
    return "\n".join(lines) + "\n"


FILES: dict[str, Callable[[], str]] = {"lessons.txt": lessons, "told.txt": steps}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, make in FILES.items():
        (FOLDER / name).write_text(make(), "utf-8")
        print(f"wrote {FOLDER / name}")
