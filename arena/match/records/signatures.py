"""Signatures of records: an Ed25519 key signs the seal of each record, and a stranger checks it with the public key alone.

Keys and signatures are written as hexadecimal digits. A private key is a file in PEM, as `openssl` reads it.
"""

from functools import cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from bullring.errors import KeyFileError

_MAX_PEM = 1 << 16


class Signer:
    """The holder of a private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw().hex()
        """The public key, 64 hexadecimal digits."""

    def __repr__(self) -> str:
        return f"<Signer {self.public}>"

    @classmethod
    def new(cls) -> "Signer":
        """Make a new key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, path: Path) -> "Signer":
        """Read a private key. Raises `KeyFileError`."""
        try:
            with path.open("rb") as file:
                return cls.of(file.read(_MAX_PEM))
        except OSError as error:
            raise KeyFileError(f"the key {path} cannot be read: {error.strerror or error}") from None
        except KeyFileError as error:
            raise KeyFileError(f"{path} is {error}") from None

    @classmethod
    def of(cls, pem: bytes) -> "Signer":
        """The holder of this private key, in PEM. Raises `KeyFileError`."""
        try:
            key = load_pem_private_key(pem, None)
        except (ValueError, TypeError):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise KeyFileError("not an Ed25519 private key in PEM without a password")
        return cls(key)

    @property
    def pem(self) -> str:
        """The private key, to be kept in a file that only its owner can read."""
        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii")

    def sign(self, seal: str) -> str:
        """The signature of a record with this seal, 128 hexadecimal digits."""
        return self._key.sign(_text(seal)).hex()


def is_signed(seal: str, signature: str, public: str) -> bool:
    """Whether `signature` was made for this seal by the holder of the key to `public`."""
    try:
        _public(public).verify(bytes.fromhex(signature), _text(seal))
    except (InvalidSignature, ValueError):
        return False
    return True


@cache
def _public(digits: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(digits))


def _text(seal: str) -> bytes:
    return f"bullring 1 record {seal}".encode("ascii")
