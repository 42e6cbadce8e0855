"""Packages of npm, as the lock file says. No script of a package is run, and none of the bot's."""

import json
import re
from pathlib import Path
from typing import Any

from bullring.arena.cells.dependencies.kind import Command, Files, Kind, asked, from_environment, text_of
from bullring.arena.cells.sandbox.installations import which
from bullring.errors import FilesError, HostError

_LOCK = "package-lock.json"
_ANEW = "npm install --package-lock-only --ignore-scripts --lockfile-version 3"
_MOST = 2000
"""Most packages of a lock file."""

_NAME = r"(?:@[a-z0-9~-][a-z0-9._~-]{0,100}/)?[A-Za-z0-9~_-][A-Za-z0-9._~-]{0,100}"
_PLACE = re.compile(rf"node_modules/{_NAME}(?:/node_modules/{_NAME}){{0,20}}")
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+-]{0,99}")
_RANGE = re.compile(rf"(?:npm:{_NAME}@)?[0-9A-Za-z.*~^<>=| +-]{{0,200}}")
_INTEGRITY = re.compile(r"sha(?:512|384|256|1)-[A-Za-z0-9+/]{20,88}={0,2}")

_RANGES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_FLAGS = ("dev", "optional", "devOptional", "peer")
_MACHINES = ("os", "cpu", "libc")


def _declared(folder: Path) -> Files:
    if not (folder / _LOCK).is_file():
        return {}
    try:
        lock = json.loads(text_of(folder / _LOCK))
        version, packages = lock["lockfileVersion"], lock.get("packages")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise FilesError(f"{_LOCK} is not a lock file of npm; write it anew: {_ANEW}") from None
    if version not in (2, 3) or not isinstance(packages, dict):
        raise FilesError(
            f"{_LOCK} has version {str(version)[:20]}, and 2 and 3 are read, those of npm 7 and newer; write it anew: {_ANEW}"
        )
    root, others = packages.pop("", {}), packages
    if not others:
        return {}
    if len(others) > _MOST:
        raise FilesError(f"{_LOCK} has {len(others)} packages; at most {_MOST} are fetched; bring them in node_modules")
    whole = {"name": "bot", "version": "1.0.0", **_ranges(root)}
    clean = {"": whole, **{place: _package(place, value) for place, value in others.items()}}
    text = {"name": "bot", "version": "1.0.0", "lockfileVersion": 3, "requires": True, "packages": clean}
    return {"package.json": json.dumps(whole).encode(), _LOCK: json.dumps(text).encode()}


def _package(place: str, value: Any) -> dict[str, Any]:
    """An entry of the lock file, without everything that is not known to be harmless. Addresses are left out: npm asks the user's
    registry. Raises `FilesError`."""
    if not isinstance(value, dict) or not _PLACE.fullmatch(place) or value.get("link") or value.get("inBundle"):
        raise FilesError(f"{_LOCK}: {place[:80]!r} is not a package of the registry, and nothing else is fetched")
    version, integrity, name = value.get("version"), value.get("integrity"), value.get("name", "")
    if (
        not _fits(_VERSION, version)
        or not _fits(_INTEGRITY, integrity)
        or (name and not _fits(re.compile(_NAME), name))
    ):
        raise FilesError(
            f"{_LOCK}: {place[:80]!r} has no version and hash of the registry, and nothing else is fetched; got the version"
            f" {str(version)[:80]!r}"
        )
    kept: dict[str, Any] = {"version": version, "integrity": integrity} | ({"name": name} if name else {})
    kept |= {flag: True for flag in _FLAGS if value.get(flag) is True}
    kept |= {
        key: [str(one) for one in value[key] if _fits(_VERSION_OR_WORD, one)]
        for key in _MACHINES
        if isinstance(value.get(key), list)
    }
    return kept | _bin(value) | _ranges(value) | _optional_peers(value)


_VERSION_OR_WORD = re.compile(r"!?[a-z0-9_-]{1,30}")


def _bin(value: dict[str, Any]) -> dict[str, Any]:
    found = value.get("bin")
    if not isinstance(found, dict):
        return {}
    word = re.compile(r"[A-Za-z0-9._-]{1,100}")
    path = re.compile(r"(?:\./)?(?!.*\.\.)[A-Za-z0-9._/-]{1,200}")
    return {"bin": {name: to for name, to in found.items() if _fits(word, name) and _fits(path, to)}}


def _optional_peers(value: dict[str, Any]) -> dict[str, Any]:
    found = value.get("peerDependenciesMeta")
    if not isinstance(found, dict):
        return {}
    return {"peerDependenciesMeta": {name: {"optional": True} for name in found if _fits(re.compile(_NAME), name)}}


def _ranges(value: dict[str, Any]) -> dict[str, Any]:
    """The dependencies of a package, which must be versions of the registry. Raises `FilesError`."""
    found: dict[str, Any] = {}
    for key in _RANGES:
        ranges = value.get(key, {}) if isinstance(value, dict) else {}
        if not isinstance(ranges, dict):
            continue
        for name, range_ in ranges.items():
            if not _fits(re.compile(_NAME), name) or not _fits(_RANGE, range_):
                raise FilesError(
                    f"{_LOCK}: expected versions of packages of the registry; got {str(name)[:80]!r}: {str(range_)[:80]!r}"
                )
            found.setdefault(key, {})[name] = range_
    return found


def _fits(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _command() -> Command:
    npm = which("npm")
    if npm is None:
        raise HostError("packages for JavaScript are fetched by npm, which is not on this machine; install it")
    told = json.loads(asked([npm, "config", "list", "--json"]))
    wanted = ("registry", "proxy", "https-proxy", "noproxy", "strict-ssl", "cafile")
    settings = {name: told[name] for name in wanted if told.get(name) not in (None, "", [], [""])}
    return Command(
        (
            *("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"),
            *("--loglevel", "error"),
        ),
        {
            f"npm_config_{name.replace('-', '_')}": value if isinstance(value, str) else json.dumps(value)
            for name, value in settings.items()
        }
        | from_environment("NODE_EXTRA_CA_CERTS"),
    )


NPM = Kind("JavaScript", "npm", _declared, "node_modules", _command)
