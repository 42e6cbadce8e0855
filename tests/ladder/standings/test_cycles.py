"""Bots that beat each other in a circle, in a sentence wherever standings are shown."""

from contextlib import closing
from pathlib import Path

import pytest

from bullring.arena.games.rulebook.language import in_all
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.standings.cycles import Cycles
from bullring.ladder.standings.ratings import Ratings, Told
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.tables import live_notes, standings_notes
from tests.ladder.stored import match_of, played


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (Cycles([], 0), ""),
        (Cycles([("a", "b", "c")], 1), "a beats b, b beats c and c beats a: more than chance explains."),
        (
            Cycles([("a", "b", "c"), ("\x1b[2J", "e", "f")], 3),
            r"a beats b, b beats c and c beats a; \x1b[2J beats e, e beats f and f beats \x1b[2J; and 1 more cycle:"
            " more than chance explains.",
        ),
    ],
)
def test_cycles_are_said_in_a_sentence(found: Cycles, sentence: str) -> None:
    assert str(found) == found.facts()["text"] == sentence
    assert all(bool(said) == bool(sentence) for said in in_all(found.said).values())


@pytest.mark.parametrize("circle", [True, False])
def test_standings_say_that_bots_beat_each_other_in_a_circle(store: Store, circle: bool) -> None:
    """Bots 1, 2 and 3 beat the next one three times of four."""
    pairs = [(1, 2), (2, 3), (3, 1) if circle else (1, 3)] * 60
    played(
        store,
        *(
            match_of(store, pair, id=id, ranks=(2, 1) if id // 3 % 4 == 0 else (1, 2))
            for id, pair in enumerate(pairs, 1)
        ),
    )
    standings = Standings(store, store.lists()[0])
    names = [row.name for row in store.bots()]
    assert standings.cycles() == (Cycles([(names[0], names[1], names[2])], 1) if circle else Cycles([], 0))
    notes = " ".join(note.plain for note in standings_notes(standings.rows(), standings.outlook()))
    assert ("more than chance explains" in notes) == circle
    assert (standings.outlook().facts()["cycles"]["count"] == 1) == circle


def test_those_who_watch_a_run_are_told_what_is_decided_and_which_bots_beat_each_other_in_a_circle(
    tmp_path: Path,
) -> None:
    home = Home.create(tmp_path / "home", ["10s"])
    with closing(home.store()) as store:
        for name in "abc":
            store.add_bot(name, "a program")
        pairs = [(1, 2), (2, 3), (3, 1)] * 60
        ranks = [(2, 1) if at // 3 % 4 == 0 else (1, 2) for at in range(len(pairs))]
        played(store, *(match_of(store, pair, id=at, ranks=ranks[at - 1]) for at, pair in enumerate(pairs, 1)))
        rated = Rated(home, store, store.lists()[0])
        rated.tell()
        shown = Told.of(home, rated.list.id)
        assert shown is not None
        assert list(shown.rows) == list(rated.rows())
        decided, circle = (note.plain for note in live_notes(shown.rows, shown.outlook))
        assert decided.startswith("None of the 3 places is decided yet")
        assert circle == "a beats b, b beats c and c beats a: more than chance explains."
        assert Told.of(home, rated.list.id + 1) is None
        told = Ratings.of(Standings(store, store.lists()[0], live=True), final=False)
        assert Ratings.from_facts(told.facts()).verdicts == told.verdicts == rated.verdicts
