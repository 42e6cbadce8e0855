"""Lines come out whole, however their bytes come in."""

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.cells.text.lines import LineBuffer


@given(st.lists(st.binary(max_size=8).map(lambda data: data.replace(b"\r", b"\n"))))
def test_the_same_lines_from_any_pieces(pieces: list[bytes]) -> None:
    buffer = LineBuffer()
    lines = [line for piece in pieces for line in buffer.feed(piece)]
    assert [*lines, buffer.rest] == b"".join(pieces).split(b"\n")
