"""A match as plain text: for pipes, logs and `bullring replay`. And how strangers' text is made harmless."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from arena.rules.game import MOVES, Event
from arena.rules.registry import find
from arena.rules.variants.eleven import step


def harmless(text: object, width: int | None = None) -> str:
    """Text of a stranger for one line of a terminal: no control characters, nothing invisible, at most `width` characters."""
    shown = "".join(
        char if char == " " or unicodedata.category(char)[0] not in "CZ" else char.encode("unicode_escape").decode()
        for char in str(text)
    )
    if width is not None and len(shown) > width:
        shown = shown[: width - 1] + "…"
    return shown


def heads_text(heads: int) -> str:
    """ "1 head", "2 heads"."""
    return f"{heads} head" if heads == 1 else f"{heads} heads"


def cards_text(cards: Sequence[int]) -> str:
    """Cards on one line; equal neighbours lie on each other: 43 44=44 45."""
    return "".join(f"{'' if at == 0 else '=' if card == cards[at - 1] else ' '}{card}" for at, card in enumerate(cards))


def rows_text(rows: Iterable[Sequence[int]]) -> str:
    """The rows, or the stacks, on one line; of a long one only the end."""
    return "   ".join(
        f"{number}: {f'({len(row) - MOST_SHOWN} more) ' if len(row) > MOST_SHOWN else ''}{cards_text(row[-MOST_SHOWN:])}"
        for number, row in enumerate(rows, 1)
    )


MOST_SHOWN = 10
"""Cards of a row or stack that are written out; only stacks grow longer."""

Answer = int | str | Sequence[int]

_DOES: dict[str, Callable[[Any], str]] = {
    "card": lambda card: f"plays {card}",
    "cards": lambda pair: f"plays {pair[0]} and {pair[1]}",
    "row": lambda row: f"chooses row {row}",
    "side": lambda row: f"chooses row {row}",
    "order": lambda card: f"places {card} first",
    "draft": lambda card: f"drafts {card}",
    "keep": lambda cards: f"keeps {' '.join(map(str, cards)) or 'nothing'}",
    "more": lambda answer: "stops" if answer == "stop" else _DOES["play"](answer),
    "play": lambda answer: (
        f"lays {answer[0]} on stack {answer[1]}" if isinstance(answer, Sequence) else f"takes stack {answer}"
    ),
    "bull": lambda seat: f"takes the bull from seat {seat}",
}
"""What a seat does, by the kind of its decision."""


def does(kind: str, answer: Answer) -> str:
    """An answer in words: "plays 32", "keeps nothing"."""
    if kind == "more" and isinstance(answer, int):
        kind = "card"
    return _DOES[kind](answer) if kind in _DOES else f"answers {kind} with {answer}"


class Story:
    """Turns the happenings of a match (`arena.replay`) into lines of text."""

    def __init__(self, *, hands: bool = True) -> None:
        self._hands = hands
        self._names: list[str] = []
        self._width = 0
        self._rows: list[list[int]] = []
        self._stacks: list[list[int]] = []
        self._below: dict[int, int] = {}
        """Of each stack that was laid on in this turn, how many cards it had before."""
        self._sizes: list[int] = []
        """Cards in each hand, where cards are played or taken one by one."""
        self._sorts = False
        """Whether cards of a taken row may go to the hand, so that its heads do not count yet."""
        self._turn = (0, 0)

    def lines(self, event: Event) -> Iterator[str]:
        """The lines for one happening; none for those that only machines want."""
        tell = getattr(self, f"_tell_{event['type']}", None)
        if tell is not None:
            yield from tell(event)

    def name(self, seat: int) -> str:
        """How a seat is called here."""
        return self._names[seat].ljust(self._width)

    def _tell_match(self, event: Event) -> Iterator[str]:
        self._names = [f"{seat} {harmless(name, 24)}" for seat, name in enumerate(event["seats"])]
        self._width = max(map(len, self._names))
        self._sorts = "keep" in find(event["game"]).decisions
        options = ", ".join(f"{key} {value}" for key, value in event["options"].items() if value is not None)
        yield f"{event['game']} for {len(self._names)} seats" + (f" ({options})" if options else "")
        yield f"commitment {event['commitment']}"

    def _tell_deal(self, event: Event) -> Iterator[str]:
        self._rows = [list(row) for row in event.get("rows", ())]
        self._stacks = [list(stack) for stack in event.get("stacks", ())]
        self._sizes = [len(hand) for hand in event["hands"]]
        yield ""
        yield f"deal {event['deal']}"
        if self._rows:
            yield f"  rows  {rows_text(self._rows)}"
        if self._hands:
            for seat, hand in enumerate(event["hands"]):
                if hand:
                    yield f"  {self.name(seat)}  holds {cards_text(hand)}"

    def _tell_rows(self, event: Event) -> Iterator[str]:
        self._rows = [list(row) for row in event["rows"]]
        yield f"  rows  {rows_text(self._rows)}"

    def _tell_answers(self, event: Event) -> Iterator[str]:
        turn = event["deal"], event["turn"]
        if turn != self._turn and event["kind"] in MOVES:
            self._turn = turn
            yield f"  turn {turn[1]}" if turn[1] else "  draft"
            if len(set(self._sizes)) > 1:
                yield f"    cards in hand  {'  '.join(f'{seat}: {size}' for seat, size in enumerate(self._sizes))}"
            if self._stacks:
                yield f"    stacks  {rows_text(self._stacks)}"
        if event["kind"] in MOVES:
            self._below.clear()
        for seat, answer, us, by in zip(event["seats"], event["answers"], event["us"], event["by"], strict=True):
            source = f"{us / 1000:.2f} ms" if by == "bot" else "played by the referee"
            yield f"    {self.name(seat)}  {does(event['kind'], answer)}  ({source})"

    def _tell_place(self, event: Event) -> Iterator[str]:
        for at, (seat, card, number, heads) in enumerate(event["placed"]):
            row = self._rows[number - 1]
            others = [other for other, *place, share in event["placed"][at + 1 :] if share and place == [card, number]]
            if heads and row != [card]:
                owners = " and ".join(self._names[owner] for owner in (seat, *others))
                each = " each" if others else ""
                what = "its owner sorts them" if self._sorts else f"{heads_text(heads)}{each} for {owners}"
                yield f"    {card:>3} takes row {number} ({cards_text(row)}): {what}"
                row.clear()
            row.insert(0 if row and card < row[0] else len(row), card)
        yield f"    rows  {rows_text(self._rows)}"

    def _tell_keep(self, event: Event) -> Iterator[str]:
        self._sizes[event["seat"]] += len(event["cards"])
        if event["heads"]:
            yield f"        the others count {heads_text(event['heads'])} for {self._names[event['seat']]}"

    def _tell_lay(self, event: Event) -> Iterator[str]:
        self._sizes[event["seat"]] -= 1
        if "stack" in event:
            stack = self._stacks[event["stack"] - 1]
            below = self._below.setdefault(event["stack"], len(stack))
            stack.append(event["card"])
            stack[below:] = sorted(stack[below:], key=lambda card: step(stack[below - 1], card))
        yield from ()

    def _tell_take(self, event: Event) -> Iterator[str]:
        self._sizes[event["seat"]] += len(event["cards"])
        del self._stacks[event["stack"] - 1]
        self._stacks += [[card] for card in event["turned"]]
        turned = " and ".join(map(str, event["turned"])) or "nothing, for no card is left"
        yield f"        that is {cards_text(event['cards'])}; turned up: {turned}"

    def _tell_bull(self, event: Event) -> Iterator[str]:
        where = "" if event["from"] is None else f" from {self._names[event['from']]}"
        yield f"        {self._names[event['seat']]} gets a bull{where}"

    def _tell_deal_over(self, event: Event) -> Iterator[str]:
        for seat, (heads, score) in enumerate(zip(event["heads"], event["scores"], strict=True)):
            if left := cards_text(event.get("hands", [()] * len(self._names))[seat]):
                yield f"  {self.name(seat)}  has {left} left in hand"
            yield f"  {self.name(seat)}  {heads:>3} heads in this deal, {score:>3} in all"

    def _tell_sheet(self, event: Event) -> Iterator[str]:
        yield ""
        yield "score sheet: each hand, by who drafted it, and the heads that each bot took with it"
        hands = [f"{self.name(seat)}  {cards_text(hand)}" for seat, hand in enumerate(event["hands"])]
        width = max(map(len, hands))
        yield " ".join([" " * (width + 2), *(f"{name:>12.12}" for name in self._names)])
        for hand, line in zip(hands, event["heads"], strict=True):
            yield " ".join([f"  {hand:<{width}}", *(f"{heads:>12}" for heads in line)])
        sums = [sum(line[seat] for line in event["heads"]) for seat in range(len(self._names))]
        yield " ".join([f"  {'in all':<{width}}", *(f"{total:>12}" for total in sums)])

    def _tell_fault(self, event: Event) -> Iterator[str]:
        yield from fault_lines(self._names[event["seat"]], event)

    def _tell_match_over(self, event: Event) -> Iterator[str]:
        yield ""
        if event["void"]:
            yield f"void: {harmless(event['void'])}"
            return
        order = sorted(range(len(self._names)), key=lambda seat: (event["ranks"][seat], seat))
        for seat in order:
            yield f"{event['ranks'][seat]:>2}. {self.name(seat)}  {event['scores'][seat]:>3} heads"


def fault_lines(name: str, fault: Event) -> Iterator[str]:
    """One fault, as its author needs it."""
    ms = fault["elapsed_ms"]
    after = f" after {ms:.1f} ms" if ms else ""
    yield f"    fault of {harmless(name)}: {fault['kind']} ({fault['decision']}){after}"
    yield f"      expected {harmless(fault['expected'], 160)}"
    yield f"      got      {harmless(fault['got'], 160)}"
    if fault.get("exit"):
        yield f"      process  {harmless(fault['exit'], 160)}"
    if fault["closed"]:
        yield "      from here on the referee plays this seat"
    if fault.get("stderr"):
        yield "      the end of its stderr:"
        for line in fault["stderr"].splitlines()[-10:]:
            yield f"      | {harmless(line, 160)}"
