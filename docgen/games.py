"""The parts of the documents about games. All text comes from the games, so a newly registered game is documented at once."""

from collections.abc import Callable, Mapping, Sequence
from inspect import cleandoc
from typing import Any

from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.events import Key, keys_of, type_of
from bullring.arena.games.rules.game import Game, Shuffle
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.registry import GAMES
from docgen.tables import json_text, table

_OF_THE_SEAT = {
    "seat": Key("integer", "Your seat."),
    "hand": Key("list of cards", "Your hand, ascending, without the cards you have already played."),
}
"""The keys of a view that differ from seat to seat, in all games."""


def games() -> str:
    """A table of all games."""
    rows = [
        (f"`{game.id}`", _range(*game.seat_range), _kinds(game.decisions), wording(game).say("summary"))
        for game in GAMES.values()
    ]
    return table(("game", "seats", "decisions", "in one sentence"), rows)


def rules() -> str:
    """The rules of each game, for authors of bots."""
    parts = []
    for game in GAMES.values():
        parts.append(f"### The rules of `{game.id}`\n\n{_names(game)}\n\n{wording(game).find('for_bots').strip()}")
    return "\n\n".join(parts)


def decisions() -> str:
    """A table of all kinds of decisions."""
    rows = [(f"`{one.kind}`", among(ids), one.asked, one.options) for one, ids in having(lambda game: game.decisions)]
    moves = {one.kind: None for game in GAMES.values() for one in game.decisions if one.begins_move}
    begin = _listed([f"`{kind}`" for kind in moves])
    told = f"{begin} begin a move; the other kinds continue it."
    return f"{table(('`kind`', 'in', 'who is asked', 'options'), rows)}\n\n{told}"


def fallbacks() -> str:
    """A table of the fallbacks: the referee's choice for a bot that gives no answer."""
    chosen = having(lambda game: [(one.kind, one.fallback) for one in game.decisions])
    rows = [(f"`{kind}`", among(ids), fallback) for (kind, fallback), ids in chosen]
    return table(("`kind`", "in", "the referee chooses"), rows)


def views() -> str:
    """A table of the keys of the view."""
    found = having(lambda game: [*keys_of(game.view_type).items(), *_OF_THE_SEAT.items()])
    own = [entry for entry in found if entry[0][0] not in _OF_THE_SEAT]
    common = [entry for entry in own if len(entry[1]) == len(GAMES)]
    several = [entry for entry in own if 1 < len(entry[1]) < len(GAMES)]
    single = [entry for entry in own if len(entry[1]) == 1 < len(GAMES)]
    last = [entry for entry in found if entry[0][0] in _OF_THE_SEAT]
    rows = [
        (f"`{name}`", among(ids), key.type, key.meaning) for (name, key), ids in (*common, *several, *single, *last)
    ]
    return table(("key", "in", "type", "meaning"), rows)


def events() -> str:
    """The types of events, each with a list of its keys."""
    types: dict[str, list[tuple[type, str]]] = {}
    for game in GAMES.values():
        for event in game.events:
            types.setdefault(type_of(event), []).append((event, game.id))
    parts = []
    for name, having in types.items():
        lines = [f"**`{name}`** ({among([id for _, id in having])}): {cleandoc(having[0][0].__doc__ or '')}\n"]
        keys: dict[tuple[str, Key], list[str]] = {}
        for event, id in having:
            for key in keys_of(event).items():
                keys.setdefault(key, []).append(id)
        for (one, doc), ids in keys.items():
            where = f" ({among(ids)})" if len(ids) < len(having) else ""
            lines.append(f"* `{one}`{where}, {doc.type}: {doc.meaning}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def courses() -> str:
    """A table of the sequence of events in a deal, by game."""
    return table(("game", "events"), [(among(ids), course) for course, ids in having(lambda game: [game.course])])


def options() -> str:
    """A table of the options of all games; an option shared by several games is listed once."""
    rows = [
        (f"`{spec.name}`", among(ids), _values(spec), f"`{json_text(spec.default)}`", _sentence(help))
        for (spec, help), ids in having(
            lambda game: [(spec, wording(game).option(spec.name)) for spec in game.option_specs]
        )
    ]
    return table(("option", "in", "values", "default", "meaning"), rows)


def decks() -> str:
    """A table of the decks and of the number of cards dealt."""
    rows = []
    for game in GAMES.values():
        seen = ""
        for given in _settings_of(game):
            deck = _by_seats(game, given, lambda shuffle: _ranges(shuffle.deck))
            cards = _by_seats(game, given, lambda shuffle: f"{shuffle.cards}")
            if deck + cards != seen:
                which = "".join(f", `{key}` {json_text(value)}" for key, value in given.items())
                rows.append((f"`{game.id}`{which}", deck, cards))
            seen = seen or deck + cards
    return table(("game", "deck, in the order before the shuffle", "cards dealt"), rows)


def having(declared: Callable[[type[Game[Any]]], Sequence[Any]]) -> list[tuple[Any, list[str]]]:
    """The things that games declare, each once, with the ids of the games that declare it."""
    found: dict[Any, list[str]] = {}
    for game in GAMES.values():
        for thing in declared(game):
            found.setdefault(thing, []).append(game.id)
    return list(found.items())


def among(ids: Sequence[str]) -> str:
    """The games in words, as short as possible: "all games", "all except" some, or a list."""
    others = [f"`{id}`" for id in GAMES if id not in ids]
    if not others:
        return "all games"
    if len(others) + 1 < len(ids):
        return f"all except {_listed(others)}"
    return ", ".join(f"`{id}`" for id in ids)


def _names(game: type[Game[Any]]) -> str:
    """The title of a game, its other ids, and the rulebook it is in."""
    others = ", ".join(f"`{alias}`" for alias in game.aliases)
    return f"{wording(game).title}{f' ({others})' if others else ''}. Source: {wording(game).say('source')}."


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _kinds(decisions: Sequence[Decision]) -> str:
    return ", ".join(f"`{decision.kind}`" for decision in decisions)


def _settings_of(game: type[Game[Any]]) -> list[dict[str, object]]:
    """The defaults, and each option by itself set to something else."""
    others: list[dict[str, object]] = [{}]
    for spec in game.option_specs:
        values: Sequence[object] = spec.choices if spec.choices else [not spec.default] if spec.type == "bool" else []
        others += [{spec.name: value} for value in values if value != spec.default]
    return others


def _by_seats(game: type[Game[Any]], given: Mapping[str, object], tell: Callable[[Shuffle], str]) -> str:
    """The result of `tell` for the first shuffle: one text if it is the same for all numbers of seats, else a formula in n."""
    low, high = game.seat_range
    told = []
    for seats in range(low, high + 1):
        shuffle = game(seats, given).new().pending
        assert isinstance(shuffle, Shuffle)
        told.append(tell(shuffle))
    if len(set(told)) == 1:
        return told[0]
    ends = [int(text.rpartition("..")[2]) for text in told if text.rpartition("..")[2].isdigit()]
    starts = {text.rpartition("..")[0] for text in told}
    if len(ends) == len(told) and len(starts) == 1:
        step = ends[1] - ends[0]
        base = ends[0] - step * low
        if ends == [step * seats + base for seats in range(low, high + 1)]:
            dots = ".." if starts != {""} else ""
            more = f"+{base}" if base else ""
            return f"{starts.pop()}{dots}{step}n{more} for n seats"
    return "; ".join(f"{text} for {seats}" for seats, text in enumerate(told, low))


def _ranges(cards: Sequence[int]) -> str:
    """Cards as runs: 1..104, 2..104, 1..10 1..10."""
    runs: list[list[int]] = []
    for card in cards:
        if runs and card == runs[-1][1] + 1:
            runs[-1][1] = card
        else:
            runs.append([card, card])
    return " ".join(f"{low}..{high}" if low != high else f"{low}" for low, high in runs)


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _values(spec: OptionSpec) -> str:
    values = " or ".join(f"`{choice}`" for choice in spec.choices) or spec.expected
    return values if spec.default is not None else f"{values.removesuffix(', or none')}, or `null`"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".") + "."
