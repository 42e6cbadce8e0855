"""The key with which a ladder signs its records: a file only its owner can read. Public keys, old ones too, are in the store.

The private key is a file, so that a home can be published without it. Referee processes get it over stdin and sign as they seal.
"""

import shlex
import stat
from typing import TYPE_CHECKING

from bullring.errors import LadderError
from bullring.ladder.store.disk import explained, replace
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store

if TYPE_CHECKING:
    from bullring.arena.match.records.signatures import Signer


def new_key(home: Home, store: Store) -> str:
    """Make a key, in place of one that there may be, and return its public key. Raises `StoreError`.

    Records signed with an earlier key keep their signatures, and its public key stays in the store.
    """
    from bullring.arena.match.records.signatures import Signer

    signer = Signer.new()
    # First the store: a public key without its private key does no harm, an unknown one would.
    store.add_key(signer.public)
    with explained(f"the key {home.key}", "written"):
        replace(home.key, [signer.pem.encode("ascii")])
    return signer.public


def signer_of(home: Home, store: Store) -> "Signer | None":
    """The signer of this home's records; None if they are not signed. Raises `LadderError`, `KeyFileError`."""
    keys = store.keys()
    if not keys:
        return None
    from bullring.arena.match.records.signatures import Signer

    remedy = f"make a new key with: bullring ladder key --new --home {shlex.quote(str(home.path))}"
    if not home.key.exists():
        raise LadderError(f"this ladder signs its records, but its key is missing: restore {home.key}, or {remedy}")
    if stat.S_IMODE(home.key.stat().st_mode) & 0o077:
        raise LadderError(
            f"others may read the key {home.key}: run chmod 600 {home.key}, or, if they have read it, {remedy}"
        )
    signer = Signer.load(home.key)
    if signer.public != keys[-1]:
        raise LadderError(
            f"{home.key} is not the key of this ladder: expected that to {keys[-1]}, got {signer.public}; {remedy}"
        )
    return signer
