"""The first and the last line of a record, and the seal that the last line carries."""

import re
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bullring.arena.games.rules.game import Game
from bullring.arena.match.records.writer import FORMAT, encode
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

    from bullring.arena.match.records.signatures import Signer

_BEGIN = b',"seal":"'
_FORM = re.compile(rb',"seal":"([0-9a-f]{64})"(?:,"signature":"([0-9a-f]{128})")?\}\}')


def head(
    game: Game[Any],
    names: Sequence[str],
    programs: Sequence[Mapping[str, str] | None],
    limits: Limits,
    strikes: int,
    seed: Seed,
    notes: Mapping[str, Any],
) -> dict[str, Any]:
    """The first line: the game, the bots, the limits, and the commitment that binds the referee to the deals.

    `programs` holds the names and versions the bots gave themselves, None for a bot that did not start; `notes` holds further keys.
    """
    return {
        "bullring": FORMAT,
        "game": game.id,
        "options": game.options,
        "seats": list(names),
        "programs": programs,
        "start": game.start,
        "limits": limits.of_bots(),
        **({"tick_us": limits.tick_us} if limits.tick_us else {}),
        "strikes": strikes,
        "commitment": seed.commitment,
        **notes,
    }


def end(seed: Seed, scores: Sequence[int], ranks: Sequence[int], void: str | None, ended: str) -> dict[str, Any]:
    """The last line, without its seal. It reveals seed and nonce, which are of no use to anyone now. No ranks if void."""
    return {
        "seed": seed.seed,
        "nonce": seed.nonce,
        "scores": list(scores),
        "ranks": list(ranks) if void is None else [],
        "void": void,
        "ended": ended,
    }


def sealed(end: Mapping[str, Any], before: "Hash", signer: "Signer | None" = None) -> tuple[str, str]:
    """The complete last line, and its seal; `before` has hashed all lines before it.

    The seal is the SHA-256 of all bytes of the file up to ``,"seal":``, so it covers the last line, too.
    """
    covered = {**end, "key": signer.public} if signer else end
    text = encode({"end": covered})[:-2]
    hashed = before.copy()
    hashed.update(text.encode("ascii"))
    seal = hashed.hexdigest()
    signature = f',"signature":"{signer.sign(seal)}"' if signer else ""
    return f'{text},"seal":"{seal}"{signature}}}}}', seal


def append_end(path: Path, end: Mapping[str, Any], signer: "Signer | None" = None) -> str:
    """Append the last line to a record that lacks it. Returns the seal. Raises `OSError`."""
    with path.open("r+b") as file:
        line, seal = sealed(end, sha256(file.read()), signer)
        file.write(line.encode("ascii") + b"\n")
    return seal


class Seal(NamedTuple):
    """The seal in a last line, and the signature."""

    covered: int
    """The number of bytes of the line that the seal covers."""
    digest: str
    signature: str | None


def seal_of(line: bytes) -> Seal | None:
    """The seal that a last line carries; None if it does not end as a sealed line does."""
    at = line.rfind(_BEGIN)
    found = _FORM.fullmatch(line, at) if at >= 0 else None
    return found and Seal(at, found[1].decode(), found[2].decode() if found[2] else None)


def now() -> str:
    """The date and time, as records have them."""
    return _written(int(time.time()))


@lru_cache(maxsize=1)
def _written(seconds: int) -> str:
    """A time as records have it. Many matches begin and end in a second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
