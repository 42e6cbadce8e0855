"""The golden matches show all there is."""

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.replay import Replay
from tests.arena.games.rules import golden


def test_the_golden_matches_show_every_kind_of_happening() -> None:
    told = "".join((golden.FOLDER / f"{name}.txt").read_text("utf-8") for name in golden.MATCHES)
    for words in ("chooses row", "takes row", "played by the referee", "heads in this deal", "deal 2", " 1. "):
        assert words in told


def test_every_game_has_a_golden_match_and_every_decision_occurs_in_one() -> None:
    made = {(kind, event) for name in golden.MATCHES for kind, event in happenings(name)}
    assert {name for name, _, _ in golden.MATCHES.values()} == GAMES.keys()
    for kind in GAMES.values():
        assert {decision.kind for decision in kind.decisions} <= {
            decision for game, decision in made if game == kind.id
        }


def test_in_a_golden_match_of_two_decks_two_seats_take_a_row_together() -> None:
    assert ("double", "shared") in happenings("double-208")


def happenings(name: str) -> set[tuple[str, str]]:
    """The game, with each kind of decision that is made in its golden match."""
    replay, found = Replay(), set()
    for entry in golden.entries(*golden.MATCHES[name], file=name):
        for event in replay.feed(entry).lines():
            if event["type"] == "answers":
                found.add((golden.MATCHES[name][0], event["kind"]))
            elif event["type"] == "place":
                shared = [(card, heads) for _, card, _, heads in event["placed"] if heads]
                if len(set(shared)) < len(shared):
                    found.add((golden.MATCHES[name][0], "shared"))
    return found
