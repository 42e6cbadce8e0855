"""The field: honest bots of different speed, and half as many hostile ones, each of which harms in every match."""

import json
import secrets
import shutil
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.program import OURS, PYTHON
from bullring.arena.match.faults import FaultKind
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home
from tests.hostile.behaviours import BEHAVIOURS, BOTS, CONTAINED
from tests.ladder.homes import TINY

SAMPLES = Path(__file__).parents[2] / "sample_bots" / "python"

NUMBERS = (16, 27, 48, 49, 32, 18, 37, 35, 51, 3, 26)
"""Hostile programs: fork bomb, huge heap, floods of stdout and stderr, endless loop, daemon; and for longer soaks trickler,
ponderer, closed stdout, full box, zombies."""

MOST_HOSTILE = len(NUMBERS) + 1
"""And one that does not start."""

MEMORY, OUTPUT = 64, 1
"""MiB of memory of the hostile ones, and of stderr of all: floods are small, too."""

SETTINGS = f"""
[bots]
output_mib = {OUTPUT}
"""


@dataclass(frozen=True)
class Entrant:
    """A bot of the soak."""

    name: str
    program: Path
    words: tuple[str, ...] = ()
    plain: bool = True
    """Whether the standard library is all it needs: then it starts in half the time."""
    hostile: bool = False
    verdicts: Collection[str] = (CONTAINED,)
    """The verdicts that it may get, as in the hostile suite."""
    promised: bool = True
    """Whether it is promised that it will not tell of an escape."""


@dataclass(frozen=True)
class Field:
    """A home with its bots. `token` stands on the command line of each, and in the path of the home."""

    home: Home
    token: str
    entrants: Sequence[Entrant]

    @property
    def hostile(self) -> list[str]:
        """The names of the hostile bots."""
        return [one.name for one in self.entrants if one.hostile]

    @property
    def temporary(self) -> Path:
        """The ladder's folder for temporary files; empty in the end."""
        return self.home.path.with_name("temporary")


def entrants(hostile: int) -> list[Entrant]:
    """This number of hostile bots, and twice as many honest ones."""
    bad = [
        Entrant(one.name, one.program, hostile=True, verdicts=one.verdicts, promised=one.number != 35)
        # Number 35 tells of others' time, which is promised where others think; here most rivals are quick.
        for number in NUMBERS
        for one in BEHAVIOURS
        if one.number == number and "bwrap" in one.tiers
    ]
    bad.append(Entrant("ends-at-once", TINY, ("absent",), hostile=True, verdicts=(FaultKind.START,)))
    honest = (
        entrant
        for number in count(1)
        for entrant in (
            Entrant(f"first-{number}", TINY, ("first",)),
            Entrant(f"random-{number}", SAMPLES / "random", plain=False),
            Entrant(f"last-{number}", TINY, ("last",)),
            Entrant(f"greedy-{number}", SAMPLES / "greedy", plain=False),
            Entrant(f"first-again-{number}", TINY, ("first",)),
            Entrant(f"thinker-{number}", Path(__file__).with_name("thinker.py"), (str(10 + 10 * number),)),
        )
    )
    chosen = bad[:hostile]
    return [*islice(honest, 2 * len(chosen)), *chosen]


def field(folder: Path, hostile: int, times: Sequence[str]) -> Field:
    """A new home with `hostile` hostile bots and twice as many honest ones."""
    token = f"t{secrets.token_hex(8)}"
    place = folder / f"soak-{token}"
    place.mkdir()
    home = Home.create(place / "home", times)
    home.settings_file.write_text(home.settings_file.read_text("utf-8") + SETTINGS, "utf-8")
    made = Field(home, token, entrants(hostile))
    made.temporary.mkdir()
    with closing(home.store()) as store:
        for one in made.entrants:
            source = place / "bots" / one.name
            _lay_out(source, one, token)
            add(home, store, str(source), one.name)
    shutil.rmtree(place / "bots")
    return made


def _lay_out(folder: Path, one: Entrant, token: str) -> None:
    """The folder of a bot. What is hostile starts anew for each match, for some do their deed only once."""
    if one.program.is_dir():
        shutil.copytree(one.program, folder, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        folder.mkdir(parents=True)
        shutil.copy(one.program, folder / "bot.py")
    words = [*((PYTHON, "-S") if one.plain else (OURS,)), "-E", "-B", "bot.py", *one.words, token]
    lines = [f"name = {json.dumps(one.name)}", f"run = {json.dumps(words)}"]
    if one.hostile:
        lines += ['restart = "match"', "[limits]", f"memory_mib = {MEMORY}"]
        shutil.copy(BOTS / "hostile.py", folder)
        targets = {"tier": "bwrap", "way": "", "memory": MEMORY * MIB, "box": 16 * MIB, "output": OUTPUT * MIB}
        (folder / "targets.json").write_text(json.dumps(targets), "utf-8")
    (folder / "bot.toml").write_text("\n".join(lines) + "\n", "utf-8")
