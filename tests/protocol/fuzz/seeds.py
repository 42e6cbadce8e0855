"""The first inputs of the fuzzer: good talks, everything the tests know to be bad, and the words of the wire.

An input of the fuzzer is one byte that says who is listening, four that say where the rest is cut, and the rest.
"""

from collections.abc import Iterator
from pathlib import Path

from bullring.protocol.decoding import Dialect
from tests.protocol.talk import ASKED, HELLO, choice, encode
from tests.protocol.test_hostile import HOSTILE, TEXTS

HEADER = 5
"""Bytes of an input before what is said."""
DIALECTS = [None, *Dialect]
"""The listener, by the first byte of an input: a new session, or one after the hello in this dialect."""

TALK = [
    HELLO,
    *(choice(ASKED, option) for option in (10, 5, "word", [1, 2])),
    choice(ASKED, 13) | {"x": [{}, 1.5, None]},
]
WORDS = [
    b"type",
    b"hello",
    b"choice",
    b"protocol",
    b"name",
    b"id",
    b"option",
    b"\\ud800",
    b"NaN",
    b"Infinity",
    b"1e999",
]
CODES = b"\x80\x83\x8f\x9f\xc0\xc1\xc4\xc7\xca\xcb\xcc\xcf\xd3\xd4\xd6\xd9\xda\xdb\xdc\xdd\xde\xdf"


def seeds() -> Iterator[bytes]:
    """All inputs to begin with."""
    for number, dialect in enumerate(DIALECTS):
        for kind in Dialect if dialect is None else [dialect]:
            messages = [encode(kind, message) for message in TALK]
            for said in (*messages, b"".join(messages), b"\n ".join(messages)):
                yield bytes((number, 9, 0, 5, 0)) + said
        for text in TEXTS:
            yield bytes((number, 7, 0, 3, 0)) + text
    for dialect, _, data in HOSTILE:
        yield bytes((DIALECTS.index(dialect), 7, 0, 3, 0)) + data


def write_seeds(folder: Path, longest: int) -> None:
    """One file for each seed."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (folder / f"seed-{number}").write_bytes(seed[:longest])


def write_dictionary(file: Path) -> None:
    """Words to put in, as libFuzzer reads them."""
    words = [*WORDS, *(bytes((code,)) for code in CODES), b"\x83\xa4type\xa6choice\xa2id\x07\xa6option"]
    file.write_text("".join('"' + "".join(map(r"\x{:02x}".format, word)) + '"\n' for word in words), "ascii")
