"""The tables of docs/python.md: what `bullring.Ladder` and `bullring.Record` can do. They follow from their docstrings."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import bullring
from docgen.tables import table


def blocks() -> dict[str, str]:
    """The blocks of docs/python.md, by name."""
    return {"ladder-calls": _calls(bullring.Ladder), "record-calls": _calls(bullring.Record)}


def _calls(kind: type) -> str:
    """What an object of a class can do. Coroutines stand beside the functions that wait for them."""
    rows = [
        (f"`{name}`", f"`{returned}`", f"`a{name}`" if hasattr(kind, f"a{name}") else "", meaning)
        for name, returned, meaning in _public(kind)
        if not inspect.iscoroutinefunction(getattr(kind, name))
    ]
    return table(("call", "returns", "to await", "it does"), rows)


def _public(kind: type) -> Iterator[tuple[str, str, str]]:
    """The public members of a class in the order of its source, what each returns, and the first sentence of its docstring."""
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        function: Any = member.fget if isinstance(member, property) else getattr(kind, name)
        returned = inspect.signature(function).return_annotation
        told = returned.__name__ if type(returned) is type else re.sub(r"(?:\w+\.)+(?=\w)", "", str(returned))
        text = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
        sentence = text.partition(". ")[0].rstrip(".:")
        yield name, told, sentence
