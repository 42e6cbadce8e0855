"""Readers of events: the table, rebuilt from nothing else. One small class for each kind of game."""

from typing import Any

from bullring.arena.games.rules.events import Event
from tests.arena.games.rules import oracle
from tests.arena.games.rules.oracle import heads
from tests.arena.games.rules.playing import AnyGame


class Reader:
    """The standard game, tactics, online."""

    hand_size = 10

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.seats = game.seats
        self.deals = self.turn = 0
        self.scores = [0] * self.seats
        self.over = False
        self.clear([])

    def clear(self, rows: list[list[int]]) -> None:
        self.rows = [list(row) for row in rows]
        self.piles: list[list[int]] = [[] for _ in range(self.seats)]
        self.heads = [0] * self.seats
        self.played: list[tuple[int, int]] = []

    def read(self, event: Event) -> None:
        facts = dict(event)
        getattr(self, f"on_{facts.pop('type')}")(**facts)

    def on_deal(self, deal: int, rows: list[list[int]]) -> None:
        assert deal == self.deals + 1
        self.deals, self.turn = deal, 1 if rows else 0
        self.over = False
        self.clear(rows)

    def on_play(self, turn: int, cards: list[int]) -> None:
        assert turn == self.turn
        assert not self.played
        self.played = list(enumerate(cards))

    def on_place(self, placed: list[tuple[int, int, int, int]]) -> None:
        assert placed
        for seat, card, row, cost in placed:
            self.played.remove((seat, card))
            self.place(seat, card, self.rows[row - 1], cost)
        if not self.played:
            self.turn += 1

    def place(self, seat: int, card: int, row: list[int], cost: int) -> None:
        total = sum(map(heads, row))
        assert cost == (0 if self.fits(card, row) else total)
        if cost:
            self.take(seat, row, cost)
            row.clear()
        self.put(card, row)

    def fits(self, card: int, row: list[int]) -> bool:
        return len(row) < 5 and row[-1] < card

    def put(self, card: int, row: list[int]) -> None:
        row.append(card)

    def take(self, seat: int, row: list[int], cost: int) -> None:
        self.piles[seat] += row
        self.heads[seat] += cost
        self.scores[seat] += cost

    def on_deal_over(self, deal: int, heads: list[int], scores: list[int]) -> None:
        assert (deal, heads, scores) == (self.deals, self.heads, self.scores)
        self.over = True
        self.turn -= 1

    def table(self) -> dict[str, Any]:
        return {
            "deal": self.deals,
            "turn": self.turn,
            "rows": self.rows,
            "row_heads": [sum(map(heads, row)) for row in self.rows],
            "piles": self.piles,
            "heads": self.heads,
            "scores": self.scores,
            "played": sorted(self.played),
        }


class ProfessionalReader(Reader):
    def fits(self, card: int, row: list[int]) -> bool:
        return len(row) < 5 and not row[0] < card < row[-1]

    def put(self, card: int, row: list[int]) -> None:
        row.append(card)
        row.sort()


class NiftyReader(Reader):
    def on_play(self, turn: int, cards: list[Any]) -> None:
        super().on_play(turn, [])
        self.played = [(seat, card) for seat, pair in enumerate(cards) for card in pair]


class OpenReader(Reader):
    first: int

    def on_deal(self, deal: int, rows: list[list[int]]) -> None:
        super().on_deal(deal, rows)
        if deal == 1 or self.game.options["reset_marker"]:
            self.first = self.game.start

    def on_lay(self, seat: int, card: int) -> None:
        assert seat == (self.first + len(self.played)) % self.seats
        self.played.append((seat, card))

    def on_place(self, placed: list[tuple[int, int, int, int]]) -> None:
        super().on_place(placed)
        if not self.played:
            self.first = (self.first + 1) % self.seats

    def table(self) -> dict[str, Any]:
        return super().table() | {"first": self.first}


class DraftReader(Reader):
    pool: list[int]
    hands: list[list[int]]

    def on_deal(self, deal: int, rows: list[list[int]]) -> None:
        super().on_deal(deal, rows)
        self.pool = list(range(1, 10 * self.seats + 5))
        self.hands = [[] for _ in range(self.seats)]

    def on_draft(self, seat: int, card: int) -> None:
        assert seat == (self.game.start + sum(map(len, self.hands))) % self.seats
        self.pool.remove(card)
        self.hands[seat] = sorted([*self.hands[seat], card])

    def on_rows(self, rows: list[list[int]]) -> None:
        assert rows == [[card] for card in self.pool]
        self.pool = []
        self.rows = [list(row) for row in rows]
        self.turn = 1

    def on_play(self, turn: int, cards: list[int]) -> None:
        super().on_play(turn, cards)
        for hand, card in zip(self.hands, cards, strict=True):
            hand.remove(card)

    def table(self) -> dict[str, Any]:
        return super().table() | {"pool": self.pool, "hands": self.hands}


class TournamentReader(DraftReader):
    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self.drafted: list[list[int]] = []
        self.beginnings: list[list[int]] = []
        self.sheet: list[list[int | None]] = [[None] * self.seats for _ in range(self.seats)]
        self.told = False

    def on_deal(self, deal: int, rows: list[list[int]]) -> None:
        super().on_deal(deal, rows)
        if deal > 1:
            assert rows == self.beginnings
            self.pool = []
            self.hands = [list(self.drafted[seat - deal + 1]) for seat in range(self.seats)]

    def on_rows(self, rows: list[list[int]]) -> None:
        super().on_rows(rows)
        self.drafted, self.beginnings = [list(hand) for hand in self.hands], rows

    def on_deal_over(self, deal: int, heads: list[int], scores: list[int]) -> None:
        super().on_deal_over(deal, heads, scores)
        for seat, cost in enumerate(heads):
            self.sheet[seat - deal + 1][seat] = cost

    def on_sheet(self, hands: list[list[int]], heads: list[list[int]]) -> None:
        assert self.over
        assert not self.told
        assert (hands, heads) == (self.drafted, self.sheet)
        self.told = True

    def table(self) -> dict[str, Any]:
        return super().table() | {"drafted": self.drafted, "sheet": self.sheet}


class DoubleReader(Reader):
    shared: list[tuple[int, int, list[int]]]

    def clear(self, rows: list[list[int]]) -> None:
        super().clear(rows)
        self.shared = []

    def on_place(self, placed: list[tuple[int, int, int, int]]) -> None:
        alone = []
        for at, (seat, card, row, cost) in enumerate(placed):
            twins = [entry for entry in placed if entry[1] == card]
            if len(twins) == 1:
                alone = [(seat, card, row, cost)]
            elif placed[at - 1] in twins and at:
                continue
            else:
                self.place_twins(twins)
                alone = []
            for entry in alone:
                super().on_place([entry])

    def place_twins(self, twins: list[tuple[int, int, int, int]]) -> None:
        (one, card, row, share), (other, _, same, equal) = twins
        assert (row, share) == (same, equal)
        cards = self.rows[row - 1]
        if share:
            assert share == -(-sum(map(heads, cards)) // 2)
            self.shared.append((one, other, list(cards)))
            cards.clear()
        for seat in (one, other):
            self.played.remove((seat, card))
            self.heads[seat] += share
            self.scores[seat] += share
            cards.append(card)
        if not self.played:
            self.turn += 1

    def fits(self, card: int, row: list[int]) -> bool:
        return row[-1] == card or (len(set(row)) < 5 and row[-1] < card)

    def table(self) -> dict[str, Any]:
        return super().table() | {"shared": self.shared}


class Known:
    """Public knowledge of the hands: their sizes, and the cards that were picked up."""

    def __init__(self, seats: int, size: int) -> None:
        self.sizes = [size] * seats
        self.cards: list[list[int]] = [[] for _ in range(seats)]

    def lay(self, seat: int, card: int) -> None:
        self.sizes[seat] -= 1
        self.cards[seat] = [other for other in self.cards[seat] if other != card]

    def pick_up(self, seat: int, cards: list[int]) -> None:
        self.sizes[seat] += len(cards)
        self.cards[seat] = sorted([*self.cards[seat], *cards])

    def table(self) -> dict[str, Any]:
        return {"hand_sizes": self.sizes, "known": self.cards}

    def check(self, hands: list[list[int]]) -> None:
        """The hands that are shown at the end of a deal."""
        assert [len(hand) for hand in hands] == self.sizes
        assert all(set(known) <= set(hand) for known, hand in zip(self.cards, hands, strict=True))


class HandReader(Reader):
    """No event says that a seat stops, so the turn is known only when the next card is laid."""

    taken: list[int]
    known: Known

    def clear(self, rows: list[list[int]]) -> None:
        super().clear(rows)
        self.taken = []
        self.known = Known(self.seats, 14)

    def on_lay(self, seat: int, card: int) -> None:
        self.known.lay(seat, card)
        self.played = [(seat, card)]

    def take(self, seat: int, row: list[int], cost: int) -> None:
        assert not self.taken
        self.taken = list(row)

    def on_keep(self, seat: int, cards: list[int], heads: int) -> None:
        assert set(cards) <= set(self.taken)
        self.known.pick_up(seat, cards)
        piled = [card for card in self.taken if card not in cards]
        assert heads == sum(map(oracle.heads, piled))
        self.piles[seat] += piled
        self.heads[seat] += heads
        self.taken = []

    def on_deal_over(self, deal: int, heads: list[int], scores: list[int], hands: Any = None) -> None:
        self.known.check(hands)
        for seat, hand in enumerate(hands):
            self.heads[seat] += 2 * sum(map(oracle.heads, hand))
            self.scores[seat] += self.heads[seat]
        super().on_deal_over(deal, heads, scores)

    def table(self) -> dict[str, Any]:
        table = super().table() | {"first": self.game.start, "taken": self.taken} | self.known.table()
        del table["turn"]
        return table


class ElevenReader:
    """11 nimmt!, in which there is another table."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.seats = game.seats
        self.deals = 0
        self.scores = [0] * self.seats
        self.over = False

    def read(self, event: Event) -> None:
        facts = dict(event)
        getattr(self, f"on_{facts.pop('type')}")(**facts)

    def on_deal(self, deal: int, first: int, stacks: list[list[int]]) -> None:
        assert deal == self.deals + 1
        self.deals, self.first, self.over = deal, first, False
        self.stacks = [list(stack) for stack in stacks]
        self.bulls = [0] * self.seats
        self.known = Known(self.seats, 10)
        self.draw = 100 - 10 * self.seats - 1
        self.mover, self.laid = first, list[tuple[int, int]]()

    def on_lay(self, seat: int, card: int, stack: int) -> None:
        self.move_on_to(seat)
        self.known.lay(seat, card)
        on_it = sum(number == stack for _, number in self.laid)
        cards = self.stacks[stack - 1]
        top = cards[len(cards) - on_it - 1]
        window = [1 + (top + at) % 100 for at in range(10)]
        assert card in window
        cards[len(cards) - on_it :] = [other for other in window if other in (*cards[len(cards) - on_it :], card)]
        self.laid.append((card, stack))

    def move_on_to(self, seat: int) -> None:
        """End the move of a seat that has laid a card once another seat moves."""
        if seat != self.mover:
            assert seat == (self.mover + 1) % self.seats
            self.mover, self.laid = seat, []

    def on_take(self, seat: int, stack: int, cards: list[int], turned: list[int]) -> None:
        self.move_on_to(seat)
        assert not self.laid
        assert self.stacks.pop(stack - 1) == cards
        assert len(turned) == min(2, self.draw)
        self.known.pick_up(seat, cards)
        self.stacks += [[card] for card in turned]
        self.draw -= len(turned)

    def on_bull(self, **event: int | None) -> None:
        seat, owner = event["seat"], event["from"]
        assert seat == self.mover
        self.bulls[seat] += 1
        if owner is None:
            assert sum(self.bulls) <= 10
        else:
            self.bulls[owner] -= 1

    def on_deal_over(self, deal: int, heads: list[int], scores: list[int], hands: list[list[int]]) -> None:
        self.known.check(hands)
        assert heads == [sum(map(oracle.eleven_heads, hand)) for hand in hands]
        self.scores = [before + now for before, now in zip(self.scores, heads, strict=True)]
        assert (deal, scores) == (self.deals, self.scores)
        self.over = True

    def table(self) -> dict[str, Any]:
        return {
            "deal": self.deals,
            "first": self.first,
            "stacks": self.stacks,
            "draw": self.draw,
            "bulls": self.bulls,
            "scores": self.scores,
        } | self.known.table()


READERS: dict[str, type[Reader] | type[ElevenReader]] = {
    "standard": Reader,
    "tactics": Reader,
    "online": Reader,
    "logic": DraftReader,
    "tournament": TournamentReader,
    "professional": ProfessionalReader,
    "open": OpenReader,
    "nifty": NiftyReader,
    "hand": HandReader,
    "double": DoubleReader,
    "eleven": ElevenReader,
}

UNTOLD = {"hand": {"turn", "second", "fresh"}, "eleven": {"turn", "laid"}}
"""Parts of the public view that events do not tell: that somebody stops, and so ends a turn, shows only in the next move."""
