"""The first and the last line of a record."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from bullring.arena.clock.limits import Limits
from bullring.arena.records.writing import FORMAT, encode
from bullring.arena.rules.game import Game
from bullring.arena.seeds import Seed


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


def end(seed: Seed, scores: Sequence[int], ranks: Sequence[int], void: str | None) -> dict[str, Any]:
    """The last line, without its digest. It reveals seed and nonce, which are of no use to anyone now. No ranks if void."""
    return {
        "seed": seed.seed,
        "nonce": seed.nonce,
        "scores": list(scores),
        "ranks": [] if void else list(ranks),
        "void": void,
    }


def digested(end: Mapping[str, Any], digest: str) -> dict[str, Any]:
    """The complete last line: `end` and the SHA-256 of all lines before it."""
    return {"end": {**end, "sha256": digest}}


def append_end(path: Path, end: Mapping[str, Any]) -> None:
    """Append the last line to a record that lacks it. Raises `OSError`."""
    with path.open("r+b") as file:
        digest = sha256(file.read()).hexdigest()
        file.write((encode(digested(end, digest)) + "\n").encode("ascii"))
