"""Floods its stderr, of which everything is read and little is kept. Bound: four times what it may write."""

import os

from hostile import TARGETS, play


def question(number, message):
    if number == 2:
        for _ in range(4 * TARGETS["output"] // 65536):
            os.write(2, b"#" * 65536)


play(question)
