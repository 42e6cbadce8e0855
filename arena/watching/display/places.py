"""The places of a finished match with the heads of each deal, for the people who have played it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rules.wording import text as wording
from bullring.arena.watching.display.blocks import Block

Facts = Mapping[str, Any]

NAME = 24
"""Most columns of a name."""

CELL = 4
"""Columns of the heads of a deal."""


def headline(facts: Facts, language: str) -> Text:
    """How it ended, in a line: for the one person who has played, or else for the winners."""
    words = LANGUAGES[language]
    if facts["void"]:
        return Text(words.of(VOID), "bold red")
    seats, names = facts["seats"], [harmless(name, 64) for name in facts["names"]]
    best = [names[seat["seat"]] for seat in seats if seat["rank"] == 1]
    heads = words.heads(min(seat["score"] for seat in seats if seat["rank"] == 1))
    if len(facts["people"]) == 1:
        own = seats[facts["people"][0]]
        if own["rank"] > 1:
            place, score = own["rank"], words.heads(own["score"])
            text = PLACE.en if language == "en" else PLACE.de
            return Text(text.format(place=place, count=len(seats), heads=score, winner=words.listed(best)), "bold")
    said = words.of(WON if len(best) == 1 else SHARED).format(names=words.listed(best), heads=heads)
    return Text(said, "bold green")


def placing(facts: Facts, width: int, language: str) -> Block:
    """The seats by place: name, the heads of the last deals that fit, and the total. People are marked."""
    words = LANGUAGES[language]
    seats = sorted(facts["seats"], key=lambda seat: (seat["rank"] or 0, seat["seat"]))
    names = [harmless(name, 64) for name in facts["names"]]
    wide = min(NAME, max(map(len, names)), max(8, width - 25))
    deals: Sequence[Sequence[int]] = facts["deals"]
    room = max(1, (width - wide - 21) // CELL)
    first = max(0, len(deals) - room) if len(deals) > 1 else len(deals)
    heads = [f"{number:>{CELL}}" for number in range(first + 1, len(deals) + 1)]
    before = f" {'…':>{CELL - 1}}" if first and heads else ""
    deal_title = words.of(DEAL) if heads else ""
    title = f"{'':5}{deal_title[:wide]:>{wide}}{before}{''.join(heads)}{words.of(TOTAL):>{10}}"

    def lines() -> Iterator[Text]:
        yield Text(title, "dim")
        for seat in seats:
            at = seat["seat"]
            rank = f"{seat['rank']}." if seat["rank"] else "-"
            row = "".join(f"{deal[at]:>{CELL}}" for deal in deals[first:]) if heads else ""
            gap = " " * len(before)
            person = "▸" if at in facts["people"] else " "
            text = f"{person}{rank:>3} {names[at][:wide]:<{wide}}{gap}{row}{seat['score']:>{10}}"
            style = "bold" if at in facts["people"] else ""
            yield Text(text, "green " + style if seat["rank"] == 1 else style)

    return Block(lines(), width)


VOID = wording.Text("The match does not count", "Die Partie zählt nicht")
PLACE = wording.Text(
    "Place {place} of {count} with {heads}; first: {winner}", "Platz {place} von {count}, {heads}; vorn: {winner}"
)
WON = wording.Text("{names} wins with {heads}", "{names} gewinnt: {heads}")
SHARED = wording.Text("{names} share the first place with {heads}", "{names} teilen sich den ersten Platz: {heads}")
DEAL = wording.Text("deal", "Durchgang")
TOTAL = wording.Text("in all", "gesamt")
