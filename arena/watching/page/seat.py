"""Make the page at which a person sits: the live page of a match with the hand below it, one for all tables.

It knows no rules. Questions bring their options, what each number of an option names is a fact of the game (`Decision`), and how it
is said is in the texts; so a new game can be played in a browser by existing.
"""

from typing import Any

from bullring.arena.games.rulebook.language import in_all, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.page.page import filled, live_data, unknown


def seat_page(ladder: str | None = None, up: str = "../..") -> str:
    """The page of any seat, for a server, at `tables/KEY/sit`; `up` leads to the folder of the first page, that of a `ladder`.

    It takes public frames from the events of the table, as the live page does, and what only the seat may know by a WebSocket at
    `tables/KEY/seat`. The fragment of its address is the token of the seat, which it shows once, by POST, to its own address.
    """
    games = {id: {kind.kind: _decision(game, kind) for kind in game.decisions} for id, game in GAMES.items()}
    front = f"{up}/index.html"
    data = {**live_data(ladder, front), "words": seat_words(), "games": games, "up": up}
    return filled("seat.html", "seated", data, ("page", "seat"), front=front, **unknown(ladder))


def new_page(ladder: str | None = None) -> str:
    """The page on which a table is made, beside the first page of a `ladder`.

    It posts wishes to `tables`, and shows the links to the seats.
    """
    games = {id: _game(game) for id, game in GAMES.items()}
    levels = in_all(lambda: {f"level {name}": told for name, told in spoken().find("screens.start.levels").items()})
    words = {code: {**own, **levels[code]} for code, own in seat_words().items()}
    return filled(
        "new.html",
        "new",
        {"words": words, "games": games},
        ("page", "seat"),
        title="Bullring",
        ladder=ladder,
        front="index.html",
    )


def _game(game: type[Game[Any]]) -> dict[str, Any]:
    """What is told of a game before it is chosen."""
    return {
        "title": in_all(lambda: wording(game).title),
        "summary": in_all(lambda: wording(game).say("summary")),
        "seats": game.seat_range,
        "deals": any(spec.name == "deals" for spec in game.option_specs),
    }


def seat_words() -> dict[str, Any]:
    """The words of the page, by language: those of any match, and its own."""
    return in_all(lambda: {**spoken().topic("page"), **spoken().topic("seat")})


def _decision(game: type[Game[Any]], decision: Decision) -> dict[str, Any]:
    """What the page's program must know of a kind of decision."""
    return {
        "names": decision.names,
        "each": decision.each,
        "lays": decision.shows is not None,
        "asks": in_all(lambda: wording(game).asks(decision.kind)),
        "told": in_all(lambda: wording(game).find(f"decisions.{decision.kind}") or {}),
    }
