"""Taking rows in games of four rows. What holds at every moment is in `soak`."""

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch
from tests.arena.games.rules.playing import RowGameType, every_game_of_four_rows, games, policies, seeds, steps

SEVERAL_ROW_DECISIONS = {"nifty", "hand"}
"""Games in which several cards of a turn may fit nowhere. (Elsewhere all that follow one are higher, and fit beside it.)"""

ANY_CARD = SEVERAL_ROW_DECISIONS | {"professional"}
"""Games in which it need not be the lowest card of the turn."""


@every_game_of_four_rows
@given(data=st.data())
def test_a_row_is_asked_for_where_a_card_fits_nowhere_and_only_once_a_turn_for_the_lowest(
    kind: RowGameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    played: list[tuple[int, int]] = []
    asked = 0
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        batch = done.after.pending
        for event in done.events:
            match event:
                case {"type": "play", "cards": cards}:
                    played = list(enumerate(cards))
                case {"type": "lay", "seat": seat, "card": card}:
                    played.append((seat, card))
                case {"type": "place"}:
                    played = [] if not done.after.queue else played
        asks = isinstance(batch, Batch) and batch.kind == "row"
        asked = (asked if done.after.turn == done.before.turn else 0) + asks
        if asks:
            assert batch.options == ((1, 2, 3, 4),)
            card, seat = done.after.queue[0]
            assert batch.seats == (seat,)
            if kind.id == "professional":
                assert all(row[0] < card < row[-1] for row in done.after.rows)
            else:
                assert all(card < row[-1] for row in done.after.rows)
            assert asked == 1 or kind.id in SEVERAL_ROW_DECISIONS
            if kind.id not in ANY_CARD:
                assert len(played) == game.seats, "all have played"
                assert card == min(card for _, card in played)
                assert sorted((card, seat) for seat, card in played) == sorted(done.after.queue), "none is placed"
        elif not done.dealt and kind.id not in ANY_CARD and "row" in [decision.kind for decision in kind.decisions]:
            complete = len(played) == game.seats and not asks
            assert not complete, "nobody was asked, so all cards are placed"
