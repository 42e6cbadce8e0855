"""Looks for the input that a parser has forgotten: half characters, endless numbers, keys of all kinds. Bound: three lines."""

from hostile import WAY, play, say_bytes

LINES = {
    "numbers": [
        b'{"id":' + b"9" * 4000 + b"}",
        b'{"id":1e99999,"option":-1e99999,"type":"choice"}',
        b'{"id":-0,"type":1}',
    ],
    "texts": [rb'{"type":"\ud800"}', rb'{"type":"choice","id":"\u0000","option":"\udfff"}', b'{"type":"choice\x00"}'],
    "shapes": [b"[]", b'{"type":{"type":{}}}', b"null"],
    "ends": [b'{"type":"choice","id":1', b'"', b"{} {}"],
}


def question(number, message):
    say_bytes(LINES[WAY][number - 1] + b"\n")
    return True


play(question)
