"""Packing segments of records more densely. It may be killed at any moment: a segment is exchanged as a whole.

`python -m bullring.ladder.store.condense FOLDER SEGMENT...` does it in a process of its own beside a ladder, with the folder of
the records and the names of full segments.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from bullring.errors import RecordError, StoreError
from bullring.ladder.store.records import Records

_NICE = 10
"""Some 0.3 ms a match, when nobody else needs the processor much; a tenth of what others get where all are busy."""


def condense(records: Records, segments: Iterable[Path]) -> None:
    """Condense segments, oldest first. One that is damaged stays as it is; so do all that are left if the disk fails."""
    for segment in segments:
        try:
            records.condense(segment)
        except RecordError:
            continue
        except StoreError:
            return


if __name__ == "__main__":
    os.nice(_NICE)
    folder = Path(sys.argv[1])
    condense(Records(folder), [folder / name for name in sys.argv[2:]])
