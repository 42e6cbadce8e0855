"""A user's description of a cluster: its address, its certificates, and the bounds for its nodes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from bullring.errors import LadderError

LEASE = 30.0
"""Seconds without a sign of life after which a node is given up."""

MIX = 1.25
"""The factor by which the speeds of nodes may differ."""

MOST_LOCAL = 64
"""Most workers of a cluster on this machine."""

INSTALL = "install it with: pip install 'bullring[cluster]'"

_LOCAL = re.compile(r"local:([1-9]\d{0,3})", re.ASCII)
_SCHEDULER = re.compile(r"(?:(tcp|tls)://)?([^/\s:]+|\[[0-9a-fA-F:]+\]):(\d{1,5})", re.ASCII)


@dataclass(frozen=True)
class Cluster:
    """A cluster to play on."""

    address: str
    """tcp://HOST:PORT or tls://HOST:PORT of a scheduler, or local:N."""
    tls: Mapping[str, str] = field(default_factory=dict)
    """Files with certificates and keys, by the names that Dask's `Security` has for them."""
    lease: float = LEASE
    mix: float = MIX


def address_of(text: str, *, tls: bool = False, local: bool = True) -> str:
    """The address of a scheduler as Dask needs it, or `local:N` if that is allowed.

    Raises `LadderError` if it is none, or Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise LadderError(f"clusters need the package distributed (Dask), which is not installed; {INSTALL}")
    if (workers := local_workers(text)) is not None:
        if not local:
            raise LadderError(
                f"{text} is for runs, which start such workers themselves; give the address of a scheduler"
            )
        if workers > MOST_LOCAL:
            raise LadderError(f"{text} would start {workers} workers on this machine; at most {MOST_LOCAL} are allowed")
        return text
    found = _SCHEDULER.fullmatch(text)
    if found is None or not 0 < int(found[3]) < 1 << 16:
        or_here = ", or local:4 for four workers on this machine" if local else ""
        raise LadderError(
            f"expected the address of a Dask scheduler, such as tcp://10.0.0.1:8786{or_here}, not {text[:80]!r}"
        )
    scheme, host, port = found.groups()
    if tls and scheme == "tcp":
        raise LadderError(f"certificates are given, and {text} is not encrypted; say: tls://{host}:{port}")
    return f"{scheme or ('tls' if tls else 'tcp')}://{host}:{port}"


def tls_of(ca: Path | None, cert: Path | None, key: Path | None) -> dict[str, str]:
    """The files of an encrypted cluster, as arguments of Dask's `Security`. Raises `LadderError` if only some are given."""
    if ca is None and cert is None and key is None:
        return {}
    if ca is None or cert is None or key is None:
        raise LadderError("--tls-ca, --tls-cert and --tls-key go together; give all three")
    parts = {
        f"tls_{part}_{kind}": str(path)
        for part in ("client", "worker")
        for kind, path in (("cert", cert), ("key", key))
    }
    return {"tls_ca_file": str(ca), **parts}


def local_workers(address: str) -> int | None:
    """The number of workers of a cluster on this machine; None if it is another one."""
    found = _LOCAL.fullmatch(address)
    return int(found[1]) if found else None
