"""Seed, nonce and commitment of a match: the referee is bound to the deals before the first card, and no bot can predict them.

* The *seed* determines the deals (`arena.games.rules.shuffle`).
* The *nonce* belongs to one match and is always random. So a seed that a person chose cannot be found by trying seeds against the
  commitment, and bots cannot tell that two matches with the same seed share their deals.
* The *commitment*, SHA-256 of the ASCII text ``bullring 1 commit <nonce> <seed>``, is told to the bots before the match.
  The record reveals seed and nonce after it.
"""

import secrets
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

from bullring.errors import SeedError

MAX_SEED = 64


@dataclass(frozen=True)
class Seed:
    """The source of all chance in one match."""

    seed: str
    nonce: str

    @classmethod
    def draw(cls) -> "Seed":
        """Draw a new seed and nonce from the operating system."""
        return cls(secrets.token_hex(32), secrets.token_hex(16))

    def again(self) -> "Seed":
        """This seed with a new nonce, for one more match with the same deals."""
        return replace(self, nonce=self.draw().nonce)

    @classmethod
    def given(cls, seed: str, nonce: str | None = None) -> "Seed":
        """A seed that the user gave, to repeat the deals of a match, with a new nonce. Raises `SeedError`.

        `nonce` repeats the whole match, the bots' own seeds included: for tests, and to check a record.
        """
        return cls(_valid("seed", seed), cls.draw().nonce if nonce is None else _valid("nonce", nonce))

    @cached_property
    def commitment(self) -> str:
        """A hash that binds the referee to seed and nonce without revealing them."""
        return sha256(f"bullring 1 commit {self.nonce} {self.seed}".encode()).hexdigest()

    def for_bot(self, seat: int) -> int:
        """The 48-bit seed for a bot's own random numbers. Made from the nonce alone, so it reveals nothing about the deals."""
        return int.from_bytes(sha256(f"bullring 1 bot {self.nonce} {seat}".encode()).digest()[:6], "big")


def _valid(what: str, text: str) -> str:
    if not isinstance(text, str):
        raise SeedError(f"a {what} is a text, not {text!r:.80}; give it in quotes")
    if not (text and len(text) <= MAX_SEED and text.isascii() and text.isprintable() and " " not in text):
        raise SeedError(
            f"a {what} is 1 to {MAX_SEED} letters, digits or punctuation marks without spaces, not {text[:80]!r}"
        )
    return text
