"""Analyses that readers ask for: one at a time, each match once, in a process of its own; the others wait in a short queue.

How far one is, and in the end the analysis as a page shows it, is in a file `analyses/KEY.json`, which the server gives to whoever
asks. Its "state" is

======= =======================================================================================================
waiting "before": how many come first
running "done" of "decisions", which are 0 until they are known
done    "analysis": what pages are told (`page.facts_of`)
failed  "why": "long" (it took more than it may), "record" (there is none that can be analysed), or "machine"
======= =======================================================================================================
"""

import json
import signal
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.processes.with_trio import TrioChild, heard
from bullring.arena.watching.web.addresses import is_near

FOLDER = "analyses"

MOST = 12
"""Matches in the queue, with the one that is analysed."""

MOST_OF_ONE = 2
"""Of them, those that were asked for from one address elsewhere."""

KEPT = 200
"""Files that are kept for readers. The home keeps the analyses themselves, so that one that is asked for again is there at once."""

State = dict[str, Any]


class Analyses:
    """Has matches analysed. `start` starts the process for a key, which tells "running", and then "done" or "failed"; it does so
    soon where one `is_kept`."""

    def __init__(self, folder: Path, start: Callable[[str], TrioChild], is_kept: Callable[[str], bool]) -> None:
        self._folder = folder / FOLDER
        self._start = start
        self._is_kept = is_kept
        self._queue: dict[str, str] = {}
        """The matches, the one that is analysed first, with the addresses from which they were asked for."""
        self._states: dict[str, State] = {}
        """By match: those in the queue, and the last ones that are over; the oldest first."""
        self._asked = trio.Event()
        self._folder.mkdir(exist_ok=True)
        for left in self._folder.iterdir():  # of a process that has died, or of an older version
            left.unlink()

    def ask(self, key: str, address: str) -> tuple[int, State]:
        """A reader at an address wants a match analysed. Returns a status, and how far that is."""
        known = self._states.get(key)
        if known is not None and known.get("why") != "machine":  # which may do better now
            return 200, {name: value for name, value in known.items() if name != "analysis"}
        if len(self._queue) >= MOST:
            return 503, {}
        if not is_near(address) and [*self._queue.values()].count(address) >= MOST_OF_ONE:
            return 429, {}
        self._queue[key] = address
        self._line_up()
        self._asked.set()
        return 202, self._states[key]

    def seek(self, key: str, address: str) -> tuple[int, State]:
        """A reader at an address looks at a match of which no file tells: if an analysis is kept, it will be in one soon."""
        return self.ask(key, address) if self._is_kept(key) else (200, {"state": "none"})

    async def run(self) -> None:
        """Analyse what is asked for, until it is cancelled."""
        while True:
            while not self._queue:
                self._asked = trio.Event()
                await self._asked.wait()
            key = next(iter(self._queue))
            state = await self._made(key)
            del self._queue[key]
            self._write(key, state)
            self._line_up()
            self._forget()

    async def _made(self, key: str) -> State:
        """Have a match analysed. Returns the state in which that ends."""
        self._write(key, {"state": "running", "done": 0, "decisions": 0})
        try:
            child = self._start(key)
        except OSError:
            return {"state": "failed", "why": "machine"}
        try:
            async with aclosing(heard(child.tells)) as messages:
                async for kind, *values in messages:
                    match kind, values:
                        case "running", [int(done), int(decisions)]:
                            self._write(key, {"state": "running", "done": done, "decisions": decisions})
                        case "done", [str(analysis)]:
                            return {"state": "done", "analysis": json.loads(analysis)}
                        case "failed", [str(why)]:
                            return {"state": "failed", "why": why}
        finally:
            with trio.CancelScope(shield=True):
                await child.close()
        return {"state": "failed", "why": "long" if child.status == -signal.SIGXCPU else "machine"}

    def _line_up(self) -> None:
        """Tell those that wait how many come first."""
        for before, key in enumerate(self._queue):
            if self._states.get(key, {}).get("state") != "running":
                self._write(key, {"state": "waiting", "before": before})

    def _write(self, key: str, state: State) -> None:
        self._states.pop(key, None)
        self._states[key] = state
        temporary = self._folder / f".{key}"
        temporary.write_text(json.dumps(state), "utf-8")
        temporary.replace(self._folder / f"{key}.json")

    def _forget(self) -> None:
        """Forget the oldest ones that are over."""
        over = [key for key in self._states if key not in self._queue]
        for key in over[: max(0, len(over) - KEPT)]:
            del self._states[key]
            (self._folder / f"{key}.json").unlink(missing_ok=True)
