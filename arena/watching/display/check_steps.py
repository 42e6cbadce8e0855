"""The steps of a check as lines of text. Whatever a bot has said stays behind a margin, so it cannot pass for a line of ours."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted

_STYLES = {"pass": "green", "fail": "bold red", "skipped": "yellow"}

_MARGIN = 12
"""Columns for the number and the verdict of a step."""

_TRAFFIC, _STDERR = 8, 12
"""Most messages and lines of stderr that are shown."""

_LONG = 320
"""Characters of a message that are shown: of its beginning and its end."""


def step_lines(number: int, facts: dict[str, Any], width: int) -> Iterator[Text]:
    """The lines of one step, from `Result.facts`, none of them wider than `width` columns."""
    verdict = facts["verdict"]
    found = facts.get("found", "")
    took = f" [{facts['seconds']:.1f} s]" if facts["seconds"] >= 1 else ""
    said = facts["title"] if verdict == "fail" or not found else f"{facts['title']}: {found}"
    for at, line in enumerate(_wrapped(said + took, width)):
        label = f"{number:3} {verdict.upper():<8}" if at == 0 else " " * _MARGIN
        yield Text.assemble((label, _STYLES[verdict]), line)
    if verdict == "pass" and facts.get("remedy"):
        for line in _wrapped(f"hint: {facts['remedy']}", width):
            yield Text(" " * _MARGIN + line, "yellow")
    if verdict == "fail":
        for line in _failure(facts, width):
            yield Text(" " * _MARGIN + line)


def is_consequence(facts: dict[str, Any]) -> bool:
    """Whether a step was skipped because another one failed: several of them take one line."""
    return facts["verdict"] == "skipped" and str(facts.get("found", "")).startswith("because of step ")


def consequence_lines(number: int, skipped: Sequence[dict[str, Any]], width: int) -> Iterator[Text]:
    """The lines of steps from `number` on that were skipped because others failed."""
    facts = skipped[0]
    if len(skipped) > 1:
        facts = {**facts, "title": f"{facts['title']}, and all up to step {number + len(skipped) - 1}"}
    return step_lines(number, facts, width)


def summary_lines(results: Sequence[dict[str, Any]], tier: str, width: int) -> list[str]:
    """A sentence about all steps."""
    verdicts = [facts["verdict"] for facts in results]
    failed, skipped = verdicts.count("fail"), verdicts.count("skipped")
    counts = [(verdicts.count("pass"), "passed"), (failed, "failed"), (skipped, "skipped")]
    told = ", ".join(f"{count} {word}" for count, word in counts if count)
    steps = f"{counted(len(verdicts), 'step')} in the tier {tier}"
    what = "mend the first one that failed, and check again" if failed else "this bot can play"
    return wrap(f"{steps}: {told}; {what}", width)


def _failure(facts: dict[str, Any], width: int) -> Iterator[str]:
    yield from _wrapped(facts["found"], width)
    if facts.get("remedy"):
        yield from _wrapped(f"remedy: {facts['remedy']}", width)
    if facts.get("exit", "still running") != "still running":
        yield from _wrapped(f"process: {facts['exit']}", width)
    if facts.get("traffic"):
        yield "the last messages:"
        for message in facts["traffic"][-_TRAFFIC:]:
            yield from _quoted(message, width)
    if facts.get("stderr"):
        yield "the end of what the build printed:" if facts["step"] == "builds" else "the end of its stderr:"
        for line in facts["stderr"].splitlines()[-_STDERR:]:
            yield from _quoted(line, width)


def _quoted(text: str, width: int) -> Iterator[str]:
    if len(text) > _LONG:
        text = f"{text[: _LONG // 2]} ... {text[-_LONG // 2 :]}"
    for line in _wrapped(text, width - 2):
        yield f"| {line}"


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(harmless(text), max(20, width - _MARGIN), break_on_hyphens=False) or [""]
