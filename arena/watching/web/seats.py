"""Requests of people who make a table, sit down at one, or want a match analysed. What they say is passed on as it came; the
processes of tables read it."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope
from wsproto import ConnectionType, WSConnection
from wsproto.utilities import ProtocolError

from bullring.arena.watching.web.connections import Connection
from bullring.arena.watching.web.tables import Tables

KEY = "p[0-9a-f]{10}"
"""The keys of tables with people. Matches of ladders have numbers."""

LONGEST_BODY = 1 << 12
"""Bytes of the longest body of a request."""

BODY_PATIENCE = 10.0
"""Seconds in which a body must be there."""

COOKIE = "seat"
"""The cookie by which a browser is known at a table."""

COOKIE_AGE = 86_400
"""Seconds for which a browser keeps it."""

ANY_KEY = f"[1-9][0-9]{{0,18}}|{KEY}"
"""The keys of all matches."""

POSTS = re.compile(f"/tables(?:/{KEY}/sit|/(?:{ANY_KEY})/analysis)?")
"""The addresses that take something."""

_SEAT = re.compile(f"/tables/({KEY})/seat")
_COOKIE = re.compile(rf"(?:^|;)\s*{COOKIE}=([A-Za-z0-9_-]{{1,64}})(?:;|$)")


def is_from_elsewhere(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a page of another site has sent this. Programs that are no browsers say nothing of where they come from."""
    origin = headers.get(b"origin")
    if origin is None:
        return headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none")
    try:
        return urlsplit(origin.decode("latin-1").lower()).netloc.encode("latin-1") != headers.get(b"host", b"").lower()
    except ValueError:
        return True


async def listed(tables: Tables, _: Request) -> Response:
    """What tables can be made."""
    status, facts, _cookie = await tables.listed()
    return _answer(status, {"may": tables.may_make, **facts})


async def make(tables: Tables, request: Request) -> Response:
    """Make a table."""
    if not tables.may_make:
        raise HTTPException(403)
    body, is_form = await _body(request)
    address = _address_of(request)
    status, facts, _ = await tables.ask(address, "make", address, body, is_form)
    return _answer(status, facts)


async def sit(tables: Tables, request: Request) -> Response:
    """Take a seat: from now on the browser is known by a cookie."""
    body, is_form = await _body(request)
    key = request.path_params["key"]
    known_by = cookie_of(request.headers.get("cookie", ""))
    status, facts, cookie = await tables.ask(_address_of(request), "sit", key, body, is_form, known_by)
    answer = _answer(status, facts)
    if cookie:
        answer.set_cookie(
            COOKIE,
            cookie,
            max_age=COOKIE_AGE,
            path=f"/tables/{key}",
            httponly=True,
            samesite="strict",
            secure=request.headers.get("origin", "").startswith("https:"),
        )
    return answer


async def analyse(tables: Tables, request: Request) -> Response:
    """Have a match analysed. A body is not read."""
    address = _address_of(request)
    status, facts, _ = await tables.ask(address, "analyse", request.path_params["key"], address)
    return _answer(status, facts)


async def seek(tables: Tables, request: Request) -> Mapping[str, Any]:
    """How far the analysis of a match is of which there is no file: one that is kept will be shown soon."""
    address = _address_of(request)
    status, facts, _ = await tables.ask(address, "seek", request.path_params["key"], address)
    return facts if status in (200, 202) else {"state": "none"}


def is_for_seat(scope: Scope) -> bool:
    """Whether a request wants to become a WebSocket: nothing else here does."""
    headers = dict(scope["headers"])
    wished = (
        headers.get(b"upgrade", b"").lower() == b"websocket" and b"upgrade" in headers.get(b"connection", b"").lower()
    )
    return wished and scope["method"] == "GET"


def connect(tables: Tables | None, scope: Scope) -> int | None:
    """Hand over a connection that wants to become a seat's, to be answered by the table. Returns the status if it is refused."""
    found = _SEAT.fullmatch(scope["raw_path"].decode("latin-1"))
    headers = dict(scope["headers"])
    if tables is None or found is None or is_from_elsewhere(headers):
        return 403
    lines = [b"GET %b HTTP/1.1" % scope["raw_path"], *(b"%b: %b" % pair for pair in scope["headers"]), b"", b""]
    head = b"\r\n".join(lines)
    try:
        WSConnection(ConnectionType.SERVER).receive_data(head)  # as the table does
    except (ProtocolError, ValueError):
        return 400
    if scope["http_version"] != "1.1":
        return 400
    cookie = cookie_of(headers.get(b"cookie", b"").decode("latin-1"))
    tables.hand_over(scope["state"]["connection"], "seat", found[1], cookie, head)
    return None


def cookie_of(header: str) -> str:
    """The cookie of a seat; empty if there is none."""
    found = _COOKIE.search(header)
    return found[1] if found else ""


async def _body(request: Request) -> tuple[bytes, bool]:
    """The body of a request, and whether it is a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", "application/x-www-form-urlencoded"):
        raise HTTPException(415)
    with trio.move_on_after(BODY_PATIENCE):
        return await request.body(), kind != "application/json"
    raise HTTPException(408)


def _address_of(request: Request) -> str:
    connection: Connection = request.scope["state"]["connection"]
    return connection.address


def _answer(status: int, facts: Mapping[str, object]) -> Response:
    later = {"retry-after": "5"} if status == 503 else {}
    return JSONResponse(facts, status, {"cache-control": "no-store", **later})
