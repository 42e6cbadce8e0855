"""Which matches are worth a look, and what is told of them."""

from collections.abc import Sequence

from bullring.arena.games.rulebook.language import speaking
from bullring.ladder.store.store import Brief
from bullring.ladder.watching.site.stories import stories

NAMES = {1: "strong", 2: "weak", 3: "middling"}
RATINGS = {1: 1700.0, 2: 1300.0, 3: 1500.0}


def match_of(id: int, ranks: Sequence[int], heads: Sequence[int], *, counted: bool = True) -> Brief:
    """A match of the three."""
    return Brief(id, "2030-01-01T10:00:00", None if counted else "broken", counted, 1, "", (1, 2, 3), ranks, heads)


def told(*matches: Brief, faults: Sequence[int] = ()) -> dict[int, str]:
    """By match, its story."""
    found = stories(matches, NAMES, RATINGS, {(match, 2): ["timeout"] for match in faults})
    return {
        id: f"{story.kind}: {story.said()}".replace("\u2068", "").replace("\u2069", "") for id, story in found.items()
    }


def test_each_kind_is_found_and_told() -> None:
    found = told(
        match_of(1, (3, 1, 2), (20, 3, 10)),
        match_of(2, (1, 2, 3), (0, 30, 31)),
        match_of(3, (1, 1, 3), (7, 7, 8)),
        match_of(4, (1, 3, 2), (4, 66, 5)),
        faults=[4],
    )
    assert found == {
        1: "upset: weak wins against opponents rated 300 Elo higher",
        2: "biggest: strong wins by 30 heads",
        4: "highest: weak takes 66 heads",
        3: "closest: strong and weak win, and nobody is more than 1 head behind",
    }
    with speaking("de"):
        assert told(match_of(1, (3, 1, 2), (20, 3, 10)))[1] == (
            "upset: weak gewinnt, obwohl die Wertung der Gegner im Mittel 300 Elo höher ist"
        )


def test_what_is_nothing_special_is_no_story() -> None:
    ratings = {1: 1700.0, 2: 1650.0, 3: 1690.0}
    assert stories([match_of(1, (3, 1, 2), (20, 9, 12))], NAMES, ratings, {}) == {}


def test_what_does_not_count_is_no_story() -> None:
    assert told(match_of(1, (1, 2, 3), (0, 30, 66), counted=False), faults=[1]) == {}
