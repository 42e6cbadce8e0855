"""The answers of a bot to questions of a record. Everything comes from the facts of `arena.match.ask.Reply`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless

Facts = Mapping[str, Any]

_OF_NO_INTEREST = ("deal", "turn", "seat", "row_heads")
"""Keys of views that repeat other lines."""


PLAYERS = ("bot", "human")
"""The words for those who choose at a seat, other than the referee."""


def reply_lines(facts: Facts) -> Iterator[str]:
    """One question with all that is known of its answer."""
    yield f"deal {facts['deal']}, turn {facts['turn']}, {harmless(facts['kind'])} (line {facts['line']} of the record)"
    for key, value in facts["view"].items():
        if key not in _OF_NO_INTEREST and value:
            yield _row(harmless(key), _short(value))
    yield _row("options", _short(facts["options"]))
    yield _row("answer", f"{_answer(facts)} of {facts['allowed_us'] / 1000:g} ms")
    if facts["fault"]:
        yield _row("", f"expected {harmless(facts['fault']['expected'])}")
        yield _row("", f"got      {harmless(facts['fault']['got'])}")
        if "exit" in facts["fault"]:
            yield _row("", f"process  {harmless(facts['fault']['exit'])}")
    yield _row("record", f"{_recorded(facts)}{_verdict(facts)}")
    for number, line in enumerate(facts["stderr"].splitlines()):
        yield _row("" if number else "stderr", f"| {harmless(line)}")


def reply_table(replies: Sequence[Facts]) -> Table:
    """The questions that are worth a look: answered otherwise than in the record, or with a fault here or there."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    for title in ("deal", "turn", "kind", "answer", "record", "options"):
        table.add_column(title, justify="right" if title in ("deal", "turn") else "left", overflow="fold")
    for facts in replies:
        if facts["differs"] or facts["fault"] or facts["record"]["by"] not in PLAYERS:
            where = str(facts["deal"]), str(facts["turn"]), harmless(facts["kind"])
            texts = *where, _answer(facts), _recorded(facts), harmless(_short(facts["options"]), 40)
            table.add_row(*map(Text, texts))
    return table


def fault_texts(replies: Sequence[Facts]) -> Iterator[str]:
    """The expected and the received message of each fault."""
    for facts in replies:
        if facts["fault"]:
            yield f"deal {facts['deal']}, turn {facts['turn']}, {harmless(facts['kind'])}:"
            yield _row("", f"expected {harmless(facts['fault']['expected'])}")
            yield _row("", f"got      {harmless(facts['fault']['got'])}")
            if "exit" in facts["fault"]:
                yield _row("", f"process  {harmless(facts['fault']['exit'])}")


def _row(title: str, text: str) -> str:
    return f"  {title:9} {text}".rstrip()


def _short(value: Any) -> str:
    return harmless(json.dumps(value, separators=(",", ":")))


def _answer(facts: Facts) -> str:
    if facts["fault"]:
        return f"fault: {facts['fault']['kind']} after {facts['us'] / 1000:g} ms"
    return f"{_short(facts['answer'])} in {facts['us'] / 1000:g} ms"


def _recorded(facts: Facts) -> str:
    record = facts["record"]
    if record["by"] is None:
        return "none"
    if record["by"] in PLAYERS:
        return f"{_short(record['answer'])} in {record['us'] / 1000:g} ms"
    after = f", after a fault: {harmless(record['fault'])}" if record["fault"] else ", by a person's wish"
    return f"{_short(record['answer'])} by the referee{after}"


def _verdict(facts: Facts) -> str:
    if facts["record"]["by"] not in PLAYERS or facts["fault"]:
        return ""
    return ": not the same" if facts["differs"] else ": the same"
