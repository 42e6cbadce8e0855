"""The facts of a ladder for programs: files of JSON, as the command line prints it with `--json`."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bullring.arena.watching.tables.wish import Claim, Wish
from bullring.ladder.gauge.house_rating import with_house
from bullring.ladder.standings.columns import Row, facts_of
from bullring.ladder.standings.ratings import Ratings
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.standings.versions import versions
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import ListRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.export import match_facts
from bullring.ladder.watching.site.pages import KEPT, SHELF

MATCHES = 1000
"""The last matches of a list."""

OPENAPI = Path(__file__).with_name("openapi.json")

_OF_THIS_MACHINE = ("path", "source")
"""Facts of a bot that are nobody's business."""


def facts(home: Home, store: Store) -> Iterator[tuple[str, Any]]:
    """The files of `/api/`, and where matches are on the shelves of the site."""
    lists = store.lists(played=True)
    names = {row.id: row.name for row in store.bots()}
    yield "api/openapi.json", described()
    yield "api/bots.json", [_without(one, _OF_THIS_MACHINE) for one in versions(home, store)]
    yield "api/lists.json", [_about(store, list_) for list_ in lists]
    for list_ in lists:
        yield f"api/lists/{list_.id}.json", _table(home, store, list_)
        yield (
            f"api/matches/{list_.id}.json",
            [match_facts(row, names) for row in store.last_matches(list_.id, None, MATCHES)],
        )
    yield "places.json", {str(list_.id): _places(store, list_) for list_ in lists}


def described() -> dict[str, Any]:
    """The description of all addresses for programs."""
    bodies = {body.__name__: body.model_json_schema() for body in (Wish, Claim)}
    return {**json.loads(OPENAPI.read_text("utf-8")), "components": {"schemas": bodies}}


def write(folder: Path, name: str, value: Any) -> None:
    """Write a file whole, if it is not as it was."""
    path = folder / name
    data = json.dumps(value).encode()
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}")
    temporary.write_bytes(data)
    temporary.replace(path)


def _about(store: Store, list_: ListRow) -> dict[str, Any]:
    return {
        "list": list_.id,
        "title": list_.title,
        "name": plain_title(list_),
        "game": list_.game,
        "seats": list_.seats,
        "options": dict(list_.options),
        "matches": store.count(list_.id),
    }


def _table(home: Home, store: Store, list_: ListRow) -> dict[str, Any]:
    rows: Sequence[Row]
    kept = Ratings.shown(store, list_)
    if kept is None:
        anew = Standings(store, list_)
        rows, outlook = anew.rows(), anew.outlook()
    else:
        rows, outlook = kept.rows, kept.outlook
    return {"list": list_.title, "rows": facts_of(with_house(home, store, list_, rows)), **outlook.facts()}


def _places(store: Store, list_: ListRow) -> dict[str, Any]:
    ids = [brief.id for brief in store.briefs(list_.id)]
    first = max(0, len(ids) - KEPT) // SHELF * SHELF
    return {"first": first, "shelf": SHELF, "ids": ids[first:]}


def _without(facts: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if key not in keys}
