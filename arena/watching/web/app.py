"""The application: addresses, headers, and requests that are refused. It serves `files`, and topics."""

import re
from collections.abc import Collection, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bullring.arena.watching.web import seats
from bullring.arena.watching.web.addresses import is_untold
from bullring.arena.watching.web.analyses import FOLDER
from bullring.arena.watching.web.connections import Connection, Rates, complain
from bullring.arena.watching.web.files import NOTHING, contents, place_of
from bullring.arena.watching.web.refusals import refusal
from bullring.arena.watching.web.tables import Tables
from bullring.arena.watching.web.topics import Topic
from bullring.arena.watching.web.viewers import GREETING, Viewer
from bullring.arena.watching.web.wants import Wants

FIRST = "index.html"
LIVE = "live.html"
"""The page of every match that is being played."""

SEAT = "sit.html"
"""The page of every seat."""

LONGEST_PATH = 200

_FILE = re.compile(r"(?:[a-z]+/)?[a-z0-9-]+\.(?:html|js|png)")
_OWN_PAGE = re.compile(r"replays/([0-9]{1,15})\.html")
_FACTS = re.compile(r"api(?:/[a-z]+)?/(?:[a-z]+|[0-9]{1,19})")
"""Facts for programs. Their files end with ".json"."""

_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass
class Shown:
    """All that can be seen."""

    folders: Sequence[Path]
    """The folders of files, the first that has one counts."""
    topics: MutableMapping[str, Topic]
    """The front under "", and matches by their numbers."""
    hosts: Collection[str] = ()
    """The names by which browsers may call this server; empty: any. A page of a stranger could otherwise have its own name lead
    here, and read what is served."""
    most_viewers: int = 10_000
    known: trio.Event = field(default_factory=trio.Event)
    """Whether the topics are known. Until then nobody is sent away who comes back to one, perhaps from an earlier server."""
    tables: Tables | None = None
    """The way to tables with people, if there are any."""
    wants: Wants | None = None
    """The way to a feed that shows what it is asked for, if there is one."""


def application(shown: Shown) -> ASGIApp:
    """The application."""
    found = Starlette(routes=routes(shown), exception_handlers={HTTPException: partial(_refused, shown)})
    found.router.redirect_slashes = False
    return Guard(found, shown)


def routes(shown: Shown) -> list[Route]:
    """All addresses, but that at which a seat connects (`seats.connect`)."""
    return [
        *(() if shown.tables is None else _with_people(shown, shown.tables)),
        Route("/", partial(_file, shown), methods=["GET"]),
        Route("/events", partial(_events, shown), methods=["GET"]),
        Route("/tables/{key}", partial(_table, shown), methods=["GET"]),
        Route("/tables/{key}/sit", partial(_seat, shown), methods=["GET"]),
        Route("/tables/{key}/events", partial(_events, shown), methods=["GET"]),
        Route("/tables/{key}/analysis", partial(_analysis, shown), methods=["GET"]),
        Route("/{path:path}", partial(_file, shown), methods=["GET"]),
    ]


def _with_people(shown: Shown, tables: Tables) -> Sequence[Route]:
    return [
        Route("/tables/{key}/analysis", partial(_analyse, shown, tables), methods=["POST"]),
        Route("/tables", partial(seats.listed, tables), methods=["GET"]),
        Route("/tables", partial(seats.make, tables), methods=["POST"]),
        Route("/tables/{key}/sit", partial(seats.sit, tables), methods=["POST"]),
    ]


class Guard:
    """Refuses requests of a kind that nobody needs, and completes the headers of all answers. Mistakes of ours end here."""

    def __init__(self, app: ASGIApp, shown: Shown) -> None:
        self._app = app
        self._shown = shown
        self._rates = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            await self._answer(scope, receive, send)
        except Exception as error:  # where nothing was answered, Hypercorn answers 500
            complain(error)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: Connection = scope["state"]["connection"]
        connection.asks()
        refused = self._refusal(scope, connection)
        if refused is None and seats.is_for_seat(scope):
            status = seats.connect(self._shown.tables, scope)
            if status is None:
                return
            refused = refusal(self._shown.folders, scope, status)
        app: ASGIApp = self._app if refused is None else refused

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = {name for name, _ in message["headers"]}
                more = {"content-security-policy": f"{NOTHING}; frame-ancestors 'none'", **_HEADERS}
                if refused is not None:
                    more["connection"] = "close"  # whatever else is on its way is not read
                message["headers"] += [
                    (name.encode(), value.encode()) for name, value in more.items() if name.encode() not in sent
                ]
            await send(message)

        await app(scope, receive, complete)
        connection.rests()

    def _refusal(self, scope: Scope, connection: Connection) -> Response | None:
        """The answer to a request that is refused."""
        headers = dict(scope["headers"])
        refuse = partial(refusal, self._shown.folders, scope)
        if scope["http_version"] not in ("1.0", "1.1"):
            return refuse(505)
        if not self._rates.allows(connection.address):
            return refuse(429, {"retry-after": "10"})
        method = scope.get("method", "GET")
        takes = self._shown.tables is not None and seats.POSTS.fullmatch(scope["raw_path"].decode("latin-1"))
        if method not in ("GET", "HEAD") and not (takes and method == "POST"):
            return refuse(405, {"allow": "GET, HEAD, POST" if takes else "GET, HEAD"})
        length = headers.get(b"content-length", b"0")
        most = seats.LONGEST_BODY if method == "POST" else 0
        if b"transfer-encoding" in headers or len(length) > 9 or int(length) > most:
            return refuse(413)
        if method == "POST" and (seats.is_from_elsewhere(headers) or is_untold(headers, self._shown.hosts)):
            return refuse(403)
        if len(scope["raw_path"]) > LONGEST_PATH:
            return refuse(414)
        if self._shown.hosts and _host(headers.get(b"host", b"")) not in self._shown.hosts:
            return refuse(421)
        return None


def _host(header: bytes) -> str:
    """The name in a Host header, without the port."""
    found = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:\[\]]*)(?::[0-9]*)?", header.decode("latin-1").lower())
    return found[1] if found else ""


async def _refused(shown: Shown, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal(shown.folders, request.scope, error.status_code, error.headers)


async def _file(shown: Shown, request: Request) -> Response:
    """A file of the folder."""
    path = request.scope["raw_path"].decode("latin-1").removeprefix("/") or FIRST
    if path.removesuffix("/") == "api":
        path = "api/openapi"  # what else there is
    if _FACTS.fullmatch(path.removesuffix(".json")):
        return contents(shown.folders, f"{path.removesuffix('.json')}.json", request)
    if not _FILE.fullmatch(path):
        raise HTTPException(404)
    try:
        return contents(shown.folders, path, request)
    except HTTPException:
        if found := _OWN_PAGE.fullmatch(path):  # which is there as long as the match is one of the newest
            return RedirectResponse(f"../tables/{found[1]}", 302, {"cache-control": "no-cache"})
        raise


async def _table(shown: Shown, request: Request) -> Response:
    """A match: alive while it is played, and from then on its replay."""
    key = request.path_params["key"]
    if not re.fullmatch(seats.ANY_KEY, key):
        raise HTTPException(404)
    found = _replay(shown, key, request)
    if found is None and key not in shown.topics and shown.known.is_set() and shown.wants is not None:
        await shown.wants.match(key)
        found = _replay(shown, key, request)
    if found is not None:
        return found
    if key not in shown.topics and shown.known.is_set():
        raise HTTPException(404)
    return contents(shown.folders, LIVE, request)


def _replay(shown: Shown, key: str, request: Request) -> Response | None:
    """A match that is over; None if there is no page of it."""
    for name in (f"replays/{key}.html", f"tables/{key}.html"):
        with suppress(HTTPException):
            return contents(shown.folders, name, request)
    place = place_of(shown.folders, int(key)) if key.isdecimal() else None
    return RedirectResponse(f"../match.html?{place}", 302, {"cache-control": "no-cache"}) if place else None


def _is_over(shown: Shown, key: str) -> bool:
    """Whether there is a replay under a key."""
    if not re.fullmatch(seats.ANY_KEY, key):
        return False
    if any(
        (folder / name).is_file() for folder in shown.folders for name in (f"replays/{key}.html", f"tables/{key}.html")
    ):
        return True
    return key.isdecimal() and place_of(shown.folders, int(key)) is not None


async def _analysis(shown: Shown, request: Request) -> Response:
    """How far the analysis of a match is, and the analysis once it is made."""
    key = request.path_params["key"]
    if not _is_over(shown, key):
        raise HTTPException(404)
    try:
        return contents(shown.folders, f"{FOLDER}/{key}.json", request)
    except HTTPException:
        state = {"state": "none"} if shown.tables is None else await seats.seek(shown.tables, request)
        return JSONResponse(state, 200, {"cache-control": "no-cache"})


async def _analyse(shown: Shown, tables: Tables, request: Request) -> Response:
    """Have a match analysed."""
    key = request.path_params["key"]
    if not _is_over(shown, key):
        raise HTTPException(404)
    return await seats.analyse(tables, request)


async def _seat(shown: Shown, request: Request) -> Response:
    """The page of a seat; of a table that is over, what everybody sees."""
    topic = shown.topics.get(request.path_params["key"])
    if topic is None or topic.over or not re.fullmatch(seats.KEY, request.path_params["key"]):
        return RedirectResponse(f"/tables/{request.path_params['key']}", 302, {"cache-control": "no-cache"})
    return contents(shown.folders, SEAT, request)


async def _events(shown: Shown, request: Request) -> Response:
    """The events of a topic."""
    await shown.known.wait()
    key = request.path_params.get("key", "")
    if key and not re.fullmatch(seats.ANY_KEY, key):
        raise HTTPException(404)
    if key not in shown.topics and shown.wants is not None and not _is_over(shown, key):
        await shown.wants.match(key)
    topic = shown.topics.get(key)
    if topic is None:
        raise HTTPException(204)  # which tells browsers not to come back
    if sum(map(len, shown.topics.values())) >= shown.most_viewers:
        raise HTTPException(503, headers={"retry-after": "30"})
    return _Events(topic, request.headers.get("last-event-id", ""))


class _Events(Response):
    """The events of a topic after the one with this id."""

    def __init__(self, topic: Topic, id: str) -> None:
        super().__init__(
            None, 200, {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}, "text/event-stream"
        )
        del self.headers["content-length"]
        self._topic = topic
        self._id = id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        await send({"type": "http.response.body", "body": GREETING, "more_body": True})
        connection: Connection = scope["state"]["connection"]
        viewer = Viewer(connection, chunked=scope["http_version"] == "1.1")
        self._topic.join(viewer, self._id)
        try:
            await _while_there(viewer, receive)
        finally:
            self._topic.leave(viewer)
        if not connection.gone:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _while_there(viewer: Viewer, receive: Receive) -> None:
    """Run a viewer until it was told everything, or leaves."""
    async with trio.open_nursery() as nursery:

        async def leaves() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            nursery.cancel_scope.cancel()

        nursery.start_soon(leaves)
        await viewer.run()
        nursery.cancel_scope.cancel()
