"""The stream of an attached container, cut apart again."""

import socket
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.cells.sandbox.container.frames import ENGINE, STDERR, STDOUT, FrameError, Frames

FRAMES = st.lists(st.tuples(st.sampled_from([STDOUT, STDERR, ENGINE]), st.binary(max_size=300)), max_size=12)


@given(FRAMES, st.lists(st.integers(1, 200), min_size=1))
def test_frames_come_out_as_they_went_in_however_they_are_cut(frames: list[tuple[int, bytes]], cuts: list[int]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"".join(pack(">B3xI", kind, len(data)) + data for kind, data in frames))
        theirs.shutdown(socket.SHUT_WR)
        splitter = Frames()
        came: dict[int, bytes] = {STDOUT: b"", STDERR: b"", ENGINE: b""}
        turn = 0
        while data := ours.recv(cuts[turn % len(cuts)]):
            turn += 1
            for kind, piece in splitter.split(data):
                assert piece
                came[kind] += piece
    for kind, got in came.items():
        assert got == b"".join(data for each, data in frames if each == kind)


@pytest.mark.parametrize("kind", [0, 4, ord("h")])
def test_what_is_no_stream_of_frames_is_refused(kind: int) -> None:
    with pytest.raises(FrameError):
        list(Frames().split(bytes([kind]) + bytes(7) + b"x"))


def test_a_frame_may_announce_more_than_ever_comes() -> None:
    splitter = Frames()
    assert list(splitter.split(pack(">B3xI", STDOUT, 2**32 - 1) + b"abc")) == [(STDOUT, b"abc")]
    assert list(splitter.split(b"d")) == [(STDOUT, b"d")]
