"""11 nimmt!: cards go on stacks, at most ten higher than the top; taking a stack costs no points, holding cards does.

========== ==========================================================================================
seats      2-7
deck       1..100, shuffled for each deal; ten cards to each hand in seat order, one to begin the first stack, the
           others are turned up one by one; and ten bulls
decisions  play (a card on a stack, or a stack that is taken), more (with bulls: another card, or "stop"), bull (from whom,
           when no bull is left and several have the most)
options    deals: as many as seats, or a number (A51)
end        of a deal: when a hand is empty, or when somebody can neither play nor take; of the match: after the deals; ties
           share the place. Every take removes a stack and the deck fills up only so many, so that every deal ends.
scoring    heads of the cards in hand; no rulebook prints the heads, see `arena.rules.cards`
source     11 nimmt! rulebook (Italian translation)
rulings    A49 (two new stacks), A50 (a bull for three cards), A51, A53, A54 (several cards: all within ten of the old top, laid
           in the order of the circle), A55 (no bull left), A56 (deck short), A57 (one may take though one could play),
           A58 (who has most in total begins the next deal), A59; stacks are open, and so is what was taken of them
========== ==========================================================================================
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Self, TypedDict

from bullring.arena.rules.board import Board, OpenHands, Stacks, Told
from bullring.arena.rules.cards import ELEVEN_HEADS, ELEVEN_HIGHEST
from bullring.arena.rules.decision import Decision
from bullring.arena.rules.events import Event, HandsOver, Key
from bullring.arena.rules.figures import Figure, Listed
from bullring.arena.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.rules.hands import lay_down, pick_up, redraw, unseen
from bullring.arena.rules.options import OptionSpec
from bullring.arena.rules.wording import eleven as wording
from bullring.arena.rules.wording.text import Rules, Text
from bullring.arena.rules.wording.words import cards_text
from bullring.errors import IllegalAnswer

HAND = 10
BULLS = 10
REACH = 10
"""How much higher than the top a card may be, the 1 following the 100."""
BULL_SIZE = 3
"""Cards of a taken stack that earn a bull."""
PRINTED_DEALS = 3
"""In the rulebook (A51)."""
TURNED = 2
"""Cards that are turned up after a stack was taken (A49)."""

Lay = tuple[int, int]
"""A card and the stack (from 1) it is laid on."""


def step(top: int, card: int) -> int:
    """How much higher than `top` a card is, around the circle: 1..99, 0 for the same."""
    return (card - top) % ELEVEN_HIGHEST


FITTING = tuple(
    [
        frozenset([card for card in range(1, ELEVEN_HIGHEST + 1) if 1 <= step(top, card) <= REACH])
        for top in range(ELEVEN_HIGHEST + 1)
    ]
)
"""By the top of a stack, 1..100, the cards that may be laid on it."""


def _lays_or(answer: Any, otherwise: str) -> str:
    return f"lays {answer[0]} on stack {answer[1]}" if isinstance(answer, tuple | list) else otherwise


_NEAREST = (
    "The card that is the least higher than the top it is laid on (as it was before the move), of equals the lowest, and then on"
    " the first stack"
)
PLAY = Decision(
    "play",
    "one seat after the other",
    "[card, stack] lays that card on that stack; a number alone takes that stack",
    f"{_NEAREST}. Who cannot lay takes the stack with the fewest heads, the first of equals.",
    told=lambda answer: _lays_or(answer, f"takes stack {answer}"),
    begins_move=True,
    shows=lambda answer: str(answer[0]) if isinstance(answer, tuple | list) else "",
)
MORE = Decision(
    "more",
    "who has just laid a card and may lay another one",
    '`"stop"`, and [card, stack]',
    f'{_NEAREST}; never `"stop"`.',
    told=lambda answer: _lays_or(answer, "stops"),
    waits="one more?",
    purpose="go on",
    shows=lambda answer: str(answer[0]) if answer != "stop" else "",
)
BULL = Decision(
    "bull",
    "who gets a bull when none is left",
    "the seats from which it may come",
    "The first seat in the list.",
    told="takes the bull from seat {}".format,
    waits="picks bull",
    purpose="take a bull",
)


class StacksDeal(TypedDict):
    """A deal begins."""

    type: Literal["deal"]
    deal: Annotated[int, Key("integer", "Its number.")]
    first: Annotated[int, Key("integer", "The seat that begins.")]
    stacks: Annotated[list[list[int]], Key("list of lists of cards", "The first stack, in a list.")]


class LayOnStack(TypedDict):
    """One open card is played."""

    type: Literal["lay"]
    seat: Annotated[int, Key("integer", "By whom.")]
    card: Annotated[int, Key("card", "Which one.")]
    stack: Annotated[int, Key("integer", "On which stack.")]


class Take(TypedDict):
    """Somebody has taken a stack."""

    type: Literal["take"]
    seat: Annotated[int, Key("integer", "Who.")]
    stack: Annotated[int, Key("integer", "Its number.")]
    cards: Annotated[list[int], Key("list of cards", "Its cards, from the bottom to the top.")]
    turned: Annotated[list[int], Key("list of cards", "The cards that begin new stacks, in their order.")]


GetBull = TypedDict(
    "GetBull",
    {
        "type": Literal["bull"],
        "seat": Annotated[int, Key("integer", "Who.")],
        "from": Annotated[
            int | None, Key("integer or null", "The seat it comes from, or `null`: one of those that lay ready.")
        ],
    },
)
GetBull.__doc__ = "Somebody gets a bull."


class ElevenView(TypedDict):
    """What all seats see in 11 nimmt!"""

    deal: Annotated[int, Key("integer", "The number of the deal.")]
    turn: Annotated[int, Key("integer", "The turn of this deal.")]
    first: Annotated[int, Key("integer", "The seat that plays first in this turn.")]
    stacks: Annotated[
        list[list[int]], Key("lists of cards", "The stacks from number 1 on, each from the bottom to the top.")
    ]
    laid: Annotated[list[Lay], Key("list of [card, stack]", "What you have laid in this move so far.")]
    draw: Annotated[int, Key("integer", "How many cards are left to turn up.")]
    bulls: Annotated[list[int], Key("by seat, integers", "How many bulls each seat has.")]
    hand_sizes: Annotated[list[int], Key("by seat, integers", "How many cards each seat holds.")]
    known: Annotated[
        list[list[int]],
        Key("by seat, lists of cards", "Cards of each hand that all know, because they were taken openly."),
    ]
    scores: Annotated[list[int], Key("by seat, integers", "The heads of each seat in the deals before.")]


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
    """By seat, the cards of its hand that everybody knows, because it has taken them with a stack."""
    bulls: list[int]
    """By seat."""
    first: int = 0
    """The seat that plays first in each turn of this deal."""
    mover: int = 0
    """Whose turn it is."""
    stacks: list[list[int]] = field(default_factory=list)
    """From the bottom to the top."""
    draw: list[int] = field(default_factory=list)
    """The cards that are not turned up yet, the next one last."""
    laid: list[Lay] = field(default_factory=list)
    """What the mover has laid in this turn."""

    def copy(self) -> Self:
        """A state that shares nothing that may change."""
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


class Eleven(Game[ElevenState]):
    """The sister game: the hand must go."""

    id: ClassVar[str] = "eleven"
    title: ClassVar[Text] = Text("11 nimmt!", "11 nimmt!")
    aliases: ClassVar[tuple[str, ...]] = ("11-nimmt",)
    seat_range: ClassVar[tuple[int, int]] = (2, 7)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        OptionSpec(
            "deals",
            None,
            Text(
                "play exactly this many deals instead of as many as there are seats",
                "genau so viele Durchgänge spielen, statt einen je Mitspieler",
            ),
            maximum=1000,
        ),
    )
    summary: ClassVar[str] = "Lay cards on stacks, at most ten higher than the top, or take a stack to your hand."
    source: ClassVar[Text] = Text(
        "11 nimmt! rulebook (Italian translation)", "Anleitung von 11 nimmt! (italienische Übersetzung)"
    )
    rules: ClassVar[Rules] = wording.RULES
    for_bots: ClassVar[str] = wording.FOR_BOTS

    heads: ClassVar[Sequence[int]] = ELEVEN_HEADS
    decisions: ClassVar[tuple[Decision, ...]] = (PLAY, MORE, BULL)
    events: ClassVar[tuple[type, ...]] = (StacksDeal, LayOnStack, Take, GetBull, HandsOver)
    view_type: ClassVar[type] = ElevenView
    course: ClassVar[str] = "`lay` for each card, or `take` and perhaps `bull`"

    def deck(self) -> tuple[int, ...]:
        """The numbered cards."""
        return tuple(range(1, ELEVEN_HIGHEST + 1))

    def dealt(self) -> int:
        """All: what is not dealt to the hands is turned up later."""
        return ELEVEN_HIGHEST

    def new(self) -> ElevenState:
        """The state before the first deal."""
        nothing: list[list[int]] = [[] for _ in range(self.seats)]
        return ElevenState(self.shuffle, 0, 0, [0] * self.seats, nothing, nothing.copy(), [0] * self.seats)

    def begin(self, state: ElevenState, cards: Sequence[int]) -> list[Event]:
        """Hands in seat order, the first stack, then the cards to turn up."""
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
        """The starting seat, and later who has most; of equals the first clockwise from who began before (A58)."""
        if state.deal == 0:
            return self.start
        clockwise = [(state.first + at) % self.seats for at in range(self.seats)]
        return max(clockwise, key=lambda seat: state.scores[seat])

    def _ask(self, state: ElevenState, events: list[Event]) -> None:
        """Ask the mover; the deal ends if it can do nothing (A56)."""
        options: tuple[Option, ...] = (*self._lays(state), *range(1, len(state.stacks) + 1))
        if options:
            state.pending = Batch("play", (state.mover,), (options,))
        else:
            self._end_deal(state, events)

    def _lays(self, state: ElevenState) -> list[Lay]:
        """All cards the mover may lay now: near enough to the top that a stack had before this turn (A53)."""
        used = sorted({stack for _, stack in state.laid})
        stacks = used if len(used) == max(1, state.bulls[state.mover]) else range(1, len(state.stacks) + 1)
        fitting = [(number, FITTING[self._old_top(state, number)]) for number in stacks]
        return [(card, number) for card in state.hands[state.mover] for number, fit in fitting if card in fit]

    def _old_top(self, state: ElevenState, number: int) -> int:
        """The top of a stack as it was before this turn."""
        above = sum([on == number for _, on in state.laid]) if state.laid else 0
        return state.stacks[number - 1][-1 - above]

    def on_play(self, state: ElevenState, answer: int | Lay) -> list[Event]:
        """A card is laid, or a stack is taken."""
        return self._take(state, answer) if isinstance(answer, int) else self._lay(state, answer)

    def on_more(self, state: ElevenState, answer: str | Lay) -> list[Event]:
        """Another card is laid, or the turn ends."""
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
            else:  # the taker alone has most, and keeps what it has (A55)
                self._next(state, events)
        return events

    def on_bull(self, state: ElevenState, owner: int) -> list[Event]:
        """The bull comes from this seat."""
        events: list[Event] = []
        self._give_bull(state, events, owner)
        return events

    def _give_bull(self, state: ElevenState, events: list[Event], owner: int | None) -> None:
        """The mover gets a bull from the supply, or from its `owner`."""
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
        """The stacks, the bulls, and what is known of the hands."""
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
        """The card that is nearest to a top, the lowest of equals; else the stack with the fewest heads, the first of equals.

        A card wherever one can be laid, also with bulls; a bull comes from the first seat that has most.
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
        """What `seat` does not know of the other hands, and the cards to be turned up, drawn anew."""
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
        """The stacks, and what is known of the hands."""
        known = [OpenHands("known in hand:", [cards.copy() for cards in state.known])] if any(state.known) else []
        return (Stacks([stack.copy() for stack in state.stacks], len(state.draw)), *known)

    def columns(self, state: ElevenState) -> Mapping[str, Sequence[int]]:
        """The sizes of the hands, and the bulls."""
        return {"hand": [len(hand) for hand in state.hands], "bulls": state.bulls}

    def tell(self, before: ElevenState, events: Sequence[Event]) -> Iterator[Told]:
        """What was taken and turned up, and who got a bull."""
        for event in events:
            if event["type"] == "take":
                turned = " and ".join(map(str, event["turned"])) or "nothing, for no card is left"
                yield Told(f"{{0}} gets {cards_text(event['cards'])}; turned up: {turned}", (event["seat"],))
            elif event["type"] == "bull" and event["from"] is None:
                yield Told("{0} gets a bull", (event["seat"],))
            elif event["type"] == "bull":
                yield Told("{0} gets a bull from {1}", (event["seat"], event["from"]))

    def planned_deals(self) -> int | None:
        """As many as seats, if the option says nothing else (A51)."""
        deals = self.options["deals"]
        return deals if isinstance(deals, int) else self.seats

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """With its limits, and cards that fit where the circle closes."""
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
