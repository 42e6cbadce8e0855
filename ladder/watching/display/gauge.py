"""The picture of bots that are gauged against the house."""

import math
from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted
from bullring.arena.watching.display.columns import Column, name_text, table_of
from bullring.ladder.gauge.score import Elo, Score, Until, comparisons
from bullring.ladder.rating.control_variates import Adjusted, Mean
from bullring.ladder.watching.display.progress import clock

COLUMNS: tuple[Column[Score], ...] = (
    Column("bot", "bot", lambda score: score.name, name_text, left=True, least=13),
    Column("matches", "matches", lambda score: len(score.samples)),
    Column("", "", lambda score: "raw\nadjusted\ngain"),
    Column(
        "heads",
        "heads a deal\nminus house",
        lambda score: score.heads,
        lambda heads: f"{_heads(heads.raw)}\n{_heads(heads.adjusted)}\n{_gain(heads)}",
    ),
    Column(
        "elo",
        "Elo against\nthe house",
        lambda score: score,
        lambda score: f"{_elo(score.raw_elo)}\n{_elo(score.elo)}\n{_gain(score.share)}",
    ),
)


class GaugePicture:
    """The state of all bots."""

    def __init__(self, title: str, scores: Sequence[Score], until: Until) -> None:
        self._title = title
        self._scores = scores
        self._until = until

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"against the house: {self._title}", style="bold")
        yield self._table()
        for score in self._scores:
            yield from (*self._costs(score), *_troubles(score))
        for found in comparisons(self._scores):
            who = f"{harmless(found.one)} - {harmless(found.other)}"
            yield Text(f"{who}: {_elo(found.elo)} Elo, {_heads(found.heads)} heads a deal")
        yield Text("95 % intervals. Elo against the house only: not the Elo of a ladder.", style="dim")

    def _table(self) -> Table:
        return table_of(COLUMNS, self._scores)

    def _costs(self, score: Score) -> Iterator[Text]:
        """The matches and the time for a narrower interval."""
        half, name = score.elo.half, harmless(score.name)
        if not math.isfinite(half) or len(score.samples) < 2:
            return
        goal = self._until.error if half > self._until.error else half / 2
        more, each = score.needed(goal), score.seconds / self._until.jobs
        yield Text(
            f"{name}: ± {half:.0f} Elo now; ± {goal:.3g} takes about {counted(more, 'more match', 'more matches')},"
            f" {clock(more * each)} at {each:.2g} s a match",
            style="dim",
        )


def _troubles(score: Score) -> Iterator[Text]:
    name = harmless(score.name)
    if score.faults:
        yield Text(
            f"{name}: {counted(score.faults, 'fault')}; the referee played in its place, and that counts",
            style="yellow",
        )
    if score.void:
        void = counted(score.void, "match is", "matches are")
        yield Text(f"{name}: {void} void, and not counted; the last: {harmless(score.why_void)}", style="yellow")
    for alarm in score.alarms():
        yield Text(f"{name}: {alarm}", style="bold red")


def _heads(mean: Mean) -> str:
    return f"{mean.value:+.2f} ± {mean.half:.2f}"


def _elo(elo: Elo) -> str:
    if not math.isfinite(elo.low) and not math.isfinite(elo.high):  # it is ahead of nearly no seat, or of nearly all
        return "unknown"
    return f"{elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"


def _gain(part: Adjusted) -> str:
    gain = part.gain
    return "" if gain is None else f"{gain.value:.1f} × ({gain.low:.1f} to {gain.high:.1f})"
