"""Sends its answer byte by byte, so that there is always something to read and never an answer. Bound: five seconds."""

import time

from hostile import play, say_bytes


def question(number, message):
    for byte in b'{"type":"choice","id":':
        say_bytes(bytes([byte]))
        time.sleep(0.02)
    for _ in range(200):
        say_bytes(b" ")
        time.sleep(0.02)


play(question)
