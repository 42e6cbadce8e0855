"""Writes as much into its log as it may, again and again, to fill the disk with records. Bound: half of what it may write."""

import os

from hostile import TARGETS, held, play


def question(number, message):
    if number <= 8:
        os.write(2, os.urandom(TARGETS["output"] // 16))


held("writes into its log")
play(question)
