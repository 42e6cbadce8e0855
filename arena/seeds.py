"""Seed, nonce and commitment of a match: the referee is bound to the deals before the first card, and no bot can predict them.

* The *seed* determines the deals (`arena.rules.shuffle`).
* The *nonce* belongs to one match, so that bots cannot tell that two matches with the same seed share their deals.
* The *commitment*, SHA-256 of the ASCII text ``bullring 1 commit <nonce> <seed>``, is told to the bots before the match.
  The record reveals seed and nonce after it.
"""

import secrets
from dataclasses import dataclass, replace
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
    def given(cls, seed: str) -> "Seed":
        """Derive the nonce from a seed that the user gave, to repeat a match; not for rated matches. Raises `SeedError`."""
        if not isinstance(seed, str):
            raise SeedError(f"a seed is a text, not {seed!r}; give it in quotes")
        if not (seed and len(seed) <= MAX_SEED and seed.isascii() and seed.isprintable() and " " not in seed):
            raise SeedError(
                f"a seed is 1 to {MAX_SEED} letters, digits or punctuation marks without spaces, not {seed[:80]!r}"
            )
        return cls(seed, sha256(f"bullring 1 nonce {seed}".encode()).hexdigest()[:32])

    @property
    def commitment(self) -> str:
        """A hash that binds the referee to seed and nonce without revealing them."""
        return sha256(f"bullring 1 commit {self.nonce} {self.seed}".encode()).hexdigest()

    def for_bot(self, seat: int) -> int:
        """The 48-bit seed for a bot's own random numbers. Derived from the nonce, so it reveals nothing about the deals."""
        return int.from_bytes(sha256(f"bullring 1 bot {self.nonce} {seat}".encode()).digest()[:6], "big")
