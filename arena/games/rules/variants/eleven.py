"""11 nimmt!: cards go on stacks, at most ten higher than the top. Taking a stack costs nothing; cards left in hand do.

========== ==========================================================================================
seats      2-7
deck       1..100, shuffled for each deal: ten cards to each hand in seat order, one to begin the first stack, and the rest
           to be turned up one by one; plus ten bulls
decisions  play (lay a card on a stack, or take a stack), more (with bulls: lay another card, or "stop"), bull (whose bull to
           take, when none is left and several seats have the most)
options    deals: by default one for each seat (A51)
end        of a deal: when a hand is empty, or when the mover can neither lay nor take; of the match: after the deals; ties
           share the place. Every take removes a stack, and the deck runs out of new ones, so every deal ends.
scoring    heads of the cards in hand; no rulebook prints the heads, see `arena.games.rules.cards`
source     11 nimmt! rulebook (Italian translation)
rulings    A49 (two new stacks), A50 (a bull for three cards), A51, A53, A54 (several cards: all within ten of the old top, laid
           in circular order), A55 (no bull left), A56 (deck runs out), A57 (taking is allowed even if a card fits),
           A58 (the seat with the highest total begins the next deal), A59; stacks are open, and so are cards taken from them
========== ==========================================================================================
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Self, TypedDict

from bullring.arena.games.rules.board import Board, OpenHands, Stacks
from bullring.arena.games.rules.cards import ELEVEN_HEADS, ELEVEN_HIGHEST
from bullring.arena.games.rules.decision import Decision, cards_of
from bullring.arena.games.rules.errors import IllegalAnswer
from bullring.arena.games.rules.events import Event, HandsOver, Key
from bullring.arena.games.rules.figures import Figure, Listed
from bullring.arena.games.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.games.rules.hands import lay_down, pick_up, redraw, unseen
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn, emptied, outcome, stacks_of
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.sayings import Count, Few, Heads, Seat, Value
from bullring.arena.games.rules.stages import Changed, DealOver, Falls, Laid, Opened, Stage, Took, Turned

HAND = 10
BULLS = 10
REACH = 10
"""The largest difference of a card to the top; 1 follows 100."""
BULL_SIZE = 3
"""Cards in a taken stack that earn a bull."""
PRINTED_DEALS = 3
"""Deals of a match according to the rulebook (A51)."""
TURNED = 2
"""Cards turned up after a stack is taken (A49)."""


def most_stacks(game: Any) -> int:
    """The most stacks there can be: each take removes one and turns up two, as long as the deck lasts."""
    return 1 + (ELEVEN_HIGHEST - 1 - HAND * int(game.seats)) // TURNED


Lay = tuple[int, int]
"""A card and the number (from 1) of the stack it is laid on."""


def step(top: int, card: int) -> int:
    """The difference of a card to `top`, around the circle: 1..99, or 0 if they are equal."""
    return (card - top) % ELEVEN_HIGHEST


FITTING = tuple(
    [
        frozenset([card for card in range(1, ELEVEN_HIGHEST + 1) if 1 <= step(top, card) <= REACH])
        for top in range(ELEVEN_HIGHEST + 1)
    ]
)
"""The cards that may be laid on a stack, by its top card (1..100)."""


_NEAREST = (
    "The card that exceeds the top it is laid on (as of before the move) by the least; on a tie, the lowest card, and then the"
    " first stack"
)
PLAY = Decision(
    "play",
    "one seat after the other",
    "[card, stack] to lay that card on that stack; a number to take that stack",
    f"{_NEAREST}. If no card can be laid, the stack with the fewest heads; on a tie, the first.",
    begins_move=True,
    shows=lambda answer: str(answer[0]) if isinstance(answer, tuple | list) else "",
    answers=lambda game: range(1, most_stacks(game) + 1),
    parts=cards_of,
    names="stack",
    each=("card", "stack"),
)
MORE = Decision(
    "more",
    "a seat that has just laid a card and may lay another",
    '`"stop"`, or [card, stack]',
    f'{_NEAREST}. Never `"stop"`.',
    shows=lambda answer: str(answer[0]) if answer != "stop" else "",
    answers=lambda game: ("stop",),
    parts=cards_of,
    each=("card", "stack"),
)
BULL = Decision(
    "bull",
    "a seat that gets a bull when none is left",
    "the seats it may come from",
    "The first seat in the list.",
    answers=lambda game: range(game.seats),
    names="seat",
)


class StacksDeal(TypedDict):
    """A deal begins."""

    type: Literal["deal"]
    deal: Annotated[int, Key("integer", "The number of the deal.")]
    first: Annotated[int, Key("integer", "The seat that begins.")]
    stacks: Annotated[list[list[int]], Key("list of lists of cards", "A list with the first stack.")]


class LayOnStack(TypedDict):
    """A seat plays one open card."""

    type: Literal["lay"]
    seat: Annotated[int, Key("integer", "The seat that plays it.")]
    card: Annotated[int, Key("card", "The card.")]
    stack: Annotated[int, Key("integer", "The number of the stack it is laid on.")]


class Take(TypedDict):
    """A seat takes a stack."""

    type: Literal["take"]
    seat: Annotated[int, Key("integer", "The seat that takes it.")]
    stack: Annotated[int, Key("integer", "The number of the stack.")]
    cards: Annotated[list[int], Key("list of cards", "Its cards, from bottom to top.")]
    turned: Annotated[list[int], Key("list of cards", "The cards turned up to begin new stacks, in order.")]


GetBull = TypedDict(
    "GetBull",
    {
        "type": Literal["bull"],
        "seat": Annotated[int, Key("integer", "The seat that gets it.")],
        "from": Annotated[
            int | None, Key("integer or null", "The seat it comes from, or `null` if it comes from the supply.")
        ],
    },
)
GetBull.__doc__ = "A seat gets a bull."


class ElevenView(TypedDict):
    """The public view of 11 nimmt!"""

    deal: Annotated[int, Key("integer", "The number of the deal.")]
    turn: Annotated[int, Key("integer", "The number of the turn in this deal.")]
    first: Annotated[int, Key("seat", "The seat that plays first in this turn.")]
    stacks: Annotated[list[list[int]], Key("lists of cards", "The stacks from number 1 on, each from bottom to top.")]
    laid: Annotated[list[Lay], Key("list of [card, stack]", "The cards laid in this move so far.")]
    draw: Annotated[int, Key("integer", "The number of cards left to turn up.")]
    bulls: Annotated[list[int], Key("by seat, integers", "The number of bulls each seat has.")]
    hand_sizes: Annotated[list[int], Key("by seat, integers", "The number of cards each seat holds.")]
    known: Annotated[
        list[list[int]],
        Key(
            "by seat, lists of cards", "The cards in each hand that are publicly known because they were taken openly."
        ),
    ]
    scores: Annotated[list[int], Key("by seat, integers", "Each seat's total heads from the previous deals.")]


@dataclass(slots=True)
class ElevenState:
    """A position of 11 nimmt!"""

    pending: Batch | Shuffle | None
    deal: int
    turn: int
    scores: list[int]
    hands: list[list[int]]
    """By seat, ascending."""
    known: list[list[int]]
    """By seat, the cards of its hand that are publicly known because they were taken with a stack."""
    bulls: list[int]
    """By seat."""
    first: int = 0
    """The seat that plays first in each turn of this deal."""
    mover: int = 0
    """The seat that is to move."""
    stacks: list[list[int]] = field(default_factory=list)
    """Each from bottom to top."""
    draw: list[int] = field(default_factory=list)
    """The cards left to turn up, the next one last."""
    laid: list[Lay] = field(default_factory=list)
    """The cards the mover has laid in this move."""

    def copy(self) -> Self:
        return self.__class__(
            self.pending,
            self.deal,
            self.turn,
            self.scores.copy(),
            [hand.copy() for hand in self.hands],
            [cards.copy() for cards in self.known],
            self.bulls.copy(),
            self.first,
            self.mover,
            [stack.copy() for stack in self.stacks],
            self.draw.copy(),
            self.laid.copy(),
        )


class ElevenLessons(Lessons):
    """Stacks within ten, and bulls."""

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Yield lessons about cards laid, or a stack taken."""
        lays = [(seen.stage, seen.before) for seen in turn.stages if isinstance(seen.stage, Laid)]
        took = next((seen.stage for seen in turn.stages if isinstance(seen.stage, Took)), None)
        if took is not None:
            yield from self._took(turn, took)
        elif lays:
            before = stacks_of(lays[0][1])
            yield from self._laid([(lay, before[lay.place - 1][-1]) for lay, _ in lays])

    def _laid(self, lays: list[tuple[Laid, int]]) -> Iterator[Lesson]:
        """Yield lessons about cards laid in one move, each with the top before the move."""
        for lay, top in lays:
            values: dict[str, Value] = {"name": Seat(lay.seat), "card": lay.card, "place": lay.place, "top": top}
            values["step"] = step(top, lay.card)
            yield Lesson("around", 72, values) if lay.card < top else Lesson("lay", 40, values)
        if len(lays) > 1:
            cards = tuple(lay.card for lay, _ in lays)
            several = {**values, "cards": cards, "highest": max(cards, key=lambda card: step(top, card))}
            same = len({lay.place for lay, _ in lays}) == 1
            yield Lesson("same", 80, several) if same else Lesson("several", 78, several)

    def _took(self, turn: Turn, took: Took) -> Iterator[Lesson]:
        turned = next((seen.stage.cards for seen in turn.stages if isinstance(seen.stage, Turned)), ())
        bull = next((seen.stage for seen in turn.stages if isinstance(seen.stage, Changed)), None)
        count = len(took.cards)
        values: dict[str, Value] = {
            "name": Seat(took.seat),
            "place": took.place,
            "count": Count(count),
            "cards": turned,
        }
        yield Lesson("take", 60, values, ("take_no_more", "take_last", "take")[len(turned)])
        if bull is not None and len(bull.seats) == 2:
            yield Lesson("bull_from", 85, {**values, "other": Seat(bull.seats[1])})
        elif bull is not None:
            yield Lesson("bull", 76, values)
        elif count >= BULL_SIZE:
            yield Lesson("no_bull", 82, values)
        else:
            yield Lesson("too_few", 58, values)

    def begins(self, turn: Turn, after: DealOver | None) -> Iterator[Lesson]:
        """Yield how the first stack begins."""
        stacks = stacks_of(turn.board)
        if stacks:
            yield Lesson("begins", 20, {"card": stacks[0][0]}, once=True)

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """Yield that a hand is empty, or that there is nothing to lay on or to take."""
        empty = emptied(over)
        text = f"ends_{'empty' if empty else 'stuck'}{'_last' if turn.over else ''}"
        yield Lesson("ends", 60, {"names": empty, **outcome(over)}, text)


class ElevenReasons(Reasons):
    """Cards leave the hand, or a stack comes into it."""

    def of(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> Iterator[Reason]:
        """Yield the distance of a card to the top and the heads that it rids the hand of, or what a stack brings."""
        if isinstance(option, int) and kind == "play":
            cards = view["stacks"][option - 1]
            heads = Heads(sum(game.heads[card] for card in cards))
            yield Reason("take", {"count": Few(len(cards)), "heads": heads})
            if len(cards) >= BULL_SIZE:
                yield Reason("bull", {})
        elif not isinstance(option, int | str):
            card, number = option
            above = sum(on == number for _, on in view["laid"])
            top = view["stacks"][number - 1][-1 - above]
            yield Reason("lay", {"card": card, "step": Few(step(top, card)), "top": top})
            yield Reason("rid", {"heads": Heads(game.heads[card])})
        if kind in ("play", "more"):
            yield self._left(view, option)

    def _left(self, view: Mapping[str, Any], option: Any) -> Reason:
        """How many cards of the hand fit on the stacks that are there then."""
        hand, tops = list(view["hand"]), {at: stack[-1] for at, stack in enumerate(view["stacks"], 1)}
        if isinstance(option, int):
            del tops[option]
            hand += view["stacks"][option - 1]
        elif option != "stop":
            card, number = option
            tops[number] = card
            hand.remove(card)
        return Reason("left", {"count": Few(sum(any(card in FITTING[top] for top in tops.values()) for card in hand))})


class Eleven(Game[ElevenState]):
    """11 nimmt!, the sister game: get rid of your hand."""

    id: ClassVar[str] = "eleven"
    aliases: ClassVar[tuple[str, ...]] = ("11-nimmt",)
    seat_range: ClassVar[tuple[int, int]] = (2, 7)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        OptionSpec(
            "deals",
            None,
            maximum=1000,
        ),
    )
    lessons: ClassVar[Lessons] = ElevenLessons()
    reasons: ClassVar[Reasons] = ElevenReasons()

    heads: ClassVar[Sequence[int]] = ELEVEN_HEADS
    decisions: ClassVar[tuple[Decision, ...]] = (PLAY, MORE, BULL)
    events: ClassVar[tuple[type, ...]] = (StacksDeal, LayOnStack, Take, GetBull, HandsOver)
    view_type: ClassVar[type] = ElevenView
    course: ClassVar[str] = "for each move, `lay` for each card, or `take` and perhaps `bull`"

    def deck(self) -> tuple[int, ...]:
        return tuple(range(1, ELEVEN_HIGHEST + 1))

    def dealt(self) -> int:
        """All of them: the cards not dealt to the hands are turned up later."""
        return ELEVEN_HIGHEST

    def new(self) -> ElevenState:
        nothing: list[list[int]] = [[] for _ in range(self.seats)]
        return ElevenState(self.shuffle, 0, 0, [0] * self.seats, nothing, nothing.copy(), [0] * self.seats)

    def begin(self, state: ElevenState, cards: Sequence[int]) -> list[Event]:
        """Deal the hands in seat order, the first stack, then the cards to turn up."""
        end = HAND * self.seats
        state.hands = [sorted(cards[at : at + HAND]) for at in range(0, end, HAND)]
        state.known = [[] for _ in state.hands]
        state.bulls = [0] * self.seats
        state.stacks = [[cards[end]]]
        state.draw = list(cards[:end:-1])
        state.first = state.mover = self._beginner(state)
        state.laid = []
        state.deal += 1
        state.turn = 1
        stacks = [state.stacks[0].copy()]
        event: StacksDeal = {"type": "deal", "deal": state.deal, "first": state.first, "stacks": stacks}
        events: list[Event] = [event]
        self._ask(state, events)
        return events

    def _beginner(self, state: ElevenState) -> int:
        """The starting seat; in later deals the seat with the highest total, on a tie the first clockwise from the
        previous beginner (A58)."""
        if state.deal == 0:
            return self.start
        clockwise = [(state.first + at) % self.seats for at in range(self.seats)]
        return max(clockwise, key=lambda seat: state.scores[seat])

    def _ask(self, state: ElevenState, events: list[Event]) -> None:
        """Ask the mover, or end the deal if it has no legal move (A56)."""
        options: tuple[Option, ...] = (*self._lays(state), *range(1, len(state.stacks) + 1))
        if options:
            state.pending = Batch("play", (state.mover,), (options,))
        else:
            self._end_deal(state, events)

    def _lays(self, state: ElevenState) -> list[Lay]:
        """All lays open to the mover: cards within reach of a stack's top as of before this move (A53)."""
        used = sorted({stack for _, stack in state.laid})
        stacks = used if len(used) == max(1, state.bulls[state.mover]) else range(1, len(state.stacks) + 1)
        fitting = [(number, FITTING[self._old_top(state, number)]) for number in stacks]
        return [(card, number) for card in state.hands[state.mover] for number, fit in fitting if card in fit]

    def _old_top(self, state: ElevenState, number: int) -> int:
        """The top of a stack as of before this move."""
        above = sum([on == number for _, on in state.laid]) if state.laid else 0
        return state.stacks[number - 1][-1 - above]

    def on_play(self, state: ElevenState, answer: int | Lay) -> list[Event]:
        """Lay a card, or take a stack."""
        return self._take(state, answer) if isinstance(answer, int) else self._lay(state, answer)

    def on_more(self, state: ElevenState, answer: str | Lay) -> list[Event]:
        """Lay another card, or end the move."""
        if isinstance(answer, tuple):
            return self._lay(state, answer)
        events: list[Event] = []
        self._next(state, events)
        return events

    def _lay(self, state: ElevenState, answer: Lay) -> list[Event]:
        card, number = answer
        seat, stack = state.mover, state.stacks[number - 1]
        lay_down(state.hands[seat], state.known[seat], card)
        top = self._old_top(state, number)
        above = stack.index(top) + 1
        stack[above:] = sorted([*stack[above:], card], key=lambda other: step(top, other))  # A54
        state.laid.append(answer)
        event: LayOnStack = {"type": "lay", "seat": seat, "card": card, "stack": number}
        events: list[Event] = [event]
        if not state.hands[seat]:
            self._end_deal(state, events)
        elif state.bulls[seat] and (lays := self._lays(state)):
            state.pending = Batch("more", (seat,), (("stop", *lays),))
        else:
            self._next(state, events)
        return events

    def _take(self, state: ElevenState, number: int) -> list[Event]:
        seat = state.mover
        cards = state.stacks.pop(number - 1)
        pick_up(state.hands[seat], state.known[seat], cards)
        turned = [state.draw.pop() for _ in range(min(TURNED, len(state.draw)))]  # A56
        state.stacks += [[card] for card in turned]
        event: Take = {"type": "take", "seat": seat, "stack": number, "cards": cards, "turned": turned}
        events: list[Event] = [event]
        if len(cards) < BULL_SIZE:
            self._next(state, events)
        elif sum(state.bulls) < BULLS:
            self._give_bull(state, events, None)
        else:
            most = max(state.bulls)
            owners = tuple([other for other, bulls in enumerate(state.bulls) if bulls == most and other != seat])
            if len(owners) > 1:
                state.pending = Batch("bull", (seat,), (owners,))
            elif owners:
                self._give_bull(state, events, owners[0])
            else:  # the taker alone has the most, so it gets none (A55)
                self._next(state, events)
        return events

    def on_bull(self, state: ElevenState, owner: int) -> list[Event]:
        """Take the bull from seat `owner`."""
        events: list[Event] = []
        self._give_bull(state, events, owner)
        return events

    def _give_bull(self, state: ElevenState, events: list[Event], owner: int | None) -> None:
        """Give the mover a bull from `owner`, or from the supply if that is None."""
        state.bulls[state.mover] += 1
        if owner is not None:
            state.bulls[owner] -= 1
        event: GetBull = {"type": "bull", "seat": state.mover, "from": owner}
        events.append(event)
        self._next(state, events)

    def _next(self, state: ElevenState, events: list[Event]) -> None:
        state.laid = []
        state.mover = (state.mover + 1) % self.seats
        state.turn += state.mover == state.first
        self._ask(state, events)

    def _end_deal(self, state: ElevenState, events: list[Event]) -> None:
        heads = [sum([ELEVEN_HEADS[card] for card in hand]) for hand in state.hands]
        state.scores = [score + more for score, more in zip(state.scores, heads, strict=True)]
        state.pending = None if state.deal == self.planned_deals() else self.shuffle
        hands = [hand.copy() for hand in state.hands]
        scores = state.scores.copy()
        event: HandsOver = {"type": "deal_over", "deal": state.deal, "heads": heads, "scores": scores, "hands": hands}
        events.append(event)

    def public(self, state: ElevenState) -> ElevenView:
        """The stacks, the bulls, and the known cards of the hands."""
        return {
            "deal": state.deal,
            "turn": state.turn,
            "first": state.first,
            "stacks": state.stacks,
            "laid": state.laid,
            "draw": len(state.draw),
            "bulls": state.bulls,
            "hand_sizes": [len(hand) for hand in state.hands],
            "known": state.known,
            "scores": state.scores,
        }

    def hand(self, state: ElevenState, seat: int) -> Sequence[int]:
        """The seat's hand, ascending."""
        return state.hands[seat]

    def fallback(self, state: ElevenState, index: int) -> Option:
        """The card nearest above a top, on a tie the lowest; if none fits, the stack with the fewest heads, on a tie the first.

        In `more` it lays a card rather than stop. A bull comes from the first seat with the most.
        """
        batch = state.pending
        if not isinstance(batch, Batch):
            raise IllegalAnswer("no decision is pending")
        options = batch.options[index]
        lays = [option for option in options if isinstance(option, tuple)]
        if lays:
            return min(lays, key=lambda lay: step(self._old_top(state, lay[1]), lay[0]))
        if batch.kind == "play":
            stacks = [sum([ELEVEN_HEADS[card] for card in stack]) for stack in state.stacks]
            return 1 + stacks.index(min(stacks))
        return options[0]

    def resample(self, state: ElevenState, seat: int, shuffle: Callable[[list[int]], None]) -> ElevenState:
        """Redraw the cards of other hands that `seat` does not know, and the cards left to turn up."""
        new = state.copy()
        if not isinstance(state.pending, Batch):
            return new
        others = [cards for other, cards in enumerate(new.known) if other != seat]
        seen = [card for cards in (new.hands[seat], *others, *new.stacks) for card in cards]
        new.draw = redraw(new.hands, new.known, seat, unseen(self.shuffle.deck, seen), shuffle)
        options: tuple[Option, ...]
        if state.pending.kind == "play":
            options = (*self._lays(new), *range(1, len(new.stacks) + 1))
            new.pending = Batch("play", (new.mover,), (options,))
        elif state.pending.kind == "more":
            options = ("stop", *self._lays(new))
            new.pending = Batch("more", (new.mover,), (options,))
        return new

    def board(self, state: ElevenState) -> Board:
        """The stacks, and the known cards of the hands."""
        known = [OpenHands("known in hand:", [cards.copy() for cards in state.known])] if any(state.known) else []
        return (Stacks([stack.copy() for stack in state.stacks], len(state.draw)), *known)

    def columns(self, state: ElevenState) -> Mapping[str, Sequence[int]]:
        """Hand sizes and bulls."""
        return {"hand": [len(hand) for hand in state.hands], "bulls": state.bulls}

    def stages(self, before: ElevenState, events: Sequence[Event]) -> Iterator[Stage]:
        """Cards laid, stacks taken and turned up."""
        for event in events:
            match event["type"]:
                case "deal":
                    yield Opened()
                case "lay":
                    yield Laid(event["seat"], event["card"], event["stack"])
                case "take":
                    number, cards = event["stack"], tuple(event["cards"])
                    stacks = [stack.copy() for stack in before.stacks]
                    _, *others = self.board(before)
                    yield Falls(event["seat"], None, number, board=self.board(before))
                    del stacks[number - 1]
                    left = Stacks([stack.copy() for stack in stacks], len(before.draw))
                    yield Took(event["seat"], None, number, cards, 0, counts=False, board=(left, *others))
                    if event["turned"]:
                        yield Turned(tuple(event["turned"]))
                case "bull" if event["from"] is None:
                    yield Changed("bull", (event["seat"],))
                case "bull":
                    yield Changed("bull_from", (event["seat"], event["from"]))
                case _:
                    yield self.ending(event) or Changed()

    def planned_deals(self) -> int | None:
        """One deal for each seat, unless the option `deals` is set (A51)."""
        deals = self.options["deals"]
        return deals if isinstance(deals, int) else self.seats

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """Add the numbers of the game, and an example of cards that fit where the circle closes."""
        top = ELEVEN_HIGHEST - 4
        fitting = sorted(FITTING[top], key=lambda card: step(top, card))
        return {
            **super().figures(),
            "hand": HAND,
            "bulls": BULLS,
            "reach": REACH,
            "bull_size": BULL_SIZE,
            "turned": TURNED,
            "printed_deals": PRINTED_DEALS,
            "highest": ELEVEN_HIGHEST,
            "lowest": 1,
            "top": top,
            "fitting": Listed(tuple(fitting)),
        }
