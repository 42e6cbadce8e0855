"""Lines of text that several displays share: faults, logs, sizes, options, hints. Strangers' text in them is made harmless."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Option
from bullring.arena.games.rules.sayings import counted
from bullring.arena.study.hints.thoughts import Thoughts

LONGEST = 640
"""Characters of a text about a fault that are shown: enough for the received bytes and for the remedy."""

HINTED = 5
"""Options that a hint lists."""

WIDTH = 100
"""Characters of a text about a fault in one line."""


def short(name: str, most: int) -> str:
    """A name in at most so many characters; of one that several players share, its number stays: "montec… #2"."""
    if len(name) <= most:
        return name
    begin, sign, number = name.rpartition(" #")
    behind = f" #{number}" if sign and number.isdecimal() and len(number) + 4 <= most else ""
    return f"{(begin if behind else name)[: max(0, most - len(behind) - 1)]}…{behind}"


def fault_lines(name: str, fault: Event) -> Iterator[str]:
    """The lines that describe one fault to the author of the bot."""
    ms = fault["elapsed_ms"]
    after = f" after {ms:.1f} ms" if ms else ""
    yield f"    fault of {harmless(name)}: {harmless(fault['kind'], 80)} ({harmless(fault['decision'], 80)}){after}"
    for key, title in (("expected", "expected"), ("got", "got"), ("exit", "process")):
        if fault.get(key):
            shown = wrap(harmless(fault[key], LONGEST), WIDTH, break_on_hyphens=False)
            for at, line in enumerate(shown or [""]):
                yield f"      {title if at == 0 else '':<8} {line}"
    if fault["closed"]:
        yield "      from here on the referee plays this seat"
    if fault.get("stderr"):
        yield "      the end of its stderr:"
        for line in fault["stderr"].splitlines()[-10:]:
            yield f"      | {harmless(line, 160)}"


def log_hints(logs: Mapping[int, str], record: Path | None) -> Iterator[str]:
    """The command that shows the stderr of a bot: a line for each seat that wrote something."""
    for seat, text in logs.items():
        if text:
            name = record and shlex.quote(str(record))
            how = (
                f"read it with: bullring replay {harmless(name)} --stderr {seat}" if name else HOW_TO_KEEP.format(seat)
            )
            yield f"seat {seat} wrote {counted(len(text.splitlines()), 'line')} to stderr; {how}"


HOW_TO_KEEP = "see it live with --stderr {}, or keep it with --record FILE"


def size_text(size: int) -> str:
    """A number of bytes for people: "512 B", "3.4 KB", "210 MB"."""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("KB", "MB", "GB"):
        value /= 1000
        if value < 999.5:
            return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"
    return f"{value / 1000:.1f} TB"


def option_text(option: object) -> str:
    """An option in few characters: "74", "stop", "12 3"."""
    if isinstance(option, tuple | list):
        return " ".join(map(str, option)) or say("shared.nothing")
    return harmless(option, 20)


def hint_text(thoughts: Thoughts, shown: Callable[[Option], str] = option_text) -> str:
    """The thoughts of a bot in lines: what it would choose, and the best options, which are `shown` so, with heads and risk."""
    if not thoughts.by or thoughts.best is None:
        return say("screens.plain.no_hint")
    lines = [say("screens.plain.hint", by=thoughts.by, best=shown(thoughts.best))]
    for one in sorted(thoughts.options, key=lambda one: one.heads)[:HINTED]:
        key, share = ("valued", 0.0) if one.takes is None else ("risky", 100 * one.takes)
        lines.append("  " + say(f"screens.plain.{key}", option=shown(one.option), heads=one.heads, share=share))
    return "\n".join(lines)
