"""The file of a gauge: one line for each match, so that a later run goes on where this one stopped.

A home has one for each table in its folder ``gauges``. Nothing of it is ever read into a ladder's rating.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.contents import contents_of
from bullring.arena.cells.bots.load import folder_of
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.game import Game
from bullring.arena.study.house.moves import VERSION
from bullring.errors import LadderError
from bullring.ladder.gauge.score import Sample
from bullring.ladder.store.home import Home


class Entrant(NamedTuple):
    """The version of a bot that played."""

    name: str
    hash: str
    """The hash of its files, so that a bot that has changed begins anew; empty if they are not known."""

    @classmethod
    def of(cls, text: str, bot: Bot) -> Self:
        """The entrant that `text` names on a command line. Raises `BotError` if its files cannot be read."""
        return cls(bot.name, contents_of(bot, whole=folder_of(text) is not None).hash)


class Kept:
    """The file of a gauge. Matches of other bots and of older versions of a bot stay in it and do not count."""

    def __init__(
        self, path: Path, game: Game[Any], remedy: str = "give --results another file", *, read_only: bool = False
    ) -> None:
        """Read the file, or make it unless it is `read_only`. `remedy` says what to do about one that cannot be used.

        Raises `LadderError` if it is not one of these, or of another kind of table, or if nothing can be added to it.
        """
        self._path, self._remedy = path, remedy
        self._table = {"house": VERSION, "game": game.id, "options": game.options, "seats": game.seats}
        self._samples: dict[Entrant, list[Any]] = {}
        self._whole: int | None = None
        """The bytes up to the last whole line, if another one follows that the machine died in."""
        try:
            if not read_only:
                path.open("ab").close()  # better now than after the first match
        except OSError as error:
            raise self._unwritable(error) from None
        for bot, sample in self._read():
            self._samples.setdefault(bot, []).append(sample)

    @classmethod
    def at_home(cls, home: Home, game: Game[Any], *, read_only: bool = False) -> Self | None:
        """The file of a home for this table; None if there is none and it is `read_only`. Raises `LadderError`, as above."""
        usual = {spec.name: spec.default for spec in game.option_specs}
        changed = [f"-{key}-{value}" for key, value in game.options.items() if value != usual.get(key)]
        path = home.gauges / f"{game.id}-{game.seats}{''.join(changed).lower()}-house-{VERSION}.jsonl"
        if read_only:
            with suppress(PermissionError):  # reading it says so
                if not path.exists():
                    return None
        else:
            try:
                home.gauges.mkdir(exist_ok=True)
            except OSError as error:
                raise LadderError(f"the folder {home.gauges} cannot be made: {error.strerror or error}") from None
        return cls(path, game, "move it away, and gauge again", read_only=read_only)

    def of(self, bot: Entrant) -> list[Sample]:
        """The matches of this bot, with the files it has now."""
        try:
            return [Sample.of(facts) for facts in self._samples.get(bot, ())]
        except (KeyError, TypeError, ValueError, IndexError):
            raise self._wrong("expected what `bullring gauge` wrote") from None

    def add(self, bot: Entrant, sample: Sample) -> None:
        """Append a match, in place of a line that was cut off. Raises `LadderError` if the file cannot be written."""
        line = {"table": self._table, "bot": bot._asdict(), "sample": sample.facts()}
        try:
            with self._path.open("ab") as file:
                if self._whole is not None:
                    file.truncate(self._whole)
                    self._whole = None
                file.write(json.dumps(line).encode("ascii") + b"\n")
        except OSError as error:
            raise self._unwritable(error) from None

    def _read(self) -> Iterator[tuple[Entrant, Any]]:
        """The entrant and the sample of each line."""
        try:
            text = self._path.read_text("ascii")
        except (OSError, UnicodeError) as error:
            raise LadderError(
                f"{self._path} cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}"
            ) from None
        whole = text.rfind("\n") + 1
        head = json.dumps({"table": self._table})[:-1]
        if whole < len(text) and text[whole:].startswith(head[: len(text) - whole]):  # nothing else is ever cut away
            self._whole = whole
            text = text[:whole]
        for line in text.splitlines():
            try:
                found = json.loads(line)
                table = found["table"]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise self._wrong("expected JSON lines of `bullring gauge`") from None
            if table != self._table:
                raise self._wrong(
                    f"expected matches at this table, {json.dumps(self._table)}, and found {harmless(json.dumps(table), 200)}"
                )
            try:
                bot, sample = Entrant(**found["bot"]), found["sample"]
                hash(bot)
            except (KeyError, TypeError):
                raise self._wrong("expected the bot that played in each line") from None
            yield bot, sample

    def _unwritable(self, error: OSError) -> LadderError:
        return LadderError(f"{self._path} cannot be written: {error.strerror or error}; {self._remedy}")

    def _wrong(self, what: str) -> LadderError:
        return LadderError(f"{self._path}: {what}; {self._remedy}")
