"""Cards handed in: the smallest and the largest deal there is, and drawing anew with the least and the most change."""

from collections import Counter

import pytest

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.variants.eleven import Eleven
from bullring.arena.games.rules.variants.standard import Standard
from tests.arena.games.rules.playing import (
    DRAFTS,
    GameType,
    Policy,
    RowGameType,
    every_game,
    every_game_of_four_rows,
    fallback,
    first,
    full_tables,
    last,
    steps,
)


@every_game
@pytest.mark.parametrize("policy", [first, last, fallback])
@pytest.mark.parametrize("end", ["smallest", "largest"])
def test_extreme_deals_are_played_to_their_end_also_by_a_bot_that_always_takes_the_first_option(
    kind: GameType, policy: Policy, end: str
) -> None:
    for game in full_tables(kind):
        match = list(
            steps(
                game,
                seed=0,
                policy=policy,
                deal=lambda shuffle, _: (shuffle.deck if end == "smallest" else shuffle.deck[::-1])[: shuffle.cards],
            )
        )
        assert match[-1].after.pending is None


def test_the_smallest_deal_gives_the_lowest_cards_to_the_first_seat_and_every_first_card_a_row() -> None:
    game = Standard(2, {"deals": 1})
    state, events = game.deal(game.new(), range(1, 25))
    assert state.hands == [list(range(1, 11)), list(range(11, 21))]
    assert state.rows == [[21], [22], [23], [24]]
    assert events == [{"type": "deal", "deal": 1, "rows": [[21], [22], [23], [24]]}]
    state, _ = game.apply(state, [10, 20])
    assert isinstance(state.pending, Batch)
    assert (state.pending.kind, state.pending.seats) == ("row", (0,))


def test_the_largest_deal_gives_the_highest_cards_to_the_first_seat_and_the_lowest_rows() -> None:
    game = Standard(10, {"deals": 1})
    state, _ = game.deal(game.new(), range(104, 0, -1))
    assert state.hands[0] == list(range(95, 105))
    assert state.rows == [[4], [3], [2], [1]]
    state, _ = game.apply(state, [hand[0] for hand in state.hands])
    assert state.rows[1:] == [[3], [2], [1]], "the highest end takes all"
    assert state.heads[0] > 0


@every_game_of_four_rows
def test_cards_that_are_drawn_anew_in_the_order_of_the_deck_go_to_the_other_hands_in_seat_order(
    kind: RowGameType,
) -> None:
    if kind.id in DRAFTS:
        return
    for game in full_tables(kind):
        dealt = next(iter(steps(game, seed=3))).after
        size = game.hand_size
        new = game.resample(dealt, 0, lambda cards: None)
        seen = Counter([*dealt.hands[0], *(card for row in dealt.rows for card in row)])
        unseen = sorted((Counter(game.deck()) - seen).elements())
        assert new.hands[0] == dealt.hands[0]
        assert [card for hand in new.hands[1:] for card in hand] == unseen[: size * (game.seats - 1)]
        most = game.resample(dealt, 0, lambda cards: cards.reverse())
        drawn = unseen[::-1]
        assert most.hands[1:] == [sorted(drawn[at : at + size]) for at in range(0, size * (game.seats - 1), size)]


def test_what_a_seat_of_eleven_cannot_see_is_drawn_anew_hands_first_and_then_the_cards_to_turn_up() -> None:
    game = Eleven(3)
    dealt = next(iter(steps(game, seed=3))).after
    new = game.resample(dealt, 1, lambda cards: None)
    unseen = [card for card in game.deck() if card not in (*dealt.hands[1], *dealt.stacks[0])]
    assert (new.hands[0], new.hands[2], new.draw) == (unseen[:10], unseen[10:20], unseen[20:])
