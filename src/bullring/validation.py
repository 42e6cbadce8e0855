"""Words for people about the first mistake that a pydantic model found in a file or message."""

import json
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

_SAYS = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "string_type": "must be a string",
    "list_type": "must be a list",
    "dict_type": "must be a table ([...] or {...})",
    "model_type": "must be a table ([...] or {...})",
    "string_pattern_mismatch": "has characters that are not allowed",
}


def first_mistake(error: ValidationError, model: type[BaseModel]) -> str:
    """The first mistake and its place: "time: unknown key 'cart' (did you mean 'card'?)".

    Unknown keys come first: often one is the misspelt form of a missing key.
    """
    first = min(error.errors(include_url=False), key=lambda each: each["type"] != "extra_forbidden")
    path = [str(part) for part in first["loc"]]
    kind, context = first["type"], first.get("ctx", {})
    if kind == "extra_forbidden":
        return _at(path[:-1], _unknown(path[-1], _keys(model, path[:-1])))
    if kind == "missing":
        return _at(path[:-1], f"{path[-1]!r} is missing")
    match kind:
        case "literal_error":
            said = f"must be {context['expected']}"
        case "greater_than_equal":
            said = f"must be at least {context['ge']:g}"
        case "less_than_equal":
            said = f"must be at most {context['le']:g}"
        case "string_too_long":
            said = f"must have at most {context['max_length']} characters"
        case "string_too_short" | "too_short" if context["min_length"] == 1:
            said = "must not be empty"
        case "too_long":
            said = f"must have at most {context['max_length']} entries"
        case "value_error":
            said = str(context["error"])
        case "list_type" if isinstance(first["input"], str):
            said = f"must be a list, like {json.dumps(first['input'].split())[:80]}"
        case _:
            said = _SAYS.get(kind, first["msg"])
    came = first["input"]
    if kind != "value_error" and isinstance(came, str | int | float) and came != "":
        said += f", not {json.dumps(came)[:40]}"
    return _at(path, said)


def _at(path: list[str], said: str) -> str:
    return f"{'.'.join(path)}: {said}" if path else said


def _unknown(key: str, known: list[str]) -> str:
    close = get_close_matches(key, known, 1)
    return f"unknown key {key[:40]!r}" + (f" (did you mean {close[0]!r}?)" if close else f"; known: {', '.join(known)}")


def _keys(model: type[BaseModel], path: list[str]) -> list[str]:
    """The known keys at a place in the model."""
    found: Any = model
    for part in path:
        field = found.model_fields.get(part) if isinstance(found, type) and issubclass(found, BaseModel) else None
        found = field.annotation if field is not None else None
    return list(found.model_fields) if isinstance(found, type) and issubclass(found, BaseModel) else []
