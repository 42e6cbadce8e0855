"""Analyses of the matches that a site shows first: a few at each report, kept in the home, so that each is made once."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bullring.arena.cells.text.doing import doing
from bullring.arena.games.rulebook.language import spoken
from bullring.arena.study.analysis.kept import keep, kept
from bullring.arena.study.analysis.result import Analysis, Method
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.turning import turning_points
from bullring.errors import RecordError, WriteError
from bullring.ladder.store.home import Home


@dataclass(frozen=True)
class TurningPoint:
    """Where a match was decided."""

    analysis: Analysis
    frames: Sequence[Frame]

    def said(self) -> str:
        """It, in sentences; empty if no turn stands out."""
        found = list(turning_points(self.analysis, self.frames))
        if not found:
            return ""
        point, told = max(found, key=lambda pair: abs(pair[0].after - pair[0].before))
        return spoken().say("site.turned", deal=point.deal, turn=point.turn, what=" ".join(told))


def turning_point(home: Home, match: int) -> TurningPoint | None:
    """Where a match was decided; None if it was not analysed, or has no record."""
    if not home.analysis(match).exists():
        return None
    try:
        lines = home.lines(match)
        analysis = kept(home.analysis(match), lines.seal or "")
        if analysis is None:
            return None
        reducer = Reducer()
        return TurningPoint(analysis, [frame for entry in lines.each() for frame in reducer.feed(entry)])
    except RecordError:
        return None


def analyse_some(home: Home, matches: Iterable[int], seconds: float) -> None:
    """Analyse those of these matches that have no analysis yet, in their order; none is begun after so many seconds.

    The last one that was begun is finished, so that one that takes longer is not begun again and again.
    """
    if not seconds:
        return
    from bullring.arena.study.analysis.analyser import analyse  # it takes time to import

    until = time.monotonic() + seconds
    with doing("analysing matches that are worth a look", round(seconds)) as work:
        for match in dict.fromkeys(matches):
            left = until - time.monotonic()
            if left <= 0:
                return
            work.done, work.detail = round(seconds - left), f"match {match}"
            try:
                lines = home.lines(match)
                if kept(home.analysis(match), lines.seal or "") is None:
                    keep(home.analysis(match), analyse(lines, Method()))
            except RecordError:
                continue
            except WriteError:
                return  # the home is somebody else's, and each report would make them anew
