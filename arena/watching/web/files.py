"""The files that are served: those of a few folders, by names of a strict form, never by walking a path that somebody gives.

Every page says in its head which scripts and styles it allows; the same is sent as a header, in which it also holds before the page
is read.
"""

import html
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

PLACES = "places.json"
"""The pages of matches that are over: by list, "first" (the place of the first of these "ids" among all of the list), "shelf"."""

NOTHING = "default-src 'none'"
"""The policy of what is no page."""

MOST_KEPT = 1 << 24
"""Bytes of files that are kept as they were read last, so that all who are sent one share it."""

_kept: dict[tuple[str, str], bytes] = {}
"""Files by their names and tags, the one that was asked for last at the end."""

_KINDS = {"html": "text/html", "js": "text/javascript", "png": "image/png", "json": "application/json"}
_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')

Folders = Sequence[Path]
"""Of several folders that have a file, the first counts."""


def place_of(folders: Folders, match: int) -> str | None:
    """The place of a match on the shelves of the site."""
    try:
        with opened(folders, PLACES) as file:
            lists = json.load(file)
    except FileNotFoundError:
        return None
    for list_, found in lists.items():
        if match in found["ids"]:
            at = found["first"] + found["ids"].index(match)
            return f"{list_}-{at // found['shelf']}-{match}"
    return None


def opened(folders: Folders, name: str) -> BinaryIO:
    """A file of the folders. Raises `FileNotFoundError`."""
    for folder in folders:
        with suppress(OSError):
            return os.fdopen(os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW), "rb")
    raise FileNotFoundError(name)


def contents(folders: Folders, name: str, request: Request) -> Response:
    """A file, or that it has not changed. Raises `HTTPException`."""
    try:
        file = opened(folders, name)
    except FileNotFoundError:
        raise HTTPException(404) from None
    with file:
        about = os.fstat(file.fileno())
        tag = f'"{about.st_mtime_ns:x}-{about.st_size:x}-{about.st_ino:x}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        data = _shared(name, tag, file)
    if name.endswith(".html"):
        # Also without the page: browsers take the headers of this answer for those of the page that they have.
        headers["content-security-policy"] = policy_of(data)
    if tag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    return Response(data, 200, headers, _KINDS[name.rpartition(".")[2]])


def _shared(name: str, tag: str, file: BinaryIO) -> bytes:
    """What a file has, the same object for all as long as it is kept."""
    data = _kept.pop((name, tag), None)
    if data is None:
        data = file.read()
        while _kept and sum(map(len, _kept.values())) + len(data) > MOST_KEPT:
            del _kept[next(iter(_kept))]
    if len(data) <= MOST_KEPT:
        _kept[name, tag] = data
    return data


def policy_of(page: bytes) -> str:
    """What a page allows, as a header says it."""
    found = _POLICY.search(page, 0, 2000)
    return f"{html.unescape(found[1].decode()) if found else NOTHING}; frame-ancestors 'none'"
