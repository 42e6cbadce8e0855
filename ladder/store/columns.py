"""Records of many matches in columns: numbers with numbers of their kind, and hashes as bytes, each column compressed by itself.

A record is text for people and programs in any language, and most of it is numbers. Compressed as text, records of matches of one
deal with four seats take some 660 bytes, and so 440. This is worth its time only for what stays, so segments that are full are
packed so.

Every text can be packed: what does not look like a column stays where it is. Strangers' text cannot look like one, because in JSON
a quotation mark within a text follows a backslash.
"""

import re
from array import array

import msgpack
import zstandard

LEVEL = 12

_NUMBER = rb"(?:0|[1-9][0-9]{0,17})"
_NUMBERS = rb"(" + _NUMBER + rb"(?:," + _NUMBER + rb")*)"

_LISTS = (b"answers", b"us", b"back", b"deal")
_NUMBERED = (b"check", b"wall_us", b"cpu_us")
_HASHES = ((b"commitment", 64), (b"seed", 64), (b"nonce", 32), (b"seal", 64), (b"signature", 128))

_PLANES = 8

COUNT = 2 * len(_LISTS) + len(_NUMBERED) + len(_HASHES) + 1
"""Columns of a frame; the last one is the text that is left."""


def condensed(text: bytes) -> bytes:
    """Pack records that follow one another."""
    columns: list[bytes] = []
    for key in _LISTS:
        found, text = _taken(text, b'"%b":[' % key, _NUMBERS, b"]")
        columns.append(_planes(array("Q", [one.count(b",") + 1 for one in found])))
        columns.append(_planes(array("Q", map(int, b",".join(found).split(b","))) if found else array("Q")))
    for key in _NUMBERED:
        found, text = _taken(text, b'"%b":' % key, rb"(" + _NUMBER + rb")(?![0-9.eE])", b"")
        columns.append(_planes(array("Q", map(int, found))))
    for key, digits in _HASHES:
        found, text = _taken(text, b'"%b":"' % key, rb"([0-9a-f]{%d})" % digits, b'"')
        columns.append(bytes.fromhex(b"".join(found).decode()))
    columns.append(text)
    pack = zstandard.ZstdCompressor(level=LEVEL).compress
    sizes = [len(column) for column in columns]
    body: bytes = msgpack.packb((sizes, [pack(column) if column else b"" for column in columns]))
    return body


def decompressed(data: bytes, size: int) -> bytes:
    """What was compressed; it has `size` bytes. Raises `ValueError`, `ZstdError`."""
    # Whoever says another size is not believed: the library would allocate it.
    if (found := zstandard.frame_content_size(data)) != size:
        raise ValueError(f"expected {size} bytes, got {found}")
    return zstandard.ZstdDecompressor().decompress(data)


def _taken(text: bytes, before: bytes, what: bytes, after: bytes) -> tuple[list[bytes], bytes]:
    """What stands between `before` and `after`, in order, and the text without it."""
    pattern = re.compile(re.escape(before) + what + re.escape(after))
    pieces = pattern.split(text)  # what stands in parentheses in the pattern comes between the pieces
    return pieces[1::2], _mark(before).join(pieces[::2])


def _mark(before: bytes) -> bytes:
    """What stands in place of something taken: a key and a sign that no JSON has there."""
    return before.partition(b":")[0] + b":#"


def _planes(numbers: "array[int]") -> bytes:
    """The lowest bytes of all numbers, then their next ones: those that are mostly zero are together."""
    data = numbers.tobytes()
    return b"".join([data[plane::_PLANES] for plane in range(_PLANES)])


def _numbers(planes: bytes) -> "array[int]":
    count = len(planes) // _PLANES
    data = bytearray(len(planes))
    for plane in range(_PLANES):
        data[plane::_PLANES] = planes[plane * count : (plane + 1) * count]
    numbers = array("Q")
    numbers.frombytes(bytes(data))
    return numbers


def restored(body: bytes, size: int) -> bytes:
    """The records, which have `size` bytes together, or fewer. Raises `ValueError`, `ZstdError` and the like for anything else."""
    sizes, packed = msgpack.unpackb(body)
    # All of it before anything is unpacked: a stranger may have packed gigabytes of nothing.
    if type(sizes) is not list or len(sizes) != COUNT or any(type(one) is not int or one < 0 for one in sizes):
        raise ValueError(f"expected the sizes of {COUNT} columns, got {sizes!r:.80}")
    if sizes[-1] > size or sum(sizes[:-1]) > _PLANES * size:
        raise ValueError("its columns are longer than its records")
    columns = [decompressed(one, length) if length else b"" for one, length in zip(packed, sizes, strict=True)]
    text = columns.pop()
    for key, digits in reversed(_HASHES):
        hashes = columns.pop().hex().encode()
        found = [hashes[at : at + digits] for at in range(0, len(hashes), digits)]
        text = _put_back(text, b'"%b":"' % key, found, b'"')
    for key in reversed(_NUMBERED):
        found = [b"%d" % number for number in _numbers(columns.pop())]
        text = _put_back(text, b'"%b":' % key, found, b"")
    for key in reversed(_LISTS):
        numbers = [b"%d" % number for number in _numbers(columns.pop())]
        found, at = [], 0
        for count in _numbers(columns.pop()):
            found.append(b",".join(numbers[at : at + count]))
            at += count
        text = _put_back(text, b'"%b":[' % key, found, b"]")
    return text


def _put_back(text: bytes, before: bytes, found: list[bytes], after: bytes) -> bytes:
    pieces = text.split(_mark(before))
    if len(pieces) != len(found) + 1:
        raise ValueError("a column does not fit its records")
    whole = [pieces[0]]
    for one, piece in zip(found, pieces[1:], strict=True):
        whole += (before, one, after, piece)
    return b"".join(whole)
