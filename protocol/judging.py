"""Messages of bots are judged here, by hand and as the models of `messages` define them: tests hold both equal.

The models take a tenth of a second to import, which every process with a referee would pay, or its bots in the middle of a match.
"""

from collections.abc import Mapping
from typing import Any, NoReturn

from bullring.errors import RemoteProtocolError
from bullring.protocol.remedies import bad_message
from bullring.protocol.said import Answer, Greeting, Index

LARGEST = 2**31 - 1
"""The largest number in a message."""
MOST_TEXT = 64
"""The most characters of a text."""
MOST_NUMBERS = 16
"""The most numbers of an option."""

_NOTHING = object()


class _Mistake(Exception):
    """The first mistake in a message."""

    def __init__(self, key: str, said: str) -> None:
        super().__init__(said)
        self.key = key
        self.said = said


def judge(message: Mapping[str, Any], raw: bytes = b"") -> Greeting | Answer:
    """The contents of a bot's message, which came as `raw`. Raises `RemoteProtocolError` with the first mistake."""
    kind = message.get("type")
    try:
        return _judged(kind, message)
    except _Mistake as mistake:
        what = f"a {kind}" if kind in ("hello", "choice") else "a hello or a choice"
        shown = ascii(message)
        raise RemoteProtocolError(
            f"{what} as in SPEC.md ({mistake.said})",
            shown if len(shown) <= 200 else shown[:200] + "...",
            bad_message(message, mistake.key),
            raw=raw,
        ) from None


def _judged(kind: object, message: Mapping[str, Any]) -> Greeting | Answer:
    if kind == "hello":
        return _greeting(message)
    if kind == "choice":
        return _answer(message)
    raise _Mistake("", 'the key "type" must be "hello" or "choice"')


def _greeting(message: Mapping[str, Any]) -> Greeting:
    protocol = _there(message, "protocol")
    if type(protocol) is not int or protocol != 1:
        raise _Mistake("protocol", '"protocol" must be 1')
    name = _text(_there(message, "name"), "name")
    if not name:
        _must_be("name", "a text that is not empty")
    return Greeting(name, _text(message.get("version", ""), "version"))


def _answer(message: Mapping[str, Any]) -> Answer:
    id = _number(_there(message, "id"), "id")
    option = message.get("option", _NOTHING)
    if option is not _NOTHING:  # an index beside it is ignored
        if option is not None and not _is_option(option):
            _must_be("option", "a whole number, a text or a few whole numbers")
        return Answer(id, _not_null(option, "option"))
    index = message.get("index", _NOTHING)
    if index is _NOTHING:
        raise _Mistake("", 'must have "option" or "index"')
    return Answer(id, Index(_number(_not_null(index, "index"), "index")))


def _there(message: Mapping[str, Any], key: str) -> Any:
    if key not in message:
        raise _Mistake(key, f'the key "{key}" is missing')
    return message[key]


def _not_null(value: Any, key: str) -> Any:
    if value is None:
        raise _Mistake("", f'"{key}" must not be null')
    return value


def _number(value: Any, key: str) -> int:
    if type(value) is not int:
        _must_be(key, "a whole number")
    if value < 0:
        _must_be(key, "at least 0")
    if value > LARGEST:
        _must_be(key, f"at most {LARGEST}")
    return value


def _text(value: Any, key: str) -> str:
    if type(value) is not str or not _is_unicode(value):
        _must_be(key, "a text")
    if len(value) > MOST_TEXT:
        _must_be(key, f"a text of at most {MOST_TEXT} characters")
    return value


def _is_option(value: object) -> bool:
    if type(value) is str:
        return len(value) <= MOST_TEXT and _is_unicode(value)
    return _is_number(value) or (
        type(value) is list and len(value) <= MOST_NUMBERS and all(_is_number(part) for part in value)
    )


def _is_number(value: object) -> bool:
    return type(value) is int and -LARGEST - 1 <= value <= LARGEST


def _is_unicode(text: str) -> bool:
    """Whether a text has no half of a surrogate pair, which JSON can spell."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _must_be(key: str, what: str) -> NoReturn:
    raise _Mistake(key, f'"{key}" must be {what}')
