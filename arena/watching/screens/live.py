"""The program that shows matches while they are played. `watching` starts it and gives it matches.

With the argument "screen" it takes the whole terminal, with "text" it prints lines as things happen: for pipes, logs and terminals
that print only lines.
"""

import os
import sys
import time
from collections.abc import Callable

from bullring.arena.match.records.reader import POLL, follow
from bullring.arena.match.records.replay import Replay
from bullring.arena.watching.display.transcript import Story
from bullring.arena.watching.screens.live_messages import Match, News
from bullring.errors import RecordError


def tell(news: News) -> None:
    """Print matches as text, line by line. Raises `RecordError`, `OSError`."""

    def goes_on() -> bool:
        news.hear()
        return not news.gone and not news.matches

    while True:
        news.hear()
        if news.matches:
            _tell(news.matches.popleft(), goes_on)
        elif news.finished or news.gone:
            return
        else:
            time.sleep(POLL)


def _tell(match: Match, goes_on: Callable[[], bool]) -> None:
    replay = Replay(telling=True)
    story = Story(replay, hands=False)
    for found in follow(match.record, goes_on):
        for entry in found:
            for line in story.lines(replay.feed(entry)):
                print(line, flush=True)  # noqa: T201  # printing is this program's job
    if match.remove:
        match.record.unlink(missing_ok=True)


def main() -> int:
    """Run `python -m bullring.arena.watching.screens.live DESCRIPTOR screen|text PACE`. Returns the exit code."""
    news, how, pace = News(int(sys.argv[1])), sys.argv[2], float(sys.argv[3])
    try:
        if how == "text":
            tell(news)
            return 0
        from bullring.arena.watching.screens.live_screen import LiveScreen  # only here: text begins sooner without it

        screen = LiveScreen(news, pace)
        screen.run()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would try to write the rest
        return 0
    except (RecordError, OSError) as error:
        print(f"the match cannot be shown: {error}", file=sys.stderr)  # noqa: T201
        return 1
    else:
        return screen.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
