"""Tries the seeds that people choose against the commitment, and against its own seed. Bound: 20,000 numbers, a few words."""

from hashlib import sha256

from hostile import HELLO, answer, escaped, held, messages, say

WORDS = ["hostile", "hostile.0", "seed", "test", "bullring", "example", "a", "0x2a"]
SEEDS = [*map(str, range(20_000)), *WORDS]


def digest(text):
    return sha256(text.encode())


def nonces(seed):
    """Guesses of a nonce that is made of the seed, or of nothing."""
    return ["", seed, digest(seed).hexdigest()[:32], digest(f"bullring 1 nonce {seed}").hexdigest()[:32]]


def guess(welcome):
    for seed in SEEDS:
        for nonce in nonces(seed):
            if digest(f"bullring 1 commit {nonce} {seed}").hexdigest() == welcome["commitment"]:
                return f"the seed {seed}, by the commitment"
        for text in (f"bullring 1 bot {seed} {welcome['seat']}", f"bullring 1 bot {nonces(seed)[3]} {welcome['seat']}"):
            if int.from_bytes(digest(text).digest()[:6], "big") == welcome["seed"]:
                return f"the seed {seed}, by its own"
    return ""


say(HELLO)
for message in messages():
    if message["type"] == "welcome":
        found = guess(message)
        (escaped if found else held)(found or f"tried {len(SEEDS)} seeds")
    elif message["type"] == "decide":
        answer(message)
    elif message["type"] == "bye":
        break
