"""How the bots of a list were confined, as it is told below the standings."""

from dataclasses import replace

from bullring.arena.games.rulebook.language import in_all
from bullring.arena.match.records.confinement import Confinement
from bullring.ladder.standings.conduct import Conduct, Conducts
from bullring.ladder.standings.confinements import Confinements
from bullring.ladder.store.packed_row import packed, unpacked
from bullring.ladder.store.store import Store
from tests.ladder.stored import match_of

WHOLE, LESS = Confinement("bwrap", ()), Confinement("bwrap", ("freezing", "clocks"))


def test_a_list_says_in_one_line_how_its_bots_were_confined() -> None:
    assert Confinements({}).said() == ""
    assert Confinements({WHOLE: 400}).said() == "All 400 matches: sandbox bwrap, every promise."
    assert Confinements({None: 1}).said() == "1 match: promises not recorded."
    mixed = Confinements({LESS: 12, WHOLE: 388})
    assert mixed.said() == (
        "388 of 400 matches: sandbox bwrap, every promise; 12 of 400 matches: sandbox bwrap, every promise but freezing and clocks."
    )
    assert in_all(mixed.said)["de"].startswith("388 von 400 Partien: Sandbox bwrap, jedes Versprechen; 12 von 400")
    assert mixed.facts()["matches"] == [
        {"sandbox": "bwrap", "lacks": ["freezing", "clocks"], "matches": 12},
        {"sandbox": "bwrap", "lacks": [], "matches": 388},
    ]


def test_each_match_counts_once_however_many_bots_it_has_and_sums_are_stored(store: Store) -> None:
    conducts = Conducts()
    for bots, confinement in (((1, 2, 3, 4), WHOLE), ((4, 3, 2, 1), WHOLE), ((1, 2), LESS), ((2, 1), None)):
        match = replace(match_of(store, bots), confinement=confinement)
        conducts.add(unpacked(packed(match)))
    assert conducts.confinements.counts == {WHOLE: 2, LESS: 1, None: 1}
    assert all(Conduct.parse(own.text()) == own for own in conducts.of.values())
