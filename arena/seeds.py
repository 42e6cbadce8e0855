"""Seed, nonce and commitment of a match: the referee is bound to the deals before the first card, and nobody can foretell them.

* The *seed* makes the deals (`arena.rules.shuffle`).
* The *nonce* belongs to this match alone, so that two matches with one seed cannot be told to share their deals.
* The *commitment*, SHA-256 of the ASCII text ``bullring 1 commit <nonce> <seed>``, is told to the bots before the match;
  seed and nonce are opened in the record after it.
"""

import secrets
from dataclasses import dataclass
from hashlib import sha256

from bullring.errors import SeedError

MAX_SEED = 64


@dataclass(frozen=True)
class Seed:
    """What the chance of one match is made from."""

    seed: str
    nonce: str

    @classmethod
    def draw(cls) -> "Seed":
        """A new one from the operating system."""
        return cls(secrets.token_hex(32), secrets.token_hex(16))

    @classmethod
    def of_group(cls, seed: str) -> "Seed":
        """One more match with the deals of this seed, and a nonce of its own."""
        return cls(seed, cls.draw().nonce)

    @classmethod
    def given(cls, seed: str) -> "Seed":
        """The one made from a text of the user, always the same: to repeat a match, not to rate one. Raises `SeedError`."""
        if not (seed and len(seed) <= MAX_SEED and seed.isascii() and seed.isprintable() and " " not in seed):
            raise SeedError(f"a seed is 1 to {MAX_SEED} letters, digits or signs without a space, not {seed[:80]!r}")
        return cls(seed, sha256(f"bullring 1 nonce {seed}".encode()).hexdigest()[:32])

    @property
    def commitment(self) -> str:
        """Binds to seed and nonce without telling them."""
        return sha256(f"bullring 1 commit {self.nonce} {self.seed}".encode()).hexdigest()

    def for_bot(self, seat: int) -> int:
        """The 48-bit seed of a bot's own random numbers. Made from the nonce: it tells nothing of the deals."""
        return int.from_bytes(sha256(f"bullring 1 bot {self.nonce} {seat}".encode()).digest()[:6], "big")
