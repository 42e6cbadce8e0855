"""Lists as people call them."""

from bullring.arena.games.rulebook.language import spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.registry import find
from bullring.ladder.store.rows import ListRow


def plain_title(list_: ListRow) -> str:
    """A list with the options that differ from their defaults: "6 nimmt!, four at a table"."""
    game = find(list_.game)
    usual = {spec.name: spec.default for spec in game.option_specs}
    seats = spoken().find(f"site.tables.{list_.seats}") or spoken().say("site.tables.more", seats=list_.seats)
    options = [_option(name, value) for name, value in list_.options.items() if value != usual.get(name)]
    duplicate = [spoken().say("site.duplicate")] if list_.duplicate else []
    return ", ".join([wording(game).title, seats, *options, *duplicate])


def _option(name: str, value: object) -> str:
    """An option that differs from its default; as it is written on a command line if there are no words for it."""
    key = f"site.options.{name}"
    return f"{name} {value}" if spoken().find(key) is None else spoken().say(key, value=value)
