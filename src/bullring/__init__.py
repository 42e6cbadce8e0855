"""Bullring: an arena for programs that play 6 nimmt! (Take 6!) and its family.

Use it from Python, in a notebook or a test. Play a match between functions, programs, or both:

>>> import bullring
>>> def lowest(message):
...     return message["options"][0]
>>> report = bullring.play(lowest, lowest, lowest, options={"deals": 1}, seed="example")
>>> report.scores
[29, 12, 5]

========== ==============================================================================================================
playing    `play`, `play_matches` between "@greedy", folders with a bot.toml, command lines, functions and objects; `aplay`,
           `aplay_matches` to await; `Report`, `Limits`, `builtin_bots`
records    `read` a record: `Record.replay`, `Record.answers` (what each seat could know, and chose), `Record.verify`,
           `Record.analyse` (what each choice cost)
games      `GAMES` by name, `new_game`; `Game` is a game's state machine, `Batch` is what it asks the seats
simulator  `simulator`: deals, playouts and tables in batches, compiled with ``bullring[fast]``
ladders    `Ladder`: a home as the command line has it: add and submit bots, run, duel, gauge, table, compare, matches,
           analyse, export, report, verify. Results are typed, and tables: ``to_dicts()``, ``to_pandas()``, ``to_polars()``
ratings    `rate` results from elsewhere: Elo with honest intervals; `compare` players, each pair in a sentence
errors     `BullringError` is the root of all errors (`bullring.errors` shows the tree); each has an `exit_code`
========== ==============================================================================================================

The command `bullring`, also ``python -m bullring``, does the same from a shell. Names are imported on first use, so
``import bullring`` is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bullring.installation import VERSION

if TYPE_CHECKING:
    from bullring.api.ladders import Ladder
    from bullring.api.playing import Decides, Player, aplay, aplay_matches, new_game, play, play_matches
    from bullring.api.ratings import Rating, compare, rate
    from bullring.api.records import Answer, Record, read
    from bullring.api.results import Decision, Match
    from bullring.arena.cells.bots.builtin import names as builtin_bots
    from bullring.arena.games import simulator
    from bullring.arena.games.rules.game import Batch, Game, Shuffle
    from bullring.arena.games.rules.registry import GAMES
    from bullring.arena.match.play import Report
    from bullring.arena.match.records.replay import Answered, Began, Dealt, Ended, Faulted, Happening, Resumed, Wrote
    from bullring.arena.match.records.verification import Verdict
    from bullring.arena.settings.limits import Limits
    from bullring.arena.study.analysis.result import Account, Analysis, Chance, Choice, Parts, Turning
    from bullring.errors import BullringError
    from bullring.ladder.gauge.score import Score
    from bullring.ladder.run.progress import Progress
    from bullring.ladder.standings.columns import Row
    from bullring.ladder.standings.cycles import Cycles
    from bullring.ladder.standings.difference import Difference
    from bullring.ladder.standings.duel import DuelResult
    from bullring.ladder.standings.history import Point
    from bullring.ladder.standings.matches_needed import More
    from bullring.ladder.standings.places import Places
    from bullring.ladder.store.audit import Audit
    from bullring.tabular import Table

__version__ = VERSION

__all__ = [
    "GAMES",
    "Account",
    "Analysis",
    "Answer",
    "Answered",
    "Audit",
    "Batch",
    "Began",
    "BullringError",
    "Chance",
    "Choice",
    "Cycles",
    "Dealt",
    "Decides",
    "Decision",
    "Difference",
    "DuelResult",
    "Ended",
    "Faulted",
    "Game",
    "Happening",
    "Ladder",
    "Limits",
    "Match",
    "More",
    "Parts",
    "Places",
    "Player",
    "Point",
    "Progress",
    "Rating",
    "Record",
    "Report",
    "Resumed",
    "Row",
    "Score",
    "Shuffle",
    "Table",
    "Turning",
    "Verdict",
    "Wrote",
    "aplay",
    "aplay_matches",
    "builtin_bots",
    "compare",
    "new_game",
    "play",
    "play_matches",
    "rate",
    "read",
    "simulator",
]

_FROM = {
    "api.ladders": ("Ladder",),
    "api.playing": ("Decides", "Player", "aplay", "aplay_matches", "new_game", "play", "play_matches"),
    "api.ratings": ("Rating", "compare", "rate"),
    "api.records": ("Answer", "Record", "read"),
    "api.results": ("Decision", "Match"),
    "arena.study.analysis.result": ("Account", "Analysis", "Chance", "Choice", "Parts", "Turning"),
    "arena.settings.limits": ("Limits",),
    "arena.match.play": ("Report",),
    "arena.match.records.replay": ("Answered", "Began", "Dealt", "Ended", "Faulted", "Happening", "Resumed", "Wrote"),
    "arena.match.records.verification": ("Verdict",),
    "arena.games.rules.game": ("Batch", "Game", "Shuffle"),
    "arena.games.rules.registry": ("GAMES",),
    "errors": ("BullringError",),
    "ladder.standings.cycles": ("Cycles",),
    "ladder.gauge.score": ("Score",),
    "ladder.run.progress": ("Progress",),
    "ladder.standings.difference": ("Difference",),
    "ladder.standings.duel": ("DuelResult",),
    "ladder.store.audit": ("Audit",),
    "tabular": ("Table",),
    "ladder.standings.matches_needed": ("More",),
    "ladder.standings.history": ("Point",),
    "ladder.standings.places": ("Places",),
    "ladder.standings.columns": ("Row",),
}
"""The public names by the module that defines them."""

_MODULES = {name: module for module, names in _FROM.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "builtin_bots":
        return import_module("bullring.arena.cells.bots.builtin").names
    if name == "simulator":
        return import_module("bullring.arena.games.simulator")
    if name in _MODULES:
        return getattr(import_module(f"bullring.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'bullring' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
