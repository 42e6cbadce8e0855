"""The figures of the rulebook, held against games that are played."""

from bullring.arena.games.rules.figures import Figure, Listed, Span
from bullring.arena.games.rules.game import Shuffle
from bullring.arena.games.rules.registry import GAMES


def figures(game: str, *names: str) -> list[Figure]:
    found = GAMES[game].figures()
    return [found[name] for name in names]


def test_decks() -> None:
    assert figures("standard", "players", "cards", "copies") == [Span(2, 10), Span(1, 104), 1]
    assert figures("tactics", "each", "more", "some_players", "some_cards") == [10, 4, 4, Span(1, 44)]
    assert figures("open", "cards", "marker") == [Span(2, 104), 1]
    assert figures("double", "copies", "doublets_cards") == [2, Listed(tuple(range(11, 100, 11)))]
    assert figures("online", "players", "tactics_cards") == [4, Span(1, 44)]


def test_what_is_needed_is_the_deck() -> None:
    for game in ("tactics", "logic", "tournament"):
        each, more = figures(game, "each", "more")
        low, high = GAMES[game].seat_range
        for seats in range(low, high + 1):
            shuffle = GAMES[game](seats).new().pending
            assert isinstance(shuffle, Shuffle)
            assert isinstance(each, int)
            assert len(shuffle.deck) == each * seats + more  # type: ignore[operator]


def test_hands_and_turns() -> None:
    assert figures("standard", "hand", "turns", "target") == [10, 10, 66]
    assert figures("nifty", "hand", "pair", "turns") == [14, 2, 7]
    assert figures("hand", "hand", "most_in_hand", "most_in_pile", "last_turn", "deals") == [14, 16, 20, 100, 1]


def test_eleven() -> None:
    assert figures("eleven", "hand", "reach", "bulls", "bull_size", "turned") == [10, 10, 10, 3, 2]
    assert figures("eleven", "top", "fitting") == [96, Listed((97, 98, 99, 100, 1, 2, 3, 4, 5, 6))]
