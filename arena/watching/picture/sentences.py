"""Each step in one short sentence: for people who hear the table instead of seeing it, and for histories.

Names are those of the picture; in HTML they must be escaped.
"""

from collections.abc import Iterable, Iterator, Sequence

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import spoken
from bullring.arena.games.rulebook.wording import Wording, wording
from bullring.arena.games.rules import stages
from bullring.arena.games.rules.board import Board, Pool, Rows, Stacks
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.sayings import Heads, cards_text
from bullring.arena.watching.picture import steps
from bullring.arena.watching.picture.picture import Frame, Picture


def told(frame: Frame) -> str:
    """The step of a frame in words; empty if there is nothing to say."""
    return _Teller(frame.picture).told(frame)


def wrong(kind: str, got: str) -> str:
    """A fault of this kind in words, with what came where that tells people something."""
    return spoken().say(f"match.faults.{kind}", got=got)


def noted(
    staged: Sequence[stages.Stage], words: Wording, names: Sequence[str]
) -> Iterator[tuple[int, str, tuple[int, ...]]]:
    """Yield the lines of a history: the index in `staged` of the stage that each is about, the line, and its seats."""
    for at, stage in enumerate(staged):
        values: dict[str, object] = {}
        match stage:
            case stages.Took(seat, card, place, cards, heads, counts) if cards:
                later = staged[at + 1 :]
                values = {"card": card, "place": place, "cards": cards_text(cards), "heads": Heads(heads)}
                others = [
                    other.seat
                    for other in later
                    if isinstance(other, stages.Took) and (other.card, other.place, other.cards) == (card, place, ())
                ]
                seats: tuple[int, ...] = (seat, *others)
                key = "share" if others else "take" if counts else "sort"
                if card is None:
                    values["turned"] = next((one.cards for one in later if isinstance(one, stages.Turned)), ())
                    key = "stack" if values["turned"] else "last_stack"
            case stages.Kept(seat, _, heads) if heads:
                seats, key, values = (seat,), "count", {"heads": Heads(heads)}
            case stages.Changed(said, seats) if seats:
                yield at, words.say(f"told.{said}", *(names[seat] for seat in seats)), seats
                continue
            case _:
                continue
        yield at, words.language.say(f"match.history.{key}", *(names[seat] for seat in seats), **values), seats


class _Teller:
    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    @property
    def _wording(self) -> Wording:
        return wording(GAMES[self.picture.game])

    def told(self, frame: Frame) -> str:
        match frame.step:
            case steps.Began():
                return self._say("began", names=self._names(range(len(self.picture.seats))))
            case steps.Asked(_, seats):
                return self._asked(seats)
            case steps.Thinking(seats):
                return self._say("thinking" if len(seats) > 1 else "thinks", names=self._names(seats)) if seats else ""
            case steps.Chose(seat, kind, answer, referee):
                what = harmless(self._wording.told(kind, answer, self._name(seat)))
                return self._say("referee" if referee else "chose", name=self._name(seat), what=what)
            case steps.Faulted(seat, kind, got, closed):
                return self._say("closed" if closed else "faulted", name=self._name(seat), what=wrong(kind, got))
            case steps.Ended(ranks, void):
                return self._ended(ranks, void)
            case stages.Opened():
                return self._opened(self.picture.board)
            case stages.Revealed(cards):
                return self._revealed(cards)
            case stages.Laid(seat, card, place, left):
                laid = "on_stack" if self._stacks else "to_left" if left else "to_row"
                return self._say(laid, name=self._name(seat), card=card, place=place)
            case stages.Falls(seat, _, place):
                return self._say("stack_falls" if self._stacks else "row_falls", name=self._name(seat), place=place)
            case stages.Took():
                return self._took(frame.step)
            case stages.Turned(turned):
                return self._say("turned", cards=turned)
            case stages.Drafted(seat, card):
                return self._say("drafted", name=self._name(seat), card=card)
            case stages.Kept(seat, kept, heads):
                kind = ("kept" if heads else "kept_all") if kept else "kept_nothing"
                return self._say(kind, name=self._name(seat), cards=cards_text(kept), heads=Heads(heads))
            case stages.Changed(said, seats) if said:
                return self._wording.say(f"told.{said}", *map(self._name, seats)) + "."
            case stages.DealOver(deal, heads, scores):
                results = [
                    self._say("result", name=self._name(seat), heads=Heads(taken), score=score)
                    for seat, (taken, score) in enumerate(zip(heads, scores, strict=True))
                ]
                return self._say("deal_over", deal=deal, results=", ".join(results))
        return ""

    def _asked(self, seats: tuple[int, ...]) -> str:
        if len(seats) == 1:
            return self._say("one_asked", name=self._name(seats[0]))
        if len(seats) == len(self.picture.seats):
            return self._say("all_asked", turn=self.picture.turn)
        return self._say("some_asked", names=self._names(seats))

    def _opened(self, board: Board) -> str:
        deal = self.picture.deal
        for part in board:
            match part:
                case Rows(rows):
                    return self._say("opened_rows", deal=deal, cards=tuple(row[0] for row in rows))
                case Stacks(stacks) if stacks:
                    return self._say("opened_stacks", deal=deal, cards=tuple(stack[0] for stack in stacks))
                case Pool():
                    return self._say("opened_draft", deal=deal)
        return self._say("opened", deal=deal)

    def _revealed(self, cards: tuple[tuple[int, int], ...]) -> str:
        if len(cards) == 1:
            return self._say("played", name=self._name(cards[0][0]), card=cards[0][1])
        by_seat: dict[int, list[int]] = {}
        for seat, card in cards:
            by_seat.setdefault(seat, []).append(card)
        shown = [f"{spoken().words(self._name(seat))} {spoken().listed(by_seat[seat])}" for seat in sorted(by_seat)]
        return self._say("revealed", cards=", ".join(shown))

    def _took(self, step: stages.Took) -> str:
        if self._stacks and step.card is None:
            text = "took_stack"
        elif not step.cards:
            text = "took_too"
        else:
            text = "took" if step.counts else "took_to_sort"
        return self._say(
            text,
            name=self._name(step.seat),
            card=step.card,
            place=step.place,
            cards=cards_text(step.cards),
            heads=Heads(step.heads),
        )

    def _ended(self, ranks: tuple[int, ...], void: str | None) -> str:
        if void is not None:
            return self._say("void", what=void)
        best = [seat for seat, rank in enumerate(ranks) if rank == 1]
        if not best:
            return ""
        heads = Heads(self.picture.seats[best[0]].score)
        return self._say("won" if len(best) == 1 else "shared", names=self._names(best), heads=heads)

    @property
    def _stacks(self) -> bool:
        """Whether cards go on stacks, not to rows."""
        return any(isinstance(part, Stacks) for part in self.picture.board)

    def _name(self, seat: int) -> str:
        return self.picture.seats[seat].called

    def _names(self, seats: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self._name, seats))

    def _say(self, key: str, **values: object) -> str:
        return spoken().say(f"match.{key}", **values)
