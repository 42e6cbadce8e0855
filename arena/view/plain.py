"""A match as plain text: for pipes, logs and `bullring replay`. And how strangers' text is made harmless."""

import unicodedata
from collections.abc import Iterable, Iterator

from arena.rules.game import Event


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


def rows_text(rows: Iterable[Iterable[int]]) -> str:
    """The four rows on one line."""
    return "   ".join(f"{number}: {' '.join(map(str, row))}" for number, row in enumerate(rows, 1))


class Story:
    """Turns the happenings of a match (`arena.replay`) into lines of text."""

    def __init__(self, *, hands: bool = True) -> None:
        self._hands = hands
        self._names: list[str] = []
        self._width = 0
        self._rows: list[list[int]] = []

    def lines(self, event: Event) -> Iterator[str]:
        """The lines for one happening; none for those that only machines want."""
        tell = getattr(self, f"_{event['type']}", None)
        if tell is not None:
            yield from tell(event)

    def name(self, seat: int) -> str:
        """How a seat is called here."""
        return self._names[seat].ljust(self._width)

    def _match(self, event: Event) -> Iterator[str]:
        self._names = [f"{seat} {harmless(name, 24)}" for seat, name in enumerate(event["seats"])]
        self._width = max(map(len, self._names))
        options = ", ".join(f"{key} {value}" for key, value in event["options"].items() if value is not None)
        yield f"{event['game']} for {len(self._names)} seats" + (f" ({options})" if options else "")
        yield f"commitment {event['commitment']}"

    def _deal(self, event: Event) -> Iterator[str]:
        self._rows = [list(row) for row in event["rows"]]
        yield ""
        yield f"deal {event['deal']}"
        yield f"  rows  {rows_text(self._rows)}"
        if self._hands:
            for seat, hand in enumerate(event["hands"]):
                yield f"  {self.name(seat)}  holds {' '.join(map(str, hand))}"

    def _answers(self, event: Event) -> Iterator[str]:
        if event["kind"] == "card":
            yield f"  turn {event['turn']}"
        for seat, answer, us, by in zip(event["seats"], event["answers"], event["us"], event["by"], strict=True):
            source = f"{us / 1000:.2f} ms" if by == "bot" else "played by the referee"
            verb = "chooses row" if event["kind"] == "row" else "plays"
            yield f"    {self.name(seat)}  {verb} {answer}  ({source})"

    def _place(self, event: Event) -> Iterator[str]:
        for seat, card, row, heads in event["placed"]:
            if heads:
                taken = " ".join(map(str, self._rows[row - 1]))
                yield f"    {card:>3} takes row {row} ({taken}): {heads_text(heads)} for {self._names[seat]}"
                self._rows[row - 1] = [card]
            else:
                self._rows[row - 1].append(card)
        yield f"    rows  {rows_text(self._rows)}"

    def _deal_over(self, event: Event) -> Iterator[str]:
        for seat, (heads, score) in enumerate(zip(event["heads"], event["scores"], strict=True)):
            yield f"  {self.name(seat)}  {heads:>3} heads in this deal, {score:>3} in all"

    def _fault(self, event: Event) -> Iterator[str]:
        yield from fault_lines(self._names[event["seat"]], event)

    def _match_over(self, event: Event) -> Iterator[str]:
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
