"""The reasons of games of four rows: the row that a card goes to, its room, and what may be placed before the card."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from bullring.arena.games.rules.outlook import Cards, Outlook
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.sayings import Count, Few, Heads
from bullring.arena.games.rules.table import ROW_LIMIT, Row, cheapest_row, target_row

WAITS = 3
"""The turns for which a card waits in its outlook, where there are as many."""

CLEARLY = 0.1
"""The least difference of two outlooks, in heads, that tells two cards apart."""


class Sight:
    """The cards that a seat sees which is asked for some, and those that it does not see."""

    def __init__(self, game: Any, view: Mapping[str, Any]) -> None:
        self.rows: list[Row] = [list(row) for row in view["rows"]]
        """The rows, which `lay` changes."""
        self.open = [card for seat, card in view["played"] if seat != view["seat"]]
        """The cards of others that wait to be placed."""
        self.own = [card for seat, card in view["played"] if seat == view["seat"]]
        """The cards of this seat that wait."""
        self.others: int = game.seats - 1 - len({seat for seat, _ in view["played"]} - {view["seat"]})
        """Other seats that may still play cards which are placed before those of this seat."""
        self.held = "hands" in view or game.shuffle.cards == len(game.shuffle.deck)
        """Whether the others hold all of `unseen`, because every card is in play."""
        if "hands" in view:
            hidden = Counter(card for seat, hand in enumerate(view["hands"]) if seat != view["seat"] for card in hand)
        else:
            shared = [cards for _, _, cards in view.get("shared", ())]
            played = [card for _, card in view["played"]]
            seen = (view["hand"], played, *view["rows"], *view["piles"], *shared)
            hidden = Counter(game.shuffle.deck) - Counter(card for cards in seen for card in cards)
        self.unseen = sorted(hidden.elements())
        """The cards that others may still play."""
        self.hand: Sequence[int] = view["hand"]
        self.placing = [card for _, card in view["played"]]
        """The open cards, in the order in which they are placed."""
        others = game.seats - 1
        self.stacks: Sequence[tuple[Sequence[int], int]] = (
            [(hand, 1) for seat, hand in enumerate(view["hands"]) if seat != view["seat"]]
            if "hands" in view
            else [(self.unseen, others)]
        )
        """Cards, and the number of the other seats that hold some of them."""
        self._heads: Sequence[int] = game.heads

    def heads(self, row: Row) -> int:
        """The heads of a row."""
        return sum([self._heads[card] for card in row])


class RowReasons(Reasons):
    """The reasons of the standard game. Other games override what differs."""

    def of(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> Iterator[Reason]:
        """Yield the facts about a card or a row."""
        if kind == "card":
            yield from self.card(Sight(game, view), option)
        elif kind == "row":
            yield self.cheapness(view["row_heads"], option)
            yield from self.leaves(Sight(game, view), option - 1)

    lowest_first = True
    """Whether the cards of a turn are placed from the lowest to the highest."""

    def apart(
        self, game: Any, view: Mapping[str, Any], kind: str, option: Any, better: Any
    ) -> tuple[Sequence[Reason], Sequence[Reason]]:
        """Add what the outlook says: for these cards now, for them later, or for the rest of the hand."""
        facts = super().apart(game, view, kind, option, better)
        dearer = kind == "row" and view["row_heads"][option - 1] > view["row_heads"][better - 1]
        told = None if dearer else self.told_apart(game, view, kind, option, better)
        return ([*facts[0][:2], told[0]], [*facts[1][:2], told[1]]) if told else facts

    def told_apart(
        self, game: Any, view: Mapping[str, Any], kind: str, option: Any, better: Any
    ) -> tuple[Reason, Reason] | None:
        """The outlook of two options, as far as it says that the one is better; None if it does not."""
        sight = Sight(game, view)
        pair = [self.cards(sight, kind, one) for one in (option, better)]
        if all(pair):
            waits = min(WAITS, len(sight.hand) // len(pair[0]) - 1)
            if sight.own:  # they are open already, and placed next
                sight.open, sight.others, waits = [], 0, 0
            outlook = self.outlook(sight)
            now = [outlook.taken(own) for own in pair]
            if now[0] - now[1] > CLEARLY:
                return Reason("now", {"now": now[0]}), Reason("now", {"now": now[1]})
            later = [outlook.taken(own, waits) for own in pair] if waits > 0 else now
            if (later[1] - now[1]) - (later[0] - now[0]) > CLEARLY:
                values = [{"waits": Few(waits), "now": now[at], "later": later[at]} for at in range(2)]
                return Reason("wait", values[0]), Reason("outlook", values[1])
        rest = [self.rest(game, view, kind, one) for one in (option, better)]
        if rest[0] - rest[1] > CLEARLY:
            return Reason("rest", {"rest": rest[0]}), Reason("rest", {"rest": rest[1]})
        return None

    def cards(self, sight: Sight, kind: str, option: Any) -> Cards:
        """The cards that an option plays, in the order in which they are placed; none if it plays none."""
        return (option,) if kind == "card" else ()

    def positions(self, row: Row) -> int:
        """The number of places of a row that are taken."""
        return len(row)

    def put(self, sight: Sight, rows: list[Row], at: int, card: int, *, takes: bool = False) -> int:
        """Put a card into a row. Returns the heads that are taken."""
        row = rows[at]
        longer = [card, *row] if card < row[0] else [*row, card]
        takes = takes or self.positions(longer) > ROW_LIMIT
        rows[at] = [card] if takes else longer
        return sight.heads(row) if takes else 0

    def place(self, sight: Sight, rows: list[Row], card: int) -> int:
        """Place a card; one that fits nowhere takes the cheapest row. Returns the heads that are taken."""
        targets = self.targets(rows, card)
        if targets:
            return self.put(sight, rows, targets[0], card)
        return self.put(sight, rows, cheapest_row([*map(sight.heads, rows)]), card, takes=True)

    def outlook(self, sight: Sight) -> Outlook:
        """What the others may play."""
        place = partial(self.place, sight)
        return Outlook(place, self.lowest_first, sight.rows, sight.open, sight.others, sight.stacks)

    def rest(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> float:
        """The mean heads that another card of the hand takes in the next turn, after this option; 0 if there is none."""
        sight = Sight(game, view)
        own = self.cards(sight, kind, option)
        if kind in ("row", "side"):
            first, *waiting = sight.placing
            self.put(sight, sight.rows, option - 1, first, takes=kind == "row")
            for card in waiting:
                self.place(sight, sight.rows, card)
            sight.open, sight.others = [], 0
        elif not own:
            return 0.0
        hand = [card for card in sight.hand if card not in own]
        return self.outlook(sight).next(own, hand) if hand else 0.0

    def targets(self, rows: Sequence[Row], card: int) -> Sequence[int]:
        """The indices of the rows where a card may go."""
        at = target_row(rows, card)
        return () if at < 0 else (at,)

    def card(self, sight: Sight, card: int) -> Iterator[Reason]:
        """Yield where a card would go now, and what may be placed before it."""
        targets = self.targets(sight.rows, card)
        if not targets:
            yield from self.nowhere(sight, card)
        for at in targets:
            yield self.room(sight, at)
        if len(targets) == 1:
            yield from self.before(sight, card, targets[0])

    def room(self, sight: Sight, at: int) -> Reason:
        """Whether a row has room."""
        row = sight.rows[at]
        room = ROW_LIMIT - self.positions(row)
        if room:
            return Reason("room", {"room": Few(room), "place": at + 1})
        return Reason("full", {"place": at + 1, "heads": Heads(sight.heads(row))})

    def before(self, sight: Sight, card: int, at: int) -> Iterator[Reason]:
        """Yield how many cards may come between the end of a row and a card."""
        end, room = sight.rows[at][-1], ROW_LIMIT - self.positions(sight.rows[at])
        between = sum(end < other < card for other in sight.unseen)
        if not sight.others:
            return
        if between:
            count = {"count": Few(between), "end": end, "card": card}
            yield Reason("between_held" if sight.held else "between", count)
            if room > sight.others:
                yield Reason("few", {"count": Few(sight.others)})
        else:
            yield Reason("neighbours" if card == end + 1 else "nothing_between", {"end": end, "card": card})

    def nowhere(self, sight: Sight, card: int) -> Iterator[Reason]:
        """Yield what a card takes that fits nowhere, and whether a lower one may go first."""
        yield Reason("low", {"card": card, "heads": Heads(min(map(sight.heads, sight.rows)))})
        lower = sum(other < card for other in sight.unseen)
        if sight.others and lower:
            yield Reason("lower_held" if sight.held else "lower", {"count": Few(lower)})

    def each(self, sight: Sight, card: int) -> Iterator[Reason]:
        """Yield where one of several cards would go now, and lay it."""
        targets = self.targets(sight.rows, card)
        if not targets:
            yield Reason("low", {"card": card, "heads": Heads(min(map(sight.heads, sight.rows)))})
        for at in targets:
            found = self.room(sight, at)
            yield Reason(f"{found.key}_each", {**found.values, "card": card})
        self.place(sight, sight.rows, card)

    def cheapness(self, row_heads: Sequence[int], number: int) -> Reason:
        """Whether a row that may be taken is the cheapest."""
        heads, least = row_heads[number - 1], min(row_heads)
        values = {"place": number, "heads": Heads(heads)}
        if heads == least:
            return Reason("cheapest", values)
        return Reason("dearer", {**values, "other": 1 + row_heads.index(least), "least": Heads(least)})

    def leaves(self, sight: Sight, at: int) -> Iterator[Reason]:
        """Yield which cards would no longer find a row that is taken: so rows that cost the same differ."""
        waiting, unseen = (
            [card for card in cards if at in self.targets(sight.rows, card)] for cards in (sight.open, sight.unseen)
        )
        row = sight.rows[at]
        yield Reason(
            "belong" if unseen else "none_belongs",
            {"count": Few(len(unseen)), "place": at + 1, "end": row[-1], "cards": Count(len(row))},
        )
        if waiting:
            yield Reason("belong_waiting", {"count": Few(len(waiting)), "cards": tuple(sorted(waiting))})
