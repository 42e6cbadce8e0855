"""Records from Python: read, replay and verify them, or use them as data for research."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bullring.api.calls import brief
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.match.records.reader import Lines, kind_of, read_lines
from bullring.arena.match.records.replay import Happening, Replay
from bullring.arena.match.records.verification import Verdict, verify
from bullring.arena.study.analysis import ENGINE_PLAYOUTS, ERROR, PLAYOUTS, POLICY
from bullring.arena.study.analysis.result import (
    Account,
    Analysis,
    Choice,
    Method,
    Parts,
)
from bullring.errors import RecordError


@dataclass(frozen=True)
class Answer:
    """One decision of a recorded match."""

    seat: int
    kind: str
    view: Mapping[str, Any]
    """Everything the seat could know."""
    options: Sequence[Option]
    option: Option
    """The option chosen."""
    by: str
    """The source of the choice: "bot", "human", or "fallback" if the referee had to choose."""
    us: int
    """The time of the decision, in microseconds."""


class Record:
    """The record of a match, as returned by `bullring.read`."""

    def __init__(self, path: Path, lines: Lines) -> None:
        self.path = path
        self._lines = lines
        self._head = lines.entries[0]
        self._end = lines.entries[-1].get("end") if lines.finished else None

    def __repr__(self) -> str:
        return f"<Record {self.path}: {self.game}, {', '.join(self.names)}>"

    @property
    def head(self) -> Mapping[str, Any]:
        """The first line: game, options, seats, limits, commitment, version."""
        return self._head

    @property
    def game(self) -> str:
        """The id of the game."""
        return str(self._head["game"])

    @property
    def names(self) -> list[str]:
        """The names of the bots, by seat."""
        return [str(name) for name in self._head["seats"]]

    @property
    def finished(self) -> bool:
        """Whether the record is finished; that of a match in progress, or of one that was cut off, is not."""
        return self._end is not None

    @property
    def scores(self) -> list[int] | None:
        """Total heads by seat; None if the record is not finished."""
        return None if self._end is None else list(self._end["scores"])

    @property
    def ranks(self) -> list[int] | None:
        """Places from 1, by seat; None if the record is not finished, empty if the match is void."""
        return None if self._end is None else list(self._end["ranks"])

    @property
    def seed(self) -> str | None:
        """The seed of the deals; None if the record is not finished, because it stays secret until then."""
        return None if self._end is None else str(self._end["seed"])

    def replay(self) -> Iterator[Happening]:
        """Everything that happened, in order (`bullring.Dealt`, `bullring.Answered`, ...). Raises `RecordError`."""
        for _, happening in Replay().play(self._lines):
            yield happening

    def events(self) -> Iterator[Mapping[str, Any]]:
        """The same as plain maps, like the lines of `bullring replay --json`. Raises `RecordError`."""
        for happening in self.replay():
            yield from happening.lines()

    def answers(self) -> Iterator[Answer]:
        """All decisions, each with what its seat could know at the time: data to learn from. Raises `RecordError`."""
        replay = Replay()
        for entry in self._lines.entries:
            before: list[tuple[int, Mapping[str, Any], Sequence[Option]]] = []
            pending = replay.state.pending if replay.head else None
            if kind_of(entry) == "answers" and isinstance(pending, Batch):
                for seat, options in zip(pending.seats, pending.options, strict=True):
                    before.append((seat, replay.game.view(replay.state.copy(), seat), tuple(options)))
            happening = replay.feed(entry)
            for at, (seat, view, options) in enumerate(before):
                kind, option = happening.decision.kind, happening.answers[at]  # type: ignore[union-attr]
                by, us = happening.by[at], happening.us[at]  # type: ignore[union-attr]
                yield Answer(seat, kind, view, options, option, by, us)

    @brief
    def analyse(
        self,
        *,
        policy: str = POLICY,
        error: float = ERROR,
        playouts: int = PLAYOUTS,
        engine_playouts: int = ENGINE_PLAYOUTS,
        seed: int = 0,
        progress: Callable[[int], object] | None = None,
    ) -> Analysis:
        """Find out what each decision cost, and what each result is made of; `docs/analysis.md` defines the numbers.

        All seats follow the `policy` ("random", "cheapest", "greedy", "noisy", "trained", "sharp") in the playouts, which go on
        until all standard errors of a decision are at most `error` heads, or an option has `playouts` of them, or, where the rules
        engine plays, all options together have about `engine_playouts`. The same `seed` gives the same numbers. `progress` is
        called with the number of decisions that are done.

        Raises `RecordError` unless the match is finished, `ValueError` for an unknown policy.
        """
        from bullring.arena.study.analysis.analyser import analyse  # numpy takes time to import

        return analyse(
            self._lines,
            Method(policy=policy, error=error, playouts=playouts, engine_playouts=engine_playouts, seed=seed),
            progress or (lambda _: None),
        )

    @brief
    def verify(self, key: str | None = None) -> Verdict:
        """Recompute everything that follows from deals and answers, compare it with the record, and check its seal.

        With a public `key`, 64 hexadecimal digits, the record must be signed with it.
        """
        return verify(self._lines, key)


@brief
def read(path: str | Path) -> Record:
    """Read the record of a match.

    >>> import bullring, pathlib, tempfile
    >>> def lowest(message):
    ...     return message["options"][0]
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> report = bullring.play(lowest, lowest, options={"deals": 1}, seed="example", record=path)
    >>> record = bullring.read(path)
    >>> record.game, record.names, record.scores == report.scores
    ('standard', ['lowest #1', 'lowest #2'], True)
    >>> record.verify().difference is None
    True
    >>> first = next(record.answers())
    >>> first.seat, first.kind, first.option == first.view["hand"][0]
    (0, 'card', True)

    Raises `RecordError`.
    """
    path = Path(path)
    try:
        lines = read_lines(path)
        for first in lines.entries[:1]:
            Replay().feed(first)  # raises unless it is the first line of a record
    except RecordError as error:
        raise error if str(path) in str(error) else RecordError(f"{path}: {error}") from None
    if not lines.entries:
        raise RecordError(f"{path} is empty; expected a record, as written with --record or record=")
    return Record(path, lines)


__all__ = ["Account", "Analysis", "Answer", "Choice", "Happening", "Parts", "Record", "Verdict", "read"]
