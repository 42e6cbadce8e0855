"""Condensing segments of records while a ladder runs, by a process beside it, and the last of them in the end."""

import sys

import trio

from bullring.ladder.store.condense import condense
from bullring.ladder.store.records import Records

_LOOK = 1.0
"""Seconds between two looks whether a segment has become full."""

_PROGRAM = (sys.executable, "-P", "-m", "bullring.ladder.store.condense")


async def keep_condensing(records: Records) -> None:
    """Condense segments as they become full, for ever."""
    filled = -1
    while True:
        if records.filled != filled:
            filled = records.filled
            # Only this process knows that all matches in them are stored: others might pack some together with what counts.
            if names := [segment.name for segment in records.loose()]:
                command = [*_PROGRAM, str(records.folder), *names]
                await trio.run_process(command, check=False, capture_stdout=True, capture_stderr=True)
        await trio.sleep(_LOOK)


async def condense_rest(records: Records) -> None:
    """Condense what is left when nobody appends any more. Cancelled, it ends with the segment that it is at."""
    for segment in await trio.to_thread.run_sync(lambda: records.loose(at_rest=True)):
        await trio.to_thread.run_sync(condense, records, [segment])
