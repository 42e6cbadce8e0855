"""A match as plain text: for pipes, logs and `bullring replay`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Board, Rows, Sheet, Stacks
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.sayings import cards_text
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.records.replay import Answered, Began, Dealt, Ended, Faulted, Happening, Replay, Resumed
from bullring.arena.settings.limits import NO_CLOCK
from bullring.arena.watching.display.text import fault_lines
from bullring.arena.watching.picture.sentences import noted

if TYPE_CHECKING:
    from bullring.arena.study.analysis.result import Choice  # its models take time to define


def rows_text(rows: Iterable[Sequence[int]]) -> str:
    """Rows or stacks on one line; of long ones, only the end."""
    return "   ".join(
        f"{number}: {_hidden(len(row) - MOST_SHOWN)}{cards_text(row[-MOST_SHOWN:])}"
        for number, row in enumerate(rows, 1)
    )


def _hidden(count: int) -> str:
    return say("story.more", count=count) + " " if count > 0 else ""


MOST_SHOWN = 10
"""Number of cards written out for a row or stack; only stacks grow longer."""


class Story:
    """Tells a match in lines of text.

    The replay must be `telling`. Call `lines` for each happening before feeding the next entry to the replay. With `choices` of an
    analysis, bad decisions are marked; `paint` colours such a remark by its mark.
    """

    def __init__(
        self,
        replay: Replay,
        *,
        hands: bool = True,
        choices: "Iterable[Choice]" = (),
        paint: Callable[[str, str], str] = lambda mark, text: text,
    ) -> None:
        self._replay = replay
        self._hands = hands
        self._choices = {(choice.line, choice.seat): choice for choice in choices}
        self._paint = paint
        self._names: list[str] = []
        self._width = 0
        self._turn = (0, 0)
        self._board: Board = ()
        """The table before the current happening."""
        self._sizes: list[int] = []
        """The number of cards in each hand before the current happening."""

    def lines(self, happening: Happening, number: int = 0) -> Iterator[str]:
        """The lines for one happening, in line `number` of the record; none for happenings of no interest to people."""
        match happening:
            case Began(head):
                yield from self._begin(head)
                return
            case Dealt(events, hands):
                yield from self._deal(events, hands)
            case Answered():
                yield from self._answered(happening, number)
            case Faulted(fault):
                yield from fault_lines(self._names[fault["seat"]], fault)
            case Resumed(facts):
                yield say("story.left", at=harmless(facts["at"], 40))
            case Ended(scores, ranks, void):
                yield from self._end(scores, ranks, void)
        game, state = self._replay.game, self._replay.state
        self._board = game.board(state)
        self._sizes = [len(game.hand(state, seat)) for seat in range(game.seats)]

    def name(self, seat: int) -> str:
        """The seat number and the bot's name, padded to a common width."""
        return self._names[seat].ljust(self._width)

    def _begin(self, head: Event) -> Iterator[str]:
        self._names = [f"{seat} {harmless(name, 24)}" for seat, name in enumerate(head["seats"])]
        self._width = max(map(len, self._names))
        options = ", ".join(f"{key} {value}" for key, value in head["options"].items() if value is not None)
        told = say("story.head", game=head["game"], count=len(self._names))
        yield say("story.options", head=told, options=options) if options else told
        yield say("story.commitment", commitment=harmless(head["commitment"], 80))
        if (confinement := Confinement.of(head)) is not None:
            yield confinement.said()
        if head.get("clock") == NO_CLOCK:
            yield say("story.no_clock")

    def _deal(self, events: Sequence[Event], hands: Sequence[Sequence[int]]) -> Iterator[str]:
        yield ""
        yield say("story.deal", deal=self._replay.state.deal)
        for part in self._replay.game.board(self._replay.state):
            if isinstance(part, Rows):
                yield f"  {say('story.rows')}  {rows_text(part.rows)}"
        if self._hands:
            for seat, hand in enumerate(hands):
                if hand:
                    yield f"  {self.name(seat)}  {say('story.holds', cards=cards_text(hand))}"
        yield from self._deal_over(events)

    def _answered(self, answered: Answered, number: int) -> Iterator[str]:
        words = wording(type(self._replay.game))
        turn = answered.deal, answered.turn
        if turn != self._turn and answered.decision.begins_move:
            self._turn = turn
            yield "  " + (say("story.turn", turn=turn[1]) if turn[1] else say("story.draft"))
            if len(set(self._sizes)) > 1:
                sizes = "  ".join(f"{seat}: {size}" for seat, size in enumerate(self._sizes))
                yield f"    {say('story.sizes', sizes=sizes)}"
            for part in self._board:
                if isinstance(part, Stacks):
                    yield f"    {say('story.stacks')}  {rows_text(part.stacks)}"
        for seat, answer, us, by in zip(answered.seats, answered.answers, answered.us, answered.by, strict=True):
            source = say("story.referee") if by == "fallback" else say("story.time", ms=us / 1000)
            choice = self._choices.get((number, seat))
            judged = ""
            if choice is not None and choice.mark:
                from bullring.arena.watching.display.analysis import (
                    remark,  # only here: a match begins sooner without it
                )

                better = words.told(answered.decision.kind, choice.options[choice.best])
                judged = "  " + self._paint(choice.mark, remark(choice, better))
            yield f"    {self.name(seat)}  {words.told(answered.decision.kind, answer)}  ({source}){judged}"
        for _, line, _ in noted(answered.stages, words, self._names):
            yield f"      {line}"
        board = self._replay.game.board(self._replay.state)
        for part in board:
            if isinstance(part, Rows) and part not in self._board:
                yield f"    {say('story.rows')}  {rows_text(part.rows)}"
        yield from self._deal_over(answered.events)
        for part in board:
            if isinstance(part, Sheet):
                yield from self._sheet(part)

    def _deal_over(self, events: Sequence[Event]) -> Iterator[str]:
        for event in events:
            if event["type"] == "deal_over":
                for seat, (heads, score) in enumerate(zip(event["heads"], event["scores"], strict=True)):
                    if left := cards_text(event.get("hands", [()] * len(self._names))[seat]):
                        yield f"  {self.name(seat)}  {say('story.left_in_hand', cards=left)}"
                    yield f"  {self.name(seat)}  {say('story.counted', heads=heads, score=score)}"

    def _sheet(self, sheet: Sheet) -> Iterator[str]:
        yield ""
        yield say("story.sheet")
        hands = [f"{self.name(seat)}  {cards_text(hand)}" for seat, hand in enumerate(sheet.hands)]
        width = max(map(len, hands))
        yield " ".join([" " * (width + 2), *(f"{name:>12.12}" for name in self._names)])
        for hand, line in zip(hands, sheet.heads, strict=True):
            yield " ".join([f"  {hand:<{width}}", *(f"{heads:>12}" for heads in line)])
        sums = [sum(line[seat] for line in sheet.heads) for seat in range(len(self._names))]
        yield " ".join([f"  {say('story.in_all'):<{width}}", *(f"{total:>12}" for total in sums)])

    def _end(self, scores: Sequence[int], ranks: Sequence[int], void: str | None) -> Iterator[str]:
        yield ""
        if void:
            yield say("story.void", what=harmless(void))
            return
        order = sorted(range(len(self._names)), key=lambda seat: (ranks[seat], seat))
        for seat in order:
            yield f"{ranks[seat]:>2}. {self.name(seat)}  {say('story.heads', heads=scores[seat])}"
