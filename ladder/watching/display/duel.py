"""The live picture of a duel."""

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted
from bullring.ladder.rating.sequential import Judgement, Verdict
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.standings.duel import DuelScore
from bullring.ladder.watching.display.progress import clock

_STYLES = {
    Verdict.BETTER: "bold green",
    Verdict.NOT_BETTER: "bold red",
    Verdict.EQUAL: "bold cyan",
    Verdict.WORSE: "bold red",
    Verdict.OPEN: "dim",
}


class DuelPicture:
    """The state of the test."""

    def __init__(self, title: str, names: tuple[str, str], score: DuelScore) -> None:
        self.progress = Progress()
        self.stopped = False
        """Whether no more groups begin."""
        self.benched: list[str] = []
        """The reasons why the bots of the duel play no more."""
        self._title = title
        self._names = names
        self._score = score
        self._last = Text("")

    def happened(self, happening: Happening) -> None:
        """Remember the last happening that is not a match."""
        self.stopped |= happening.kind == "stop"
        if happening.kind != "match":
            self._last = Text(harmless(happening.text), style="yellow", no_wrap=True, overflow="ellipsis")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        judged, test = self._score.judge(), self._score.test
        title = Text(no_wrap=True, overflow="ellipsis")
        title.append(" bullring ", style="bold reverse")
        title.append(f" duel, {self._title}", style="bold")
        if self.progress.matches:
            title.append(f"  {self.progress.matches} matches in {clock(self.progress.seconds)}")
        yield title
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(style="dim")
        table.add_column()
        table.add_row("new", harmless(self._names[0]))
        table.add_row("old", harmless(self._names[1]))
        cells = " ".join(map(str, self._score.cells.tolist()))
        table.add_row("groups", f"{judged.groups}, by the new bot's points in two matches (0 ½ 1 1½ 2): {cells}")
        if spoiled := self._score.spoiled:
            text = "was void at first, and speaks" if spoiled == 1 else "were void at first, and speak"
            table.add_row("", f"{spoiled} {text} for no verdict")
        if judged.groups:
            table.add_row("points", f"{100 * judged.share:.1f} %")
            table.add_row("Elo", f"{judged.elo:+.1f}  (95 %: {judged.low:+.1f} to {judged.high:+.1f})")
            table.add_row("superior", f"{100 * judged.superior:.1f} %")
        if (gain := self._score.gain) is not None:
            table.add_row(
                "gain", f"{gain.value:.2f} independent matches for each match (95 %: {gain.low:.2f} to {gain.high:.2f})"
            )
        rates = f"error rates {test.alpha:g} and {test.beta:g}"
        if judged.opposite is None:
            table.add_row("test", f"{test.elo0:g} against {test.elo1:g} Elo, {rates}")
        else:
            table.add_row("test", f"equal within ± {test.elo1:g} Elo, {rates}: both ratios below {judged.lower:.2f}")
            table.add_row("LLR worse", Text.assemble(f"{judged.opposite:+.2f}  ", _bar(judged, judged.opposite)))
        table.add_row(
            "LLR" if judged.opposite is None else "LLR better",
            Text.assemble(f"{judged.llr:+.2f}  ", _bar(judged, judged.llr)),
        )
        table.add_row("verdict", Text(self._verdict(judged), style=_STYLES[judged.verdict]))
        yield table
        yield self._last

    def _verdict(self, judged: Judgement) -> str:
        if self.stopped and judged.verdict is Verdict.OPEN:
            after = f"no verdict after {counted(judged.matches, 'match', 'matches')}"
            if self.benched:
                return f"{after}: a bot plays no more: {'; '.join(self.benched)}"
            return f"{after}; continue with more --matches"
        if pending := self._score.pending:
            return f"{self._score.says}; {counted(pending, 'group', 'groups')} in flight could still decide it"
        return self._score.says


def _bar(judged: Judgement, llr: float, width: int = 40) -> Text:
    """A bar that shows where a log-likelihood ratio is between its bounds."""
    share = (llr - judged.lower) / (judged.upper - judged.lower)
    at = min(width - 1, max(0, int(share * width)))
    line = Text(f"{judged.lower:.2f} ", style="dim")
    line.append("─" * at, style="dim").append("●", style="bold cyan").append("─" * (width - 1 - at), style="dim")
    return line.append(f" {judged.upper:.2f}", style="dim")
