"""Games do as they declare: decisions, events, views, sentences, the cards on the table."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Part
from bullring.arena.games.rules.events import keys_of, type_of
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.stages import Stage
from tests.arena.games.rules.playing import GameType, every_game, games, policies, seeds, steps

ROOT = Path(__file__).parents[4]


def is_one(value: object, declared: Any) -> bool:
    """Whether a value is of a declared type; a `TypedDict` has all its keys, and no others."""
    if is_typeddict(declared):
        hints = hints_of(declared)
        assert isinstance(value, Mapping)
        return value.keys() == hints.keys() and all(is_one(value[key], hint) for key, hint in hints.items())
    origin, parts = get_origin(declared), get_args(declared)
    if origin is Literal:
        return value in parts
    if origin is UnionType:
        return any(is_one(value, part) for part in parts)
    if origin is list:
        return isinstance(value, list) and all(is_one(item, parts[0]) for item in value)
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(parts) and all(map(is_one, value, parts))
    return type(value) is declared


hints_of = cache(get_type_hints)


@every_game
@given(data=st.data())
def test_events_and_views_are_as_they_are_declared(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    events = {type_of(event): event for event in kind.events}
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        for event in done.events:
            assert is_one(event, events[event["type"]]), event
        assert is_one(game.public(done.after), kind.view_type)


@every_game
@given(data=st.data())
def test_what_happens_can_be_told_and_shown(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    before = None
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if before is not None:
            assert all(isinstance(stage, Stage) for stage in game.stages(before, done.events))
        assert all(isinstance(part, Part) for part in game.board(done.after))
        assert all(len(figures) == game.seats for figures in game.columns(done.after).values())
        batch = done.after.pending
        if isinstance(batch, Batch):
            decision = kind.decision(batch.kind)
            for options in batch.options:
                assert wording(kind).told(batch.kind, options[0])
                assert decision.shows is None or isinstance(decision.shows(options[-1]), str)
        before = done.after


@every_game
def test_everything_is_said_in_words(kind: GameType) -> None:
    assert kind.course
    assert wording(kind).find("for_bots").strip()
    for declared in (*kind.events, kind.view_type):
        assert declared.__doc__
        assert all(key.type and key.meaning.endswith(".") for key in keys_of(declared).values())
    for decision in kind.decisions:
        assert decision.fallback.endswith(".")
        for code in LANGUAGES:
            with speaking(code):
                told = wording(kind).find(f"decisions.{decision.kind}")
            assert told["asks"]
            assert told["waits"]
            assert told["purpose"]
            assert {
                "number",
                "list",
                *(word for word in decision.answers(kind(kind.seat_range[0])) if isinstance(word, str)),
            } & told.keys()


def test_every_ruling_that_is_cited_stands_in_the_list_with_its_source() -> None:
    listed = dict(
        re.findall(r"^\| (A\d\d) \|[^|]*\|([^|]*)\|", (ROOT / "docs" / "rulings.md").read_text("utf-8"), re.M)
    )
    cited = {
        ruling
        for folder in ("arena", "protocol", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".json")
        for ruling in re.findall(r"\bA[0-6]\d\b", path.read_text("utf-8"))
    }
    assert cited <= listed.keys()
    assert list(listed) == [f"A{number:02}" for number in range(1, 61)]
    assert all(source.strip() for source in listed.values())
