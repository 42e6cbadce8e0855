"""Fills every place that it may write to, with files that are small each. Bound: 64 MiB in each place, which it removes."""

import contextlib
from pathlib import Path

from hostile import HOME, MIB, TARGETS, escaped, held, name_of, play

for place in {str(HOME), "/box", "/dev/shm", "/tmp", "/var/tmp"}:
    done, files = 0, []
    try:
        while done < 64:
            files.append(Path(place) / f"a-bot-was-here-{done}")
            with files[-1].open("wb", buffering=0) as out:
                for _ in range(4):
                    done += out.write(bytes(MIB)) / MIB
    except OSError as error:
        tell = held if done <= TARGETS["box"] / MIB else escaped
        tell(f"{done:.2f} MiB in {place}, then {name_of(error)}")
    else:
        escaped(f"{done:.2f} MiB in {place}")
    for file in files:
        with contextlib.suppress(OSError):
            file.unlink()
play()
