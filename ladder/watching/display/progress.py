"""The progress of a run, and what was notable in it, in words."""

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.ladder.run.progress import Notice, Progress

STYLES = {
    "duplicate": "yellow",
    "fault": "red",
    "bench": "bold red",
    "void": "yellow",
    "signals": "yellow",
    "worker": "red",
    "node": "cyan",
    "stop": "cyan",
}
"""The colours of notable happenings, by kind."""


def clock(seconds: float) -> str:
    """Seconds as minutes or hours: 1:05 or 2:00:07."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def parts(progress: Progress) -> Iterator[Text]:
    """What has been played at which speed, and what is left, the most important first."""
    rate = progress.matches / progress.seconds if progress.matches and progress.seconds else 0.0
    if progress.stopping:
        yield Text(say("ladder.ending", why=progress.stopping), style="yellow")
    if progress.all_matches is None:
        matches = say("ladder.matches", count=progress.matches)
    else:
        matches = say("ladder.of_all", count=progress.all_matches, done=progress.matches)
    if progress.void:
        matches = say("ladder.void", count=progress.void, matches=matches)
    yield Text(say("ladder.running", matches=matches, time=clock(progress.seconds)))
    if rate:
        yield Text(say("ladder.speed", rate=rate))
    left = list(_left(progress, rate))
    if left and not progress.stopping:
        yield Text(say("ladder.left", time=clock(max(0.0, min(left)))))


def _left(progress: Progress, rate: float) -> Iterator[float]:
    """The seconds that are left by each limit."""
    if progress.all_matches is not None and rate:
        yield (progress.all_matches - progress.matches) / rate
    if progress.all_seconds is not None:
        yield progress.all_seconds - progress.seconds


def fitted(texts: Iterable[Text], width: int, gap: str = "  ") -> Text:
    """Texts in a line, each whole, without those for which there is no room."""
    line = Text(no_wrap=True)
    for text in texts:
        between = gap if line else ""
        if text and line.cell_len + len(between) + text.cell_len <= width:
            line = line + Text(between) + text
    return line


def noted(notices: Sequence[Notice]) -> list[Text]:
    """The notable happenings, the newest first."""
    return [
        Text(f"{notice.at} {harmless(notice.text)}", style=STYLES.get(notice.kind, "dim")) for notice in notices[::-1]
    ]


def whole(texts: Iterable[Text], width: int, lines: int) -> list[Text]:
    """The first texts that fit whole into so many lines, wrapped."""
    from rich.console import Console

    console, found = Console(width=width), list[Text]()
    for text in texts:
        wrapped = list(text.wrap(console, width, overflow="fold", no_wrap=False))
        if len(found) + len(wrapped) > lines:
            break
        found += wrapped
    return found
