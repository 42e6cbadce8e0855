"""Packing full segments of records more densely, in a process of its own beside a ladder.

`python -m bullring.ladder.keeping.condensing FOLDER`, with the folder of the records. It may be killed at any moment.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

import trio

from bullring.errors import RecordError, StoreError
from bullring.ladder.keeping.records import Records

_LOOK = 1.0
"""Seconds between two looks whether a segment has become full."""


_NICE = 10
"""Some 0.1 ms a match, when nobody else needs the processor much; a tenth of what others get where all are busy."""


async def keep_condensing(records: Records) -> None:
    """Condense segments as they become full, for ever. What has to wait is done by the next ladder."""
    filled = -1
    while True:
        if records.filled != filled:
            filled = records.filled
            if records.loose():
                command = [sys.executable, "-P", "-m", "bullring.ladder.keeping.condensing", str(records.folder)]
                await trio.run_process(command, check=False, capture_stdout=True, capture_stderr=True)
        await trio.sleep(_LOOK)


def condense_last(records: Records) -> None:
    """Condense the segment that was appended to last, if that is worth while. It takes a quarter of a second at most."""
    with suppress(RecordError, StoreError):
        for segment in records.loose(at_rest=True)[-1:]:
            records.condense(segment)


def condense_all(folder: Path, *, at_rest: bool = False) -> None:
    """Condense all segments that are full; with `at_rest`, because nobody appends, the last one, too.

    Those that are damaged, or cannot be written, stay as they are.
    """
    records = Records(folder)
    for segment in records.loose(at_rest=at_rest):
        with suppress(RecordError, StoreError):
            records.condense(segment)


if __name__ == "__main__":
    os.nice(_NICE)
    condense_all(Path(sys.argv[1]))
