"""Verifying records: comparing a record's claims with what follows from its contents.

What follows is recomputed: deals, placements, fallback moves, strikes, closed seats, scores, ranks, whether the match can be void.
Everything else is covered by the seal. A record that was altered and sealed again is another record: only a signature, or
a copy of the seal (a ladder keeps one), can tell.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.ranks import ranks
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.records.claims import Claims
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.records.ends import seal_of
from bullring.arena.match.records.reader import Entry, Lines, kind_of, parse_line
from bullring.arena.match.records.replay import (
    Answered,
    Began,
    Dealt,
    Ended,
    Faulted,
    Happening,
    Replay,
    Resumed,
    Wrote,
)
from bullring.arena.match.records.writer import encode
from bullring.arena.match.seeds import Seed
from bullring.errors import RecordError, SeedError


@dataclass
class Verdict:
    """The result of verifying a record."""

    difference: str | None
    """The first contradiction found, with its line, or None."""
    finished: bool
    deals: int
    answers: int
    torn: int
    """Bytes after the last complete line."""
    void: str | None = None
    """The reason why the match does not count, if it does not."""
    seal: str | None = None
    """The seal of a finished record: the SHA-256 of everything before it."""
    key: str | None = None
    """The public key that signed the record; None if unsigned."""
    confinement: Confinement | None = None
    """How the bots were confined, if the record tells."""


Follow = Callable[[Entry, Happening], None]
"""Takes the lines of a record, with what happens in each."""


def verify(lines: Lines, key: str | None = None, follow: Follow = lambda *_: None) -> Verdict:
    """Recompute everything that follows from the deals and answers of a record, and check its seal and signature.

    With a public `key` (64 hexadecimal digits), the record must be signed with it. `follow` is given every line up to the first
    contradiction, so a caller that needs them as well reads the record once.
    """
    check = _Check(lines, follow)
    difference = check.difference(key)
    end = check.replay.end or {}
    return Verdict(
        difference,
        lines.finished,
        len(check.replay.dealt),
        check.answers,
        lines.torn,
        end.get("void"),
        lines.seal if lines.finished else None,
        end.get("key"),
        Confinement.of(check.replay.head),
    )


@dataclass
class _Check:
    lines: Lines
    follow: Follow
    replay: Replay = field(default_factory=Replay)
    answers: int = 0
    claims: Claims = field(init=False)
    dealt_in: list[int] = field(default_factory=list)
    """The line of each deal."""
    logs: set[int] = field(default_factory=set)
    """The seats whose log was read."""

    def difference(self, key: str | None) -> str | None:
        """The first contradiction, with its line."""
        number = 0
        try:
            for number, line in enumerate(self.lines.raw(), 1):
                self._take(line, number)
            if self.replay.end is not None:
                self._end(self.replay.end)
                self._seal(self.replay.end, key)
        except RecordError as error:
            return str(error) if error.line else f"line {number}: {error}"
        return None

    def _take(self, line: bytes, number: int) -> None:
        """Take the next line. Raises `RecordError`."""
        entry = parse_line(line, number)
        if encode(entry).encode("ascii") != line:
            raise RecordError("not written as records are: JSON without spaces, in ASCII, each key once")
        replay, due = self.replay, None
        if replay.head and isinstance(replay.state.pending, Batch) and kind_of(entry) == "answers":
            due = self.claims.due(replay.game, replay.state, entry.get("by"))
            self.claims.moves(replay.state.pending, due, entry["answers"])
        happening = replay.feed(entry)
        self.follow(entry, happening)
        match happening:
            case Began():
                self._head(entry)
            case Dealt():
                self.dealt_in.append(number)
            case Answered():
                assert due is not None
                self.claims.answers(due, happening, entry.get("by"))
                self.answers += len(due)
            case Faulted():
                self.claims.fault(happening.fault, replay.state)
            case Resumed(facts):
                self.claims.resume(facts["programs"], replay.state.pending)
            case Wrote():
                if happening.seat in self.logs:
                    raise RecordError(f"there is a second log of seat {happening.seat}")
                self.logs.add(happening.seat)
        if self.logs and not isinstance(happening, Wrote | Ended):
            raise RecordError("the match goes on after the logs of its bots")
        if isinstance(happening, Dealt | Answered) and isinstance(replay.state.pending, Batch):
            self.claims.ask(replay.state.pending)

    def _head(self, head: Entry) -> None:
        game = self.replay.game
        if encode(head["options"]) != encode(game.options):
            raise RecordError(f"the options must be {encode(game.options)}, complete and in this order")
        strikes = head.get("strikes")
        if type(strikes) is not int or strikes < 1:
            raise RecordError(f'"strikes" must be a whole number from 1, not {strikes!r:.80}')
        self.claims = Claims(game.seats, strikes, self.replay.people)

    def _end(self, end: Entry) -> None:
        """Compare the end with what follows from the lines before. Raises `RecordError`."""
        replay, state = self.replay, self.replay.state
        try:
            seed = Seed.given(end["seed"], end["nonce"])
        except KeyError as error:
            raise RecordError(f"the last line lacks {error}") from None
        except SeedError as error:
            raise RecordError(str(error)) from None
        if seed.commitment != replay.head.get("commitment"):
            raise RecordError("the commitment in line 1 was not made from this seed and nonce")
        deals = zip(self.dealt_in, replay.shuffles, replay.dealt, strict=True)
        for number, (line, shuffle, cards) in enumerate(deals, 1):
            expected = shuffled(shuffle.deck, shuffle.cards, seed.seed, number)
            if cards != expected:
                at = next(i for i, (a, b) in enumerate(zip(cards, expected, strict=True)) if a != b)
                raise RecordError(
                    f"deal {number}: card {at + 1} is {cards[at]}, but the seed gives {expected[at]}", line
                )
        void, scores = end["void"], list(state.scores)
        if (void is None) != (state.pending is None):
            over = "the match is not over" if void is None else "the match was played to its end"
            raise RecordError(
                f"{over}, so void must {'give a reason' if void is None else 'be null'}, not {void!r:.80}"
            )
        if end["scores"] != scores:
            raise RecordError(f"the scores are {scores}, but the record says {end['scores']}")
        places = ranks(scores, self.claims.closed) if void is None else []
        if end["ranks"] != places:
            raise RecordError(f"the ranks are {places}, but the record says {end['ranks']}")

    def _seal(self, end: Entry, key: str | None) -> None:
        """Check that nothing was changed since the record was sealed, and whose record it is. Raises `RecordError`."""
        found = seal_of(self.lines.last)
        if found is None:
            raise RecordError("the last line does not end with the seal and its signature")
        if found.digest != self.lines.seal:
            raise RecordError(
                f"the seal of these lines is {self.lines.seal}, but the record says {found.digest}: it was changed after the match"
            )
        own = end.get("key")
        if (own is None) != (found.signature is None):
            raise RecordError('the last line must have both "key" and "signature", or neither')
        if key is not None and own != key:
            raise RecordError(
                f"expected a record signed with the key {key}, not {f'with {own:.80}' if own else 'unsigned'}"
            )
        if own is not None and found.signature is not None:
            from bullring.arena.match.records.signatures import is_signed  # the library takes time to import

            if type(own) is not str or not is_signed(found.digest, found.signature, own):
                raise RecordError("the signature was not made for this seal with the key that the line names")
