"""The reducer: takes the entries of a record, gives the frames that people see one after the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import Reader, say
from bullring.arena.games.rulebook.wording import Wording, wording
from bullring.arena.games.rules import stages
from bullring.arena.games.rules.board import Board, Rows, Stacks, Waiting
from bullring.arena.games.rules.game import TAKEN, Batch
from bullring.arena.games.rules.sayings import Heads, cards_text
from bullring.arena.match.records import replay
from bullring.arena.match.records.reader import Entry
from bullring.arena.match.records.replay import Happening, Replay
from bullring.arena.settings.limits import NO_CLOCK, Limits
from bullring.arena.watching.picture import steps
from bullring.arena.watching.picture.picture import Frame, Line, Picture, SeatPicture, Tone
from bullring.arena.watching.picture.sentences import noted, wrong
from bullring.arena.watching.picture.steps import Step

KEPT = 200
"""Lines of history in a picture."""

SHORT = 20
"""Characters of a name in a line of history."""

_SHOWING = stages.Revealed | stages.Laid | stages.Drafted
"""Stages in which cards that were played are shown."""


class Reducer:
    """Makes the frames of one match. `picture` is the latest one.

    With `opened`, pictures show all hands: for spectators of finished matches only. With `addressed`, they are for the
    person at the table, if it is a single one.
    """

    def __init__(self, *, opened: bool = False, addressed: bool = False) -> None:
        self.replay = Replay(telling=True)
        self.picture = Picture()
        self.number = 0
        """Entries taken so far."""
        self._opened = opened
        self._addressed = addressed
        self._said: list[Line] = []
        self._turn = (0, 0)
        self._lay: frozenset[int] = frozenset()
        """The cards that lay on the table when the turn began."""

    @property
    def _wording(self) -> Wording:
        return wording(type(self.replay.game))

    def feed(self, entry: Entry) -> list[Frame]:
        """Take the next entry. Returns its frames. Raises `RecordError`."""
        happening = self.replay.feed(entry)
        self.number += 1
        return list(self._frames(happening))

    def thinking(self, seats: Iterable[int]) -> list[Frame]:
        """Take the news which of the seats that were asked have not answered yet."""
        asked = tuple(seats)
        pending = self.replay.state.pending if self.replay.head else None
        if not isinstance(pending, Batch) or not set(asked) < set(pending.seats):
            return []
        for seat in pending.seats:
            self.picture = self.picture.with_seat(seat, asked=seat in asked, down=seat not in asked)
        return [self._frame(steps.Thinking(asked))]

    def _frames(self, happening: Happening) -> Iterator[Frame]:
        match happening:
            case replay.Began(head):
                yield self._begin(head)
            case replay.Dealt(_, _, staged):
                yield from self._stages(staged)
            case replay.Answered():
                yield from self._answered(happening)
            case replay.Faulted(fault):
                yield self._fault(fault)
                return
            case replay.Ended(_, ranks, void):
                yield self._end(ranks, void)
                return
            case _:
                return
        pending = self.replay.state.pending if self.replay.game.seats else None
        self._settle()
        if isinstance(pending, Batch):
            yield self._ask(pending)

    def _begin(self, head: Entry) -> Frame:
        game = self.replay.game
        people = head.get("people", ())
        target = game.options.get("target")
        self.picture = Picture(
            game=game.id,
            bears=tuple(game.heads),
            planned=game.planned_deals(),
            target=target if isinstance(target, int) and not game.planned_deals() else None,
            seats=tuple(
                SeatPicture(harmless(name), person=at in people, reads=self._addressed and [at] == [*people])
                for at, name in enumerate(head["seats"])
            ),
        )
        return self._frame(steps.Began())

    def _ask(self, pending: Batch) -> Frame:
        state, decision = self.replay.state, self.replay.game.decision(pending.kind)
        if decision.begins_move and self._turn != (state.deal, state.turn):
            self._new_turn()
        limits = self.replay.head["limits"]
        clock = None if self.replay.head.get("clock") == NO_CLOCK else limits[Limits.name_of(pending.kind)]
        self.picture = replace(
            self.picture,
            kind=pending.kind,
            limit_us=clock,
        )
        for seat in pending.seats:
            self.picture = self.picture.with_seat(seat, asked=True)
        return self._frame(steps.Asked(pending.kind, tuple(pending.seats)))

    def _new_turn(self) -> None:
        state = self.replay.state
        self._turn = (state.deal, state.turn)
        self._lay = frozenset(_lying(self.picture.board))
        self.picture = replace(
            self.picture,
            fresh=(),
            seats=tuple(replace(seat, cards=(), took=0) for seat in self.picture.seats),
        )

    def _answered(self, answered: replay.Answered) -> Iterator[Frame]:
        self.picture = replace(self.picture, kind="", limit_us=None)
        for seat, us, by in zip(answered.seats, answered.us, answered.by, strict=True):
            times = (*self.picture.seats[seat].times, us) if by != "fallback" else self.picture.seats[seat].times
            self.picture = self.picture.with_seat(
                seat, asked=False, down=False, us=us if by != "fallback" else None, times=times
            )
        decision = answered.decision
        for seat, answer, by in zip(answered.seats, answered.answers, answered.by, strict=True):
            if decision.shows is None or not decision.shows(answer):
                name = self._name(seat)
                what = harmless(self._wording.told(decision.kind, answer, name))
                self._say(say("match.history.chose", name=name, what=what), seat=seat)
                yield self._frame(steps.Chose(seat, decision.kind, answer, by == "fallback"))
        # A game that tells no stages of its own shows the cards all the same.
        shown = [
            (seat, int(card))
            for seat, answer in zip(answered.seats, answered.answers, strict=True)
            if decision.shows is not None
            for card in decision.shows(answer).split()
            if card.isdecimal()
        ]
        if shown and not any(isinstance(stage, _SHOWING) for stage in answered.stages):
            yield self._stage(stages.Revealed(tuple(shown), board=self.picture.board))
        yield from self._stages(answered.stages)

    def _stages(self, staged: Sequence[stages.Stage]) -> Iterator[Frame]:
        names = [self._name(seat) for seat in range(len(self.picture.seats))]
        notes = {at: (line, seats) for at, line, seats in noted(staged, self._wording, names)}
        for at, stage in enumerate(staged):
            yield self._stage(stage, notes.get(at))

    def _stage(self, stage: stages.Stage, note: tuple[str, tuple[int, ...]] | None = None) -> Frame:
        """The frame of a stage; `note` is the line of history about it, and its seats."""
        turn = self.replay.state.turn if isinstance(stage, stages.Opened) else self._turn[1] or self.picture.turn
        lying = self._lay_out(stage.board if stage.board is not None else self._board(), turn)
        if note is not None:
            line, seats = note
            self._say(line, "take", seats[0] if len(seats) == 1 else None)
        match stage:
            case stages.Opened():
                self._lay = frozenset(lying)
                self.picture = replace(self.picture, fresh=(), seats=self._counted())
                if self.picture.deal > len(self.picture.deals) and not self._dealt_already():
                    self._say(say("match.history.deal", deal=self.picture.deal), "deal")
            case stages.Revealed(cards):
                self._reveal(cards)
            case stages.Laid(seat, card) | stages.Falls(seat, card):
                self.picture = replace(self.picture, mover=seat, moving=card)
                if isinstance(stage, stages.Falls):
                    self.picture = replace(self.picture, falling=stage.place)
                elif card is not None and card not in self.picture.seats[seat].cards:
                    self._reveal(((seat, card),))
            case stages.Took(seat, card, _, cards, heads, counts):
                self.picture = replace(self.picture, mover=seat, moving=card, taken=cards)
                self._take(seat, heads, at_once=counts)
            case stages.Drafted(seat, card):
                self.picture = replace(self.picture, mover=seat, moving=card).with_seat(seat, cards=(card,))
            case stages.Kept(seat, cards, heads):
                self.picture = replace(self.picture, mover=seat, taken=cards)
                self._take(seat, heads)
            case stages.DealOver(deal, heads, scores, hands):
                self._end_deal(deal, heads, scores, hands)
        return self._frame(stage)

    def _lay_out(self, board: Board, turn: int) -> set[int]:
        """Show a board on which nothing moves. Returns the cards that lie on it."""
        lying = _lying(board)
        self.picture = replace(
            self.picture,
            board=board,
            deal=self.replay.state.deal,
            turn=turn,
            fresh=tuple(sorted(lying - self._lay)),
            falling=None,
            mover=None,
            moving=None,
            taken=(),
        )
        return lying

    def _dealt_already(self) -> bool:
        return any(line.tone == "deal" and line.deal == self.picture.deal for line in self.picture.log)

    def _reveal(self, cards: Sequence[tuple[int, int]]) -> None:
        for seat, card in cards:
            known = self.picture.seats[seat]
            hand = known.hand and _without(known.hand, card)
            left = max(0, known.left - 1)
            self.picture = self.picture.with_seat(seat, cards=(*known.cards, card), left=left, hand=hand)
        if len(cards) == 1:
            self.picture = replace(self.picture, mover=cards[0][0], moving=cards[0][1])

    def _take(self, seat: int, heads: int, *, at_once: bool | None = None) -> None:
        """Count heads in this deal, and in the total too if they count `at_once`; with False, count nothing yet."""
        known = self.picture.seats[seat]
        if known.heads is None or at_once is False:
            return
        score = known.score + (heads if at_once else 0)
        self.picture = self.picture.with_seat(seat, heads=known.heads + heads, took=known.took + heads, score=score)

    def _end_deal(
        self, deal: int, heads: Sequence[int], scores: Sequence[int], hands: Sequence[Sequence[int]] | None
    ) -> None:
        for seat, (taken, score) in enumerate(zip(heads, scores, strict=True)):
            left = cards_text(hands[seat]) if hands is not None else ""
            values = {"name": self._name(seat), "heads": Heads(taken), "deal": deal, "score": score, "left": left}
            self._say(say(f"match.history.{'held' if left else 'counted'}", **values), "deal", seat)
        self.picture = replace(self.picture, deals=(*self.picture.deals, tuple(heads)))
        for seat, score in enumerate(scores):
            self.picture = self.picture.with_seat(seat, score=score)

    def _fault(self, fault: Entry) -> Frame:
        seat, closed = fault["seat"], bool(fault["closed"])
        kind, got = fault["kind"], harmless(fault["got"], 80)
        known = self.picture.seats[seat]
        self.picture = self.picture.with_seat(seat, faults=known.faults + 1, closed=known.closed or closed)
        key = "match.history.closed" if closed else "match.history.fault"
        self._say(say(key, name=self._name(seat), what=wrong(kind, got)), "fault", seat)
        return self._frame(steps.Faulted(seat, kind, got, closed))

    def _end(self, ranks: Sequence[int], void: str | None) -> Frame:
        reason = None if void is None else harmless(void)
        self.picture = replace(
            self.picture, over=True, void=reason, falling=None, mover=None, moving=None, taken=(), fresh=(), kind=""
        )
        for seat, rank in enumerate(ranks):
            self.picture = self.picture.with_seat(seat, rank=rank or None, asked=False, down=False)
        if reason is not None:
            self._say(say("match.history.void", what=reason), "end")
        else:
            best = tuple(self._name(seat) for seat, rank in enumerate(ranks) if rank == 1)
            self._say(say(f"match.history.{'won' if len(best) == 1 else 'shared'}", names=best), "end")
        return self._frame(steps.Ended(tuple(ranks), reason))

    def _settle(self) -> None:
        """Take the state of the rules after the last stage."""
        if not self.replay.head or (not self.picture.deal and not self.replay.state.deal):
            return
        self._lay_out(self._board(), self.replay.state.turn)
        self.picture = replace(self.picture, seats=self._counted())

    def _counted(self) -> tuple[SeatPicture, ...]:
        """The seats with their figures as the rules have them now; those whose figures are the same stay the same objects."""
        game, state = self.replay.game, self.replay.state
        columns = dict(game.columns(state))
        taken = columns.pop(TAKEN, None)
        seats = []
        for at, seat in enumerate(self.picture.seats):
            hand = tuple(game.hand(state, at))
            now = {
                "heads": None if taken is None else int(taken[at]),
                "figures": {title: int(column[at]) for title, column in columns.items()},
                "score": int(state.scores[at]),
                "left": len(hand),
                "hand": hand if self._opened else None,
            }
            changes = {name: value for name, value in now.items() if getattr(seat, name) != value}
            seats.append(replace(seat, **changes) if changes else seat)  # type: ignore[arg-type]  # its own fields
        return tuple(seats)

    def _board(self) -> Board:
        return self.replay.game.board(self.replay.state)

    def _name(self, seat: int) -> str:
        name = self.picture.seats[seat].called
        return name if len(name) <= SHORT or isinstance(name, Reader) else name[: SHORT - 1] + "…"

    def _say(self, text: str, tone: Tone = "plain", seat: int | None = None) -> None:
        self._said.append(Line(self.picture.deal, self.picture.turn, text, tone, seat))

    def _frame(self, step: Step) -> Frame:
        said, self._said = tuple(self._said), []
        if said:
            self.picture = replace(self.picture, log=(*self.picture.log, *said)[-KEPT:])
        return Frame(step, self.picture, said, self.number)


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """A hand after a card was played."""
    at = hand.index(card) if card in hand else len(hand)
    return (*hand[:at], *hand[at + 1 :])


def _lying(board: Board) -> set[int]:
    """The cards that lie on the table."""
    lying: set[int] = set()
    for part in board:
        match part:
            case Rows(rows=groups) | Stacks(stacks=groups):
                lying.update(card for cards in groups for card in cards)
            case Waiting(cards):
                lying.update(card for _, card in cards)
    return lying
