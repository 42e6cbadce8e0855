"""The screen of `bullring ladder run`: that of `bullring watch`, in a process of its own, so that drawing keeps no match waiting.

`python -m bullring.ladder.watching.screens.live DESCRIPTOR HOME LIST METRIC ...` shows a list until its parent hangs up. The
keys that end it do to its parent what Ctrl-C does.
"""

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

from bullring.arena.cells.processes.frames import Ear
from bullring.ladder.run.progress import Running
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.screens.standings import StandingsScreen
from bullring.ladder.watching.screens.watch import WatchApp


class LiveScreen(StandingsScreen):
    """The first screen: `q` ends the run."""

    ends = "stop"
    waits = "prepares"


class LiveApp(WatchApp):
    """A ladder in full screen, beside the run that plays it, which has started this process."""

    def __init__(self, screen: LiveScreen) -> None:
        super().__init__(screen)
        self._run = os.getppid()

    async def action_quit(self) -> None:
        """Leave what was opened; on the first screen, end the run."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.action_interrupt()

    def action_interrupt(self) -> None:
        """Ask the run to finish, or, the second time, to stop at once."""
        if os.getppid() == self._run:  # else it has died, and this is a child of somebody else
            os.kill(self._run, signal.SIGINT)


def main(descriptor: str, home: str, list_: str, *metrics: str) -> int:
    """Show the list. Returns the exit code."""
    place = Home(Path(home))

    def choose(store: Store, now: Running | None) -> ListRow:
        return next(row for row in store.lists() if row.id == int(list_))

    app = LiveApp(LiveScreen(place, choose, metrics=metrics))

    def listen() -> None:
        for _ in Ear(int(descriptor)):
            pass
        with suppress(RuntimeError):  # it has ended by itself
            app.call_from_thread(app.exit)

    threading.Thread(target=listen, daemon=True).start()
    app.run()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
