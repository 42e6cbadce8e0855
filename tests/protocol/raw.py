"""Messages as bytes that no decent encoder would write: near misses of a choice, in msgpack and in JSON."""

import json
from collections.abc import Sequence

import msgpack
from hypothesis import strategies as st

from bullring.protocol.decoding import Dialect
from tests.protocol.talk import ASKED, envelope

Pair = tuple[bytes, bytes]


def map_header(count: int, width: int) -> bytes:
    """The header of a msgpack map in a form of 0 (if it fits), 2 or 4 bytes of count."""
    if width == 0 and count < 16:
        return bytes((0x80 | count,))
    return b"\xdf" + count.to_bytes(4, "big") if width == 4 else b"\xde" + count.to_bytes(2, "big")


def raw_map(pairs: Sequence[Pair], width: int = 0) -> bytes:
    return map_header(len(pairs), width) + b"".join(key + value for key, value in pairs)


def raw_int(number: int, code: int) -> bytes:
    """A number in the wide form `code`, if it fits in there."""
    width, signed = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}[code], code >= 0xD0
    try:
        return bytes((code,)) + number.to_bytes(width, "big", signed=signed)
    except OverflowError:
        return bytes(msgpack.packb(number))


numbers = st.one_of(
    st.integers(-3, 110),
    st.sampled_from([-(2**31) - 1, -(2**31), 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, -(2**63)]),
)
small_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
texts = st.one_of(small_text, st.sampled_from(["5", "x" * 64, "x" * 65, "{", "[", "}", '"', "\n"]))


# msgpack

_packed = st.one_of(
    st.builds(raw_int, numbers, st.sampled_from([0xCC, 0xCD, 0xCE, 0xCF, 0xD0, 0xD1, 0xD2, 0xD3])),
    st.one_of(numbers, st.booleans(), st.none(), st.floats(), texts).map(msgpack.packb),
    st.floats(width=32).map(lambda number: bytes(msgpack.packb(number, use_single_float=True))),
    st.sampled_from(
        [b"\xc1", b"\xc4\x00", b"\xc4\x01x", b"\xc7\x00\x05", b"\xc7\x00\xff", b"\xd4\x05\x00", b"\xa1\xff"]
    ),
    st.sampled_from([b"\xd6\xff\x00\x00\x00\x05", b"\xd7\xff" + b"\xff" * 8]),
    texts.map(lambda text: b"\xdb" + len(text.encode()).to_bytes(4, "big") + text.encode()),
)


def _containers(inner: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    arrays = st.lists(inner, max_size=3).map(lambda items: bytes((0x90 | len(items),)) + b"".join(items))
    keys = st.one_of(st.sampled_from([b"\xa1a", b"\xa1b"]), inner)
    maps = st.builds(raw_map, st.lists(st.tuples(keys, inner), max_size=3), st.sampled_from([0, 2, 4]))
    return arrays | maps


_values = st.recursive(_packed, _containers, max_leaves=4) | st.integers(1, 12).map(
    lambda deep: b"\x91" * deep + b"\x05"
)


def _mostly(good: bytes, values: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    return st.one_of(st.just(good), st.just(good), values)


@st.composite
def msgpack_choices(draw: st.DrawFn) -> bytes:
    """A map that is nearly a choice: wrong values, twins, further keys, odd headers."""
    pairs: list[Pair] = [
        (b"\xa4type", draw(_mostly(b"\xa6choice", _values))),
        (b"\xa2id", draw(_mostly(bytes((ASKED,)), _values))),
        (draw(st.sampled_from([b"\xa6option", b"\xa5index"])), draw(_values | numbers.map(msgpack.packb))),
    ]
    if draw(st.booleans()):
        size = draw(st.sampled_from([1, 2, 9, 11, 12, 13, 20]))
        pairs += [(msgpack.packb(f"x{i}"), b"\x00") for i in range(size)]
    pairs += draw(st.lists(st.tuples(st.sampled_from([b"\xa1y", b"\xa1z"]) | _values, _values), max_size=2))
    if draw(st.booleans()):
        pairs.append(draw(st.sampled_from(pairs)))
    if draw(st.booleans()):
        pairs = draw(st.permutations(pairs))
    return raw_map(pairs, draw(st.sampled_from([0, 0, 2, 4])))


# JSON

_tokens = st.one_of(
    numbers.map(str),
    st.sampled_from(["true", "false", "null", "5.0", "5e0", "5E+1", "-0", "05", "+5", "0x5", "5.", "1e999"]),
    st.sampled_from(["NaN", "Infinity", "-Infinity", "9" * 400, '"\\ud800"', '"\\u0035"', "'5'", "", '"\x01"', '"5']),
    texts.map(json.dumps),
    texts.map(lambda text: json.dumps(text, ensure_ascii=False)),
)
_json_values = st.recursive(
    _tokens,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[" + ",".join(items) + "]")
        | st.lists(st.tuples(st.sampled_from(["a", "b"]), inner), max_size=2).map(
            lambda pairs: "{" + ",".join(f'"{key}":{value}' for key, value in pairs) + "}"
        )
    ),
    max_leaves=4,
) | st.integers(1, 12).map(lambda deep: "[" * deep + "5" + "]" * deep)


@st.composite
def json_choices(draw: st.DrawFn) -> bytes:
    """A line that is nearly a choice."""
    pairs = [
        ('"type"', draw(st.one_of(st.just('"choice"'), st.just('"choice"'), _json_values))),
        ('"id"', draw(st.one_of(st.just(f"{ASKED}"), st.just(f"{ASKED}"), _json_values))),
        (draw(st.sampled_from(['"option"', '"index"'])), draw(_json_values | numbers.map(str))),
    ]
    pairs += draw(
        st.lists(st.tuples(st.sampled_from(['"y"', '"z"', "5", "y", '"\\u0069d"']), _json_values), max_size=2)
    )
    if draw(st.booleans()):
        pairs.append(draw(st.sampled_from(pairs)))
    space = draw(st.sampled_from(["", "", " ", "\t", "\r", "\x0b", "\ufeff"]))
    line = "{" + ",".join(f"{space}{key}:{value}" for key, value in pairs) + "}"
    return (draw(st.sampled_from(["", " ", "\r"])) + line + draw(st.sampled_from(["", " ", "\r", ","]))).encode()


def choices(dialect: Dialect) -> st.SearchStrategy[bytes]:
    """Near misses of a choice, as a bot would send them in this dialect."""
    payloads = json_choices() if dialect is Dialect.JSON else msgpack_choices()
    return payloads.map(lambda payload: envelope(dialect, payload))
