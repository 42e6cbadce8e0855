"""Fuzzes the wire: `python -m tests.protocol.fuzz.wire SECONDS`, or with a file to try one input again.

Needs atheris (`make fuzz`).

Nothing but `RemoteProtocolError` may come out of `Decoder` and `Connection`, its texts must be fit to be shown, and the same
bytes must come to the same in whatever pieces. If not, the input is written to build/fuzz/crash-... and the exit code is not 0.
"""

import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]  # only there when fuzzing; has no types

with atheris.instrument_imports(include=["protocol"]):
    from bullring.protocol.connection import Connection
    from bullring.protocol.decoding import Decoder

from bullring.errors import RemoteProtocolError
from tests.protocol.fuzz.seeds import DIALECTS, HEADER, write_dictionary, write_seeds
from tests.protocol.talk import ASKED, HELLO, asked, check, cut, encode, read, receive

FOLDER = Path(__file__).parents[3] / "build" / "fuzz"
LONGEST = 5000
"""Bytes of an input: more than the largest message."""
MEMORY = 1024
"""MiB the fuzzer may have in all."""
SLOWEST = 5
"""Seconds for one input."""


def one_input(data: bytes) -> None:
    """Say the same in one piece and in several, to a bare decoder and to a connection."""
    if len(data) < HEADER:
        return
    dialect = DIALECTS[data[0] % len(DIALECTS)]
    places = [place * (256 >> at) + at for at, place in enumerate(data[1:HEADER])]
    said = data[HEADER:]
    pieces = cut(said, places) if data[1] != 0xFF or len(said) > 300 else [bytes((byte,)) for byte in said]
    if dialect is None:
        _same(repr(read(Decoder(), [said])), repr(read(Decoder(), pieces)))
        _first(said)
        return
    hello = encode(dialect, HELLO)
    _same(repr(read(Decoder(), [hello + said])), repr(read(Decoder(), [hello, *pieces])))
    at_once, in_pieces = asked(dialect), asked(dialect)
    whole, cut_up = receive(at_once, [said]), receive(in_pieces, pieces)
    _same((whole, at_once.phase, at_once.unfinished), (cut_up, in_pieces.phase, in_pieces.unfinished))


def _first(said: bytes) -> None:
    try:
        Connection(lambda: ASKED).receive_hello(said)
    except RemoteProtocolError as error:
        check(error)


def _same(one: object, other: object) -> None:
    if one != other:
        raise AssertionError(f"not the same whole and in pieces:\n{one}\n{other}")


def main(argument: str = "60") -> None:
    """Fuzz for so many seconds, or try one file."""
    if not argument.isdigit():
        one_input(Path(argument).read_bytes())
        print(f"{argument}: all is well")
        return
    corpus, dictionary = FOLDER / "corpus", FOLDER / "dictionary"
    write_seeds(corpus, LONGEST)
    write_dictionary(dictionary)
    limits = [f"-max_total_time={argument}", f"-max_len={LONGEST}", f"-rss_limit_mb={MEMORY}", f"-timeout={SLOWEST}"]
    where = [f"-dict={dictionary}", f"-artifact_prefix={FOLDER}/", str(corpus)]
    atheris.Setup([sys.argv[0], *limits, "-print_final_stats=1", *where], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:2])
