"""A small server on loopback for tests of pages that are alive: it sends frames of a record, or news, when the test says so."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from playwright.sync_api import Browser, Page

from bullring.arena.match.records.reader import Lines
from bullring.arena.watching.page.page import frame_of, head_of, live_page, masked, packed, page
from bullring.arena.watching.picture.frames_json import written
from bullring.arena.watching.picture.reducer import Reducer
from tests.support.browser import BEFORE
from tests.support.patience import PATIENCE

Answer = tuple[str, bytes] | Iterator[bytes] | int | Callable[[BaseHTTPRequestHandler], None]
"""What an address has: a file with its type, events as they happen, nothing, with a status that says why, or a talk of its own."""


def event(kind: str, data: str, id: str = "") -> bytes:
    """An event as it is sent."""
    number = f"id: {id}\n" if id else ""
    return f"{number}event: {kind}\ndata: {data}\n\n".encode()


class Wire:
    """What viewers are connected to. They can be cut off."""

    def __init__(self) -> None:
        self.moved = threading.Condition()
        self.gone = False
        """Whether nobody can be reached."""
        self._cuts = 0

    def cut(self) -> None:
        """Cut all viewers off; they may come back at once unless the wire is `gone`."""
        with self.moved:
            self._cuts += 1
            self.moved.notify_all()

    def streamed(self, more: Callable[[], bytes | None]) -> Iterator[bytes]:
        """Yield what there is `more`, until there never will be (None), or until the viewer is cut off."""
        cuts = self._cuts
        yield b"retry: 50\n\n"
        while True:
            with self.moved:
                while cuts == self._cuts and (piece := more()) == b"":
                    self.moved.wait()
            if cuts != self._cuts or piece is None:
                return
            yield piece


class Stage(Wire):
    """A match whose frames are sent piece by piece: by `play`, until it is `over`."""

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        reducer = Reducer()
        self._lines = lines
        self._bursts = [[*map(frame_of, reducer.feed(masked(entry)))] for entry in lines.each()]
        self._head = head_of(lines.entries[0], reducer.picture)
        self._entries = 1
        """Entries of the record that were played."""
        self._clock: dict[str, Any] | None = None
        self.asked: list[str] = []
        """The ids after which viewers have asked to go on."""

    @property
    def over(self) -> bool:
        """Whether the whole match was played."""
        return self._entries == len(self._bursts)

    @property
    def frames(self) -> Sequence[dict[str, Any]]:
        """The frames that were played."""
        return [frame for burst in self._bursts[: self._entries] for frame in burst]

    def play(self, entries: int = 1, clock: dict[str, Any] | None = None) -> int:
        """Play some more entries of the record; then seats think by this clock. Returns the number of the newest frame, from 0."""
        with self.moved:
            self._entries = min(len(self._bursts), self._entries + entries)
            self._clock = clock
            self.moved.notify_all()
        return len(self.frames) - 1

    def play_until(self, step: str) -> int:
        """Play until an entry has brought such a step. Returns the number of the newest frame, from 0."""
        while True:
            newest = self.play()
            if self.over or any(frame["step"]["is"] == step for frame in self._bursts[self._entries - 1]):
                return newest

    def answer(self, path: str, after: str) -> Answer:
        """What is at an address, for a viewer who knows the event with the id `after`."""
        if not path.endswith("/events"):
            return "text/html", (page(self._lines) if self.over else live_page()).encode()
        self.asked.append(after)
        return 204 if self.over and after == str(len(self.frames)) else self.streamed(self._telling(after))

    def _telling(self, after: str) -> Callable[[], bytes | None]:
        known = int(after or 0)
        ended = False

        def more() -> bytes | None:
            nonlocal known, ended
            frames = self.frames
            if ended or len(frames) == known:
                return None if ended else b""
            told = [
                event("frame", written(frame), str(number)) for number, frame in enumerate(frames[known:], known + 1)
            ]
            if not known:
                told = [event("match", packed(written({**self._head, "frames": frames})), str(len(frames)))]
            known, ended = len(frames), self.over
            if self._clock:
                told.append(event("clock", json.dumps(self._clock)))
            if ended:
                told.append(event("end", json.dumps({"ranks": [], "void": None, "page": "tables/1"})))
            return b"".join(told)

        return more


@contextmanager
def served(wire: Wire, answer: Callable[[str, str], Answer]) -> Iterator[str]:
    """Serve what `answer` has. Gives the address of the server."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = 503 if wire.gone else answer(self.path.partition("?")[0], self.headers["Last-Event-ID"] or "")
            if callable(found):
                self.close_connection = True
                found(self)
                return
            self.send_response(found if isinstance(found, int) else 200)
            if isinstance(found, int):
                self.end_headers()
                return
            kind, pieces = ("text/event-stream", found) if isinstance(found, Iterator) else (found[0], iter([found[1]]))
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.end_headers()
            try:
                for piece in pieces:
                    self.wfile.write(piece)
                    self.wfile.flush()
            except (BrokenPipeError, ConnectionResetError):
                pass

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        wire.cut()
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def staged(stage: Stage) -> Iterator[str]:
    """Serve a stage. Gives the address of its table."""
    with served(stage, stage.answer) as address:
        yield f"{address}/tables/1"


@contextmanager
def viewer(browser: Browser, url: str, **options: Any) -> Iterator[Page]:
    """A viewer of a page, in whose console nothing may go wrong but the network."""
    context = browser.new_context(**{"locale": "en-GB", "reduced_motion": "reduce", **options})
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(BEFORE)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(url)
    try:
        yield page
    except BaseException as error:
        error.add_note("\n".join(said))
        raise
    finally:
        context.close()
    network = ("Failed to load resource", "WebSocket connection to")
    wrong = [text for text in said if not text.startswith(network)]
    assert wrong == [], wrong
