"""Matches in as few numbers as their pages need: many in one file, for a page that draws any of them.

The page's program, `script/notation.js`, lays and takes cards on rows like somebody who is told what to do. It knows no rules: what
it would get wrong is written out, and so are sentences that it has no words for. This room does the same as it does, to know that.
Each step is a list that begins with its sign:

===== ============================================================================================
t     a turn begins: its deal and number
h     hands are dealt: the cards by seat
b     the board after the next step, where it does not follow, as a `change` of the last one that was written out
=     what does not follow before the next step: `turn`, and changes of `board`, `hands`, `scores`, `figures`
o     the cards of a deal lie open
r     cards are turned up: seat, card, seat, card ...
l     the first card that waits goes to the row or stack of this number; else its number, left end, seat, card
f     the row of this number is about to fall to the first card that waits; else row, seat, card
k     it is taken: its heads, whether they count at once, and whether they are added up
e     a deal is over: heads, scores, hands that are shown
s     any other step: its facts, and the number of its sentence
===== ============================================================================================
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import in_all
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules import stages
from bullring.arena.games.rules.board import Board, OpenHands, Pool, Rows, Stacks, Waiting
from bullring.arena.games.rules.game import TAKEN
from bullring.arena.match.records import replay
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.watching.page.page import masked, sign, without_played
from bullring.arena.watching.picture import steps
from bullring.arena.watching.picture.frames_json import facts
from bullring.arena.watching.picture.picture import Frame, Picture, SeatPicture
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.steps import Step

_UNTOLD = ("board", "answer", "said", "got", "kind")
"""The facts of a step that no page asks for."""
HELD = "hand"
"""The figure of seats that is most often the number of their cards."""

COUNTED = 1
"""Instead of a change of figures: this one is that number now, and others are as they were."""

_SHOWING = stages.Revealed | stages.Laid | stages.Drafted


@dataclass
class Shelf:
    """Matches of one game, and the sentences that they share."""

    matches: dict[int, dict[str, Any]] = field(default_factory=dict)
    """The notations by number."""
    game: dict[str, Any] = field(default_factory=dict)
    """What is the same of all of them."""
    _sentences: dict[tuple[str, ...], int] = field(default_factory=dict)
    _known: dict[Step, int] = field(default_factory=dict)
    """The sentences of choices, which are the same again and again."""

    def add(self, number: int, lines: Lines, bots: Sequence[int]) -> None:
        """Add the match of a finished record; `bots` are the numbers of their pages, by seat. Raises `RecordError`."""
        writer = _Writer(self._sentence, self._known)
        self.matches[number] = {**writer.written(lines), "bots": [*bots]}
        game = writer.replay.game
        target = game.options.get("target")
        self.game = {
            "game": game.id,
            "title": in_all(lambda: wording(type(game)).title),
            "bears": list(game.heads),
            "planned": game.planned_deals(),
            "target": target if isinstance(target, int) and not game.planned_deals() else None,
        }

    def _sentence(self, texts: tuple[str, ...]) -> int:
        return self._sentences.setdefault(texts, len(self._sentences))

    def facts(self) -> dict[str, Any]:
        """The shelf as JSON takes it."""
        return {**self.game, "matches": self.matches, "sentences": list(self._sentences)}


def _alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many values they begin with alike."""
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )


def change(old: Any, new: Any) -> Any:
    """What makes the new value of the old one: 0 is nothing, [value] all of it, [at, count, ...] a list's values from there on.

    An object has the changes inside, by key or place. It is the shortest of these.
    """
    if old == new:
        return 0
    found: list[Any] = [[new]]
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        found.append({key: change(old[key], value) for key, value in new.items() if old[key] != value})
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
        before = _alike(old, new)
        after = _alike(old[before:][::-1], new[before:][::-1])
        found.append([before, len(old) - before - after, *new[before : len(new) - after]])
        if len(old) == len(new):
            found.append(
                {at: change(*pair) for at, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]}
            )
    return min(found, key=lambda one: len(str(one)))


class _Table:
    """The board as the page's program knows it."""

    def __init__(self, bears: Sequence[int], board: Board) -> None:
        self._bears = bears
        self.show(board)

    def show(self, board: Board) -> None:
        """Take a board that was written out."""
        self.waiting: list[tuple[int, int]] = []
        self.piles: list[list[int]] | None = None
        """The rows, or the stacks."""
        self._pool: list[int] | None = None
        self._open: list[list[int]] = []
        """The cards of each seat that lie open."""
        self._heads: list[int] = []
        self._rest: list[object] = []
        for part in board:
            if type(part) is Rows:
                self.piles, self._heads = [[*row] for row in part.rows], [*part.heads]
                self._rest.append((part.room, part.both_ends))
            elif type(part) is Stacks:
                self.piles = [[*stack] for stack in part.stacks]
                self._rest.append(part.left)
            elif type(part) is Waiting:
                self.waiting += part.cards
            elif type(part) is Pool:
                self._pool = [*part.cards]
            elif type(part) is OpenHands:
                self._open = [[*hand] for hand in part.hands]
                self._rest.append(part.title)
            else:
                self._rest.append(part)

    def is_like(self, board: Board) -> bool:
        """Whether it is this board."""
        return vars(self) == vars(_Table(self._bears, board))

    def move(self, stage: stages.Stage, played: Sequence[Sequence[int]]) -> None:
        """Move the cards of a stage, before which each seat has `played` these in the turn."""
        match stage:
            case stages.Revealed(cards) if self.piles is not None:
                self.waiting += [pair for pair in cards if pair not in self.waiting]
                for pair in cards:
                    self._played(*pair)
            case stages.Laid(seat, card, place, left) if self.piles and place <= len(self.piles):
                self._leaves(seat, card)
                self._played(seat, card)
                pile = self.piles[place - 1]
                pile.insert(0 if left else len(pile), card)
                if self._heads:
                    self._heads[place - 1] += self._bears[card]
            case stages.Took(seat, int(card), place, cards) if cards and self._heads and self.piles:
                self._leaves(seat, card)
                self.piles[place - 1] = [card]
                self._heads[place - 1] = self._bears[card]
            case stages.Drafted(seat, card) if self._pool and card in self._pool:
                self._pool.remove(card)
                if self._open:
                    self._open[seat] = sorted([*self._open[seat], *played[seat]])

    def _played(self, seat: int, card: int) -> None:
        if self._open and card in self._open[seat]:
            self._open[seat].remove(card)

    def _leaves(self, seat: int, card: int) -> None:
        if (seat, card) in self.waiting:
            self.waiting.remove((seat, card))


class _Writer:
    """Writes the notation of one match, and does what the page's program will do with it."""

    def __init__(self, sentence: Callable[[tuple[str, ...]], int], known: dict[Step, int]) -> None:
        self.replay = Replay(telling=True)
        self._counting = False
        """Whether heads count as soon as they are taken."""
        self._shown = 0
        """The turn that the page shows."""
        self._sentence = sentence
        self._known = known
        self._steps: list[list[Any]] = []
        self._cards: list[list[int]] = []
        """What each seat has played in this turn."""
        self._turn = (0, 0)
        self._table = _Table((), ())
        self._board: Board = ()
        self._written: list[dict[str, Any]] = []
        """The last board that was written out."""
        self._hands: list[list[int]] = []
        self._scores: list[int] = []
        self._figures: dict[str, list[int]] = {}
        self._falling: tuple[int, int | None, int] = (0, None, 0)

    def written(self, lines: Lines) -> dict[str, Any]:
        """The notation. Raises `RecordError`."""
        names: list[str] = []
        end: replay.Ended | None = None
        for entry in lines.each():
            names = names or [harmless(name) for name in entry["seats"]]
            happening = self.replay.feed(masked(entry))
            match happening:
                case replay.Began():
                    self._scores = [0] * len(names)
                    self._hands = [[] for _ in names]
                    self._cards = [[] for _ in names]
                    self._table = _Table(self.replay.game.heads, ())
                case replay.Dealt(_, hands, staged):
                    self._hands = [list(hand) for hand in hands]
                    self._shown = 0
                    self._counting = TAKEN in self.replay.game.columns(self.replay.state)
                    self._steps.append(["h", hands])
                    self._stages(staged)
                    self._settle()
                case replay.Answered():
                    self._answered(happening)
                    self._settle()
                case replay.Faulted(fault):
                    got, closed = harmless(fault["got"], 80), bool(fault["closed"])
                    self._steps.append(self._as_told(steps.Faulted(fault["seat"], fault["kind"], got, closed)))
                case replay.Ended():
                    end = happening
                case _:
                    pass
        assert end is not None, "only finished records are noted"
        return {
            "names": names,
            "began": harmless(self.replay.head.get("began", ""), 40),
            "people": sorted(self.replay.people),
            "ranks": end.ranks,
            "scores": end.scores,
            "void": None if end.void is None else harmless(end.void),
            "steps": self._steps,
        }

    def _answered(self, answered: replay.Answered) -> None:
        decision = answered.decision
        if decision.begins_move and self._turn != (answered.deal, answered.turn):
            self._turn = (answered.deal, answered.turn)
            self._shown = answered.turn
            self._cards = [[] for _ in self._hands]
            self._steps.append(["t", *self._turn])
        shown: list[tuple[int, int]] = []
        for seat, answer, by in zip(answered.seats, answered.answers, answered.by, strict=True):
            cards = decision.shows(answer) if decision.shows is not None else ""
            if not cards:
                self._steps.append(self._as_told(steps.Chose(seat, decision.kind, answer, by == "fallback")))
            shown += [(seat, int(card)) for card in cards.split() if card.isdecimal()]
        if shown and not any(isinstance(stage, _SHOWING) for stage in answered.stages):
            self._stages([stages.Revealed(tuple(shown), board=self._board)])
        self._stages(answered.stages)

    def _stages(self, staged: Sequence[stages.Stage]) -> None:
        for stage in staged:
            self._board = self.replay.game.board(self.replay.state) if stage.board is None else stage.board
            if isinstance(stage, stages.Opened):
                self._count(turn=self.replay.state.turn)
            played = [cards.copy() for cards in self._cards]
            step = self._noted(stage)
            if isinstance(stage, stages.Drafted):
                self._cards[stage.seat] = [stage.card]
            self._board = without_played(self._board, self._cards)
            self._table.move(stage, played)
            if not self._table.is_like(self._board):
                self._steps.append(["b", self._write()])
            self._steps.append(step)

    def _noted(self, stage: stages.Stage) -> list[Any]:
        """The step of a stage, before its cards have moved."""
        piles, first = self._table.piles, next(iter(self._table.waiting), None)
        rows = piles if any(isinstance(part, Rows) for part in self._board) else None
        match stage:
            case stages.Opened() if rows is not None or any(isinstance(part, Rows) for part in self._board):
                return ["o"]
            case stages.Revealed(cards):
                for seat, card in cards:
                    self._leaves_hand(seat, card)
                return ["r", *(number for pair in cards for number in pair)]
            case stages.Laid(seat, card, place, left) if piles and place <= len(piles):
                self._leaves_hand(seat, card)
                return ["l", place] if (seat, card) == first and not left else ["l", place, int(left), seat, card]
            case stages.Falls(seat, card, place) if rows and card is not None:
                self._falling = (seat, card, place)
                return ["f", place] if (seat, card) == first else ["f", place, seat, card]
            case stages.Took(seat, card, place, cards, heads, counts) if (
                rows and cards == tuple(rows[place - 1]) and self._falling == (seat, card, place)
            ):
                self._falling = (0, None, 0)
                if counts and self._counting:
                    self._scores[seat] += heads
                return ["k", heads, int(counts), int(counts and self._counting)]
            case stages.DealOver(_, taken, scores, hands):
                self._scores = list(scores)
                return ["e", taken, scores, hands]
            case stages.Took(seat, heads=heads, counts=True) if self._counting:
                self._scores[seat] += heads
        return self._as_told(stage)

    def _leaves_hand(self, seat: int, card: int) -> None:
        self._cards[seat].append(card)
        if card in self._hands[seat]:
            self._hands[seat].remove(card)

    def _as_told(self, step: Step) -> list[Any]:
        """A step that the page's program has no words for."""
        sentence = self._known.get(step) if type(step) is steps.Chose else None
        if sentence is None:
            seats = tuple(SeatPicture(sign(seat)) for seat in range(len(self._hands)))
            deal = self.replay.state.deal
            frame = Frame(step, Picture(game=self.replay.game.id, deal=deal, seats=seats, board=self._board))
            sentence = self._sentence(tuple(in_all(lambda: told(frame)).values()))
            if type(step) is steps.Chose:
                self._known[step] = sentence
        known = {key: value for key, value in facts(step).items() if key not in _UNTOLD}
        counts = {"counted": True} if isinstance(step, stages.Took | stages.Kept) and self._counting else {}
        return ["s", {**known, **counts}, sentence]

    def _write(self) -> Any:
        """Write out the board."""
        before, self._written = self._written, [facts(part) for part in self._board]
        self._table.show(self._board)
        return change(before, self._written)

    def _settle(self) -> None:
        """Write what the page's program would not know from here on."""
        self._board = without_played(self.replay.game.board(self.replay.state), self._cards)
        if not self._table.is_like(self._board):
            self._steps.append(["=", {"board": self._write()}])
        over = self.replay.state.pending is None
        self._count(turn=self.replay.state.turn if over else None)

    def _count(self, *, turn: int | None = None) -> None:
        """Write what the seats have, and the turn, where the page's program would get them wrong."""
        game, state = self.replay.game, self.replay.state
        changed: dict[str, Any] = {}
        if turn is not None and turn != self._shown:
            changed["turn"] = self._shown = turn
        hands = [list(game.hand(state, seat)) for seat in range(game.seats)]
        if hands != self._hands:
            changed["hands"], self._hands = change(self._hands, hands), [hand.copy() for hand in hands]
        scores = list(state.scores)
        if scores != self._scores:
            changed["scores"], self._scores = change(self._scores, scores), scores
        figures = {title: list(column) for title, column in game.columns(state).items() if title != TAKEN}
        if figures != self._figures:
            counted = {**self._figures, HELD: [*map(len, hands)]}
            changed["figures"] = COUNTED if figures == counted else change(self._figures, figures)
            self._figures = figures
        if changed:
            self._steps.append(["=", changed])
