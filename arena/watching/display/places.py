"""The places of a finished match with the heads of each deal, for the people who have played it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rules.sayings import Heads
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
        return Text(words.say("screens.places.void"), "bold red")
    seats, names = facts["seats"], [harmless(name, 64) for name in facts["names"]]
    best = [names[seat["seat"]] for seat in seats if seat["rank"] == 1]
    heads = Heads(min(seat["score"] for seat in seats if seat["rank"] == 1))
    if len(facts["people"]) == 1:
        own = seats[facts["people"][0]]
        if own["rank"] > 1:
            values = {"place": own["rank"], "count": len(seats), "heads": Heads(own["score"])}
            return Text(words.say("screens.places.place", **values, winner=words.listed(best)), "bold")
    key = "screens.places.won" if len(best) == 1 else "screens.places.shared"
    return Text(words.say(key, names=words.listed(best), heads=heads), "bold green")


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
    deal_title = words.say("screens.places.deal") if heads else ""
    title = f"{'':5}{deal_title[:wide]:>{wide}}{before}{''.join(heads)}{words.say('screens.places.total'):>{10}}"

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
