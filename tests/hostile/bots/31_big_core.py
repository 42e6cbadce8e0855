"""Crashes with a lot of memory, to have it dumped onto the disk. Bound: 32 MiB."""

import os
import resource

from hostile import MIB, play


def question(number, message):
    if number == 2:
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        hoard = [b"\1" * MIB for _ in range(32)]
        os.abort()
        del hoard


play(question)
