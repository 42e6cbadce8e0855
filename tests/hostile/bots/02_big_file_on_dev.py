"""Fills /dev, which often is a file system without a limit. Bound: 64 MiB, which it removes."""

from pathlib import Path

from hostile import MIB, play, refused


def fill():
    file = Path("/dev/a-bot-was-here")
    with file.open("wb") as out:
        try:
            for _ in range(64):
                out.write(bytes(MIB))
        finally:
            file.unlink()
    return "64 MiB on /dev"


refused("write to /dev", fill)
play()
