"""A table with an open seat for tests of its page: the match is one of a record, and the test asks the questions of one seat."""

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Request, TextMessage

from bullring.arena.games.rules.game import Option
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.wire import Exchange, Wire
from bullring.arena.watching.page.seat import seat_page
from tests.support.patience import PATIENCE
from tests.support.stage import Answer, Stage, served

TOKEN = "a-token-that-nobody-guesses"


class Table(Stage):
    """A table whose seat 0 is played in a browser, as the record has it."""

    def __init__(self, lines: Lines, rules: dict[str, Any] | None = None) -> None:
        super().__init__(lines)
        head = lines.entries[0]
        self.game = find(head["game"])(len(head["seats"]), head["options"])
        self.questions = [one for one in Wire(lines, 0) if isinstance(one, Exchange)]
        self.posted: list[dict[str, Any]] = []
        """What was posted to sit down."""
        self.told: queue.Queue[dict[str, Any]] = queue.Queue()
        """The messages of the page."""
        self.began = False
        """Whether all have sat down, so that the first card was dealt."""
        self.lost = False
        """Whether its process has died."""
        self.refuses = False
        """Whether nobody may sit down."""
        self.holds: dict[str, dict[str, Any]] = {
            "seat": {
                "is": "seat",
                "seat": 0,
                "names": head["seats"],
                "people": [0, 1],
                "game": self.game.id,
                "rules": {"hints": True, "lessons": True, "back": True, "limit": None, "away": 60} | (rules or {}),
            }
        }
        """What holds now: it is said to whoever comes."""
        self._lines_open: list[Callable[[bytes | int | None], None]] = []

    def _telling(self, after: str) -> Callable[[], bytes | None]:
        telling = super()._telling(after)
        return lambda: telling() if self.began else b""

    def play(self, entries: int = 1, clock: dict[str, Any] | None = None) -> int:
        with self.moved:
            self.began = True
        return super().play(entries, clock)

    def say(self, message: dict[str, Any]) -> None:
        """Tell the seat something."""
        if message["is"] in ("seat", "waiting", "question", "left", "over"):
            self.holds[message["is"]] = message
        data = json.dumps(message).encode()
        for write in [*self._lines_open]:
            write(data)

    def ask(self, exchange: Exchange, left: float | None = None, **more: Any) -> None:
        """Play until the question, and ask it."""
        self.play(exchange.asked_in - self._entries)
        view, options = exchange.question["view"], exchange.question["options"]
        lands = {card: self.game.landings(view, card) for card in view.get("hand", ())}
        about = {"id": exchange.question["id"], "after": len(self.frames), "kind": exchange.kind, "lands": lands}
        clock = {"limit": None if left is None else 30.0, "left": left}
        self.say({"is": "question", **about, "options": options, "view": view, **clock, **more})

    def answered(self, exchange: Exchange) -> Option:
        """Wait for the choice, which is taken. Returns it."""
        choice = self.heard()
        assert choice["id"] == exchange.question["id"]
        self.take(exchange)
        found = choice["choose"]
        return tuple(found) if isinstance(found, list) else found

    def take(self, exchange: Exchange) -> None:
        """Say that the choice is taken."""
        self.holds.pop("question", None)
        self.say({"is": "taken", "id": exchange.question["id"]})

    def heard(self) -> dict[str, Any]:
        """The next message of the page."""
        return self.told.get(timeout=PATIENCE)

    def cut_seat(self) -> None:
        """Cut the line of the seat, as a network does."""
        for write in [*self._lines_open]:
            write(None)

    def close_seat(self, code: int) -> None:
        """Close the line of the seat, and wait until the page has agreed."""
        for write in [*self._lines_open]:
            write(code)
        while self._lines_open:
            time.sleep(0.01)

    def answer(self, path: str, after: str) -> Answer:
        if self.lost:
            return 404
        if path.endswith("/seat"):
            return 503 if self.gone else self._talk
        if path.endswith("/sit"):
            return self._sit
        if not path.endswith("/events") and not self.over:
            return "text/html", b"it is played"
        return super().answer(path, after)

    def _sit(self, request: BaseHTTPRequestHandler) -> None:
        if request.command == "GET":
            body, kind = seat_page().encode(), "text/html"
        else:
            self.posted.append(json.loads(request.rfile.read(int(request.headers["Content-Length"]))))
            said = (
                {"error": {"en": "no such seat", "de": "kein solcher Platz"}}
                if self.refuses
                else {"seat": 0, "name": ""}
            )
            body, kind = json.dumps(said).encode(), "application/json"
        request.send_response(403 if self.refuses and request.command == "POST" else 200)
        request.send_header("Content-Type", f"{kind}; charset=utf-8")
        if request.command == "POST" and not self.refuses:
            request.send_header("Set-Cookie", f"seat={TOKEN}; HttpOnly; SameSite=Strict; Path=/tables/1")
        request.end_headers()
        request.wfile.write(body)

    def _talk(self, request: BaseHTTPRequestHandler) -> None:
        """Speak with the page, whose line this is."""
        if TOKEN not in (request.headers["Cookie"] or ""):
            request.send_error(403)
            return
        sock, line = request.connection, WSConnection(ConnectionType.SERVER)
        lock = threading.Lock()
        line.initiate_upgrade_connection([(k.encode(), v.encode()) for k, v in request.headers.items()], request.path)

        def write(data: bytes | int | None) -> None:
            with lock:
                if data is None:
                    sock.shutdown(2)
                elif isinstance(data, int):
                    sock.sendall(line.send(CloseConnection(data)))
                else:
                    sock.sendall(line.send(TextMessage(data.decode())))

        self._lines_open.append(write)
        try:
            for event in _events(line, sock.recv):
                if isinstance(event, Request):
                    sock.sendall(line.send(AcceptConnection()))
                    for message in [*self.holds.values()]:
                        write(json.dumps(message).encode())
                elif isinstance(event, TextMessage):
                    self.told.put(json.loads(event.data))
                elif isinstance(event, CloseConnection):
                    return
        except OSError:
            pass
        finally:
            self._lines_open.remove(write)


def _events(line: WSConnection, receive: Callable[[int], bytes]) -> Iterator[object]:
    yield from line.events()
    while data := receive(4096):
        line.receive_data(data)
        yield from line.events()


@contextmanager
def table_of(table: Table) -> Iterator[str]:
    """Serve a table. Gives the link to its seat."""
    with served(table, table.answer) as address:
        yield f"{address}/tables/1/sit#{TOKEN}"


def items_of(table: Table, exchange: Exchange, option: Option) -> Sequence[str]:
    """The things that a person points at to choose an option."""
    decision = table.game.decision(exchange.kind)
    if isinstance(option, str):
        return [f"word:{option}"]
    if isinstance(option, int):
        return [f"{decision.names}:{option}"]
    each = decision.each if len(decision.each) > 1 else decision.each * len(option)
    return [f"{kind}:{number}" for kind, number in zip(each, option, strict=True)]
