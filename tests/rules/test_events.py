"""Events alone tell the whole public story: a reader that sees nothing else has the same table."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.rules.game import Event
from tests.rules.oracle import heads
from tests.rules.playing import GameType, every_game_of_four_rows, games, policies, seeds, steps


class Reader:
    """The table as somebody sees it who only reads events."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.deal = self.turn = 0
        self.scores = [0] * seats
        self.over = False

    def read(self, event: Event) -> None:
        match event["type"]:
            case "deal":
                self.deal, self.turn = event["deal"], 1
                self.rows = [list(row) for row in event["rows"]]
                self.piles: list[list[int]] = [[] for _ in range(self.seats)]
                self.heads = [0] * self.seats
                self.played: dict[int, int] = {}
                self.over = False
            case "play":
                self.turn = event["turn"]
                self.played = {card: seat for seat, card in enumerate(event["cards"])}
            case "place":
                for seat, card, row, cost in event["placed"]:
                    self.place(seat, card, self.rows[row - 1], cost)
            case "deal_over":
                self.over = True
                assert event["deal"] == self.deal
                assert event["heads"] == self.heads
                assert event["scores"] == self.scores

    def place(self, seat: int, card: int, row: list[int], cost: int) -> None:
        assert self.played.pop(card) == seat
        assert cost == (0 if row and len(row) < 5 and row[-1] < card else sum(map(heads, row)))
        if cost:
            self.piles[seat] += row
            self.heads[seat] += cost
            self.scores[seat] += cost
            row.clear()
        row.append(card)

    def table(self) -> dict[str, Any]:
        return {
            "deal": self.deal,
            "rows": self.rows,
            "piles": self.piles,
            "heads": self.heads,
            "scores": self.scores,
            "played": sorted((seat, card) for card, seat in self.played.items()),
        }


@every_game_of_four_rows
@given(data=st.data())
def test_a_reader_of_the_events_has_the_same_table(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    reader = Reader(game.seats)
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        for event in done.events:
            reader.read(event)
        view = game.public(done.after)
        seen = {key: view[key] for key in reader.table()}
        assert seen | {"played": sorted(view["played"])} == reader.table()
        assert reader.over == (not any(done.after.hands) and not done.after.queue)
        if not reader.over:
            assert view["turn"] == reader.turn + (not reader.played and not done.dealt)
