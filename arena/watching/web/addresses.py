"""Where viewers come from, and the names by which they call the server."""

from collections.abc import Collection
from ipaddress import IPv6Address, ip_address

NEAR = frozenset(("localhost", "127.0.0.1", "[::1]"))
"""The names by which this machine calls itself."""

FORWARDED = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip"))
"""Headers of proxies."""


def household(address: str) -> str:
    """The address by which somebody is known: of IPv6, the part that belongs to one household."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)


def is_near(address: str) -> bool:
    """Whether it is of this machine, where a proxy speaks for everybody: it has limits of its own."""
    return ip_address(address).is_loopback


def hosts_of(address: str, given: Collection[str]) -> Collection[str]:
    """The names that a server at this address goes by. Elsewhere than on this machine alone, the machine may have any."""
    return {*NEAR, *map(str.lower, given)} if is_near(address) or given else ()


def is_untold(headers: Collection[bytes], hosts: Collection[str]) -> bool:
    """Whether a request with these headers came through a proxy, although a server with these names was told of none: whoever sent
    it is not of this machine."""
    return NEAR.issuperset(hosts or {""}) and not FORWARDED.isdisjoint(headers)
