"""Compressing records one by one: they have a dictionary in common, an example of what they repeat.

The dictionary of a run is made before its first match, from the first line that its records will have and the bots that may sit
there. The same bots and settings make the same dictionary, so most runs of a home find theirs. One that is trained with records
saves 7 % more, but only after some thousand matches between the same bots.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import zstandard

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.games.rules.game import Game
from bullring.arena.match.cost import Spent
from bullring.arena.match.faults import STRIKES
from bullring.arena.match.records.ends import end, head, sealed
from bullring.arena.match.records.writer import encode
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.installation import VERSION
from bullring.ladder.store.compact_form import form_of

LEVEL = 5
"""Of Zstandard: 10 us a record. Level 12 takes twice the time and saves 1 % of the room."""

_FORMAT = zstandard.FORMAT_ZSTD1_MAGICLESS

_TIME = "2026-01-01T00:00:00Z"
_SEED = Seed("0" * 64, "0" * 32)


@dataclass(frozen=True)
class Dictionary:
    """Bytes that the records of a run have in common; none for the empty dictionary."""

    content: bytes = b""

    @cached_property
    def id(self) -> int:
        """A hash of the content that names it; 0 if there is none."""
        return int.from_bytes(sha256(self.content).digest()[:4], "little") if self.content else 0

    @cached_property
    def _words(self) -> zstandard.ZstdCompressionDict:
        return zstandard.ZstdCompressionDict(self.content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)

    @cached_property
    def _compressor(self) -> zstandard.ZstdCompressor:
        parameters = zstandard.ZstdCompressionParameters(compression_level=LEVEL, format=_FORMAT)
        return zstandard.ZstdCompressor(compression_params=parameters, dict_data=self._words)

    @cached_property
    def _decompressor(self) -> zstandard.ZstdDecompressor:
        return zstandard.ZstdDecompressor(dict_data=self._words, format=_FORMAT)

    def compress(self, data: bytes) -> bytes:
        return self._compressor.compress(data)

    def decompress(self, data: bytes, most: int) -> bytes:
        """Undo `compress`. Raises `ValueError`, also if it is longer than `most` bytes."""
        try:
            size = zstandard.get_frame_parameters(data, format=_FORMAT).content_size
            if size > most:  # the library would allocate it; a size that is not told counts as the largest
                raise ValueError(f"longer than {most} bytes")
            return self._decompressor.decompress(data)
        except (zstandard.ZstdError, MemoryError) as error:
            raise ValueError(f"{error!s:.80}") from None


NO_DICTIONARY = Dictionary()


def dictionary_of(
    game: Game[Any], bots: Sequence[Bot], limits: Limits, format_: str, notes: Mapping[str, Any]
) -> Dictionary:
    """The dictionary for matches of a game between some of these bots. `notes` are further keys of their records' first lines."""
    # All bots together, which no record has, and then what is as records are.
    examples = [_example(game, some, limits, format_, notes) for some in (bots, bots[: game.seats])]
    return Dictionary(b"".join([form_of(example) or b"" for example in examples]))


def _example(game: Game[Any], bots: Sequence[Bot], limits: Limits, format_: str, notes: Mapping[str, Any]) -> bytes:
    seats, names = game.seats, [bot.name for bot in bots]
    contents = [bot.contents.facts() for bot in bots]
    ladder = {"match": 1000, "format": format_}
    notes = {"began": _TIME, "version": VERSION, **notes, "contents": contents, "ladder": ladder}
    programs = [{"name": name, "version": ""} for name in names]
    lines = [head(game, names, programs, limits, STRIKES, _SEED, notes), {"deal": list(range(10 * seats + 4))}]
    for number in [seats, 1] * 5:
        lines.append({"answers": [1] * number, "us": [700] * number, "check": 0})
    lines.append({"answers": [1] * seats, "us": [700] * seats, "check": 0, "back": [0] * seats})
    lines.append({"spent": [Spent(9000, 0, 0).facts()] * seats})
    text = "".join([encode(line) + "\n" for line in lines])
    last, _ = sealed(end(_SEED, [1] * seats, [1] * seats, None, _TIME), sha256(text.encode("ascii")))
    return f"{text}{last}\n".encode("ascii")
