"""Sends its answer byte by byte, so that there is always something to read and never an answer. Bound: a minute,
since a busy machine takes longer to call it late."""

import time

from hostile import play, say_bytes


def question(number, message):
    for byte in b'{"type":"choice","id":':
        say_bytes(bytes([byte]))
        time.sleep(0.02)
    for _ in range(3000):
        say_bytes(b" ")
        time.sleep(0.02)


play(question)
