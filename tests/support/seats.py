"""People at a table in browsers: clients that speak HTTP and WebSockets by hand, and the processes that serve them."""

import json
import os
import re
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, RejectConnection, Request, TextMessage

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.kinds import SERVER
from bullring.arena.watching.web.handing import MOST, pair
from bullring.arena.watching.web.replays import Replays
from bullring.arena.watching.web.serving import Hall, listening
from bullring.ladder.store.home import Home
from bullring.ladder.watching.web.serving import hall_of
from tests.support.patience import PATIENCE
from tests.support.web import unchunked

Message = dict[str, Any]

ANALYSE = 300
"""Seconds of a processor for an analysis."""


@dataclass(frozen=True)
class Way:
    """How browsers reach a server."""

    port: int
    name: str = "127.0.0.1"
    """What browsers call it."""
    tls: ssl.SSLContext | None = None
    """With TLS, as a proxy has it: whom browsers trust."""

    @property
    def host(self) -> str:
        """As in the header of this name."""
        return f"{self.name}:{self.port}"

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"{'https' if self.tls else 'http'}://{self.host}"

    def connect(self) -> socket.socket:
        """A connection."""
        made = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        return made if self.tls is None else self.tls.wrap_socket(made, server_hostname=self.name)


@dataclass
class Visited:
    """A server, as people and viewers see it."""

    way: Way
    browsers: list["Browser"] = field(default_factory=list)

    def asks(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any, str]:
        """A request: the status, the JSON or text of the answer, and the cookie that is set."""
        data = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        lines = {"Host": self.way.host, "Connection": "close", "Content-Length": str(len(data))}
        if body is not None:
            lines["Content-Type"] = "application/json"
        lines |= {key.replace("_", "-"): value for key, value in headers.items()}
        head = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
        with self.way.connect() as connection:
            connection.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data)
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        first, _, text = answer.partition(b"\r\n\r\n")
        names = dict(line.partition(": ")[::2] for line in first.decode().lower().split("\r\n")[1:])
        with suppress(ValueError):
            return int(first.split()[1]), json.loads(text), self._cookie(first.decode())
        return int(first.split()[1]), text.decode() or names.get("location", ""), self._cookie(first.decode())

    @staticmethod
    def _cookie(head: str) -> str:
        found = [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("set-cookie")]
        return found[0] if found else ""

    def makes(self, **wish: Any) -> tuple[str, list[str]]:
        """Make a table: its key, and the tokens of its seats."""
        status, made, _ = self.asks("POST", "/tables", wish)
        assert status == 201, (status, made)
        return made["key"], [one["link"].partition("#")[2] for one in made["links"]]

    def sits(self, key: str, token: str, **more: str) -> "Browser":
        """A browser that takes a seat."""
        status, facts, cookie = self.asks("POST", f"/tables/{key}/sit", {"token": token, **more})
        assert status == 200, (status, facts)
        return self.browser(key, cookie.partition(";")[0])

    @contextmanager
    def watches(self, path: str, last: str = "") -> Iterator["Viewer"]:
        """A viewer of events, who knows those up to the last one."""
        with self.way.connect() as connection:
            lines = {"Host": self.way.host, "Accept-Encoding": "gzip", "Connection": "close", "Last-Event-ID": last}
            head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
            connection.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
            yield Viewer(connection)

    def browser(self, key: str, cookie: str) -> "Browser":
        """A browser with this cookie."""
        self.browsers.append(Browser(self.way, key, cookie))
        return self.browsers[-1]


@dataclass(kw_only=True)
class House(Visited):
    """A server with its steward, without a ladder."""

    folder: Path
    hall: "Hall | Overheard"
    listener: socket.socket
    steward: Child
    server: Child
    news: int
    """The pipe of its feed, which has nothing to tell."""
    hosts: str
    """The names by which browsers may call the server, with commas between; empty: any."""

    def serves_again(self) -> None:
        """Kill the server, and start another one."""
        self.server.kill()
        os.close(self.news)
        self.server.end()
        self.server, self.news = _server(self.folder, self.hall, self.listener, self.hosts)

    @property
    def port(self) -> int:
        """The port at which it listens."""
        return int(self.listener.getsockname()[1])

    @property
    def records(self) -> list[Path]:
        """The records of its tables."""
        return sorted((self.folder / "home" / "tables").glob("*.jsonl"))


class Browser:
    """A browser at its seat."""

    def __init__(self, way: Way, key: str, cookie: str) -> None:
        self.way = way
        self.key = key
        self.cookie = cookie
        self.heard: list[Message] = []
        """All that it was ever told."""
        self.asked: Message | None = None
        """The question that is open."""
        self.code: int | None = None
        """Why the connection was closed."""
        self._socket: socket.socket | None = None

    def connect(self, **headers: str) -> int:
        """Connect to the seat. Returns the status of the answer."""
        self.cut()
        self._socket = self.way.connect()
        self._protocol = WSConnection(ConnectionType.CLIENT)
        self._text, self.code = "", None
        self._came: list[Message] = []
        own = {"Cookie": self.cookie, "Origin": self.way.origin} | headers
        extra = [(name.encode(), value.encode()) for name, value in own.items() if value]
        self._socket.sendall(
            self._protocol.send(Request(host=self.way.host, target=f"/tables/{self.key}/seat", extra_headers=extra))
        )
        self.status = 0
        while not self.status:
            self._read()
        return self.status

    @property
    def port(self) -> int:
        """Its own end of the connection."""
        assert self._socket is not None
        return int(self._socket.getsockname()[1])

    def next(self) -> Message | None:
        """The next message; None if the connection is closed."""
        while not self._came:
            if self.code is not None:
                return None
            self._read()
        message = self._came.pop(0)
        self.heard.append(message)
        if message["is"] in ("question", "taken"):
            self.asked = message if message["is"] == "question" else None
        return message

    def until(self, *kinds: str) -> Message:
        """The next message of one of these kinds."""
        while (message := self.next()) is not None:
            if message["is"] in kinds:
                return message
        raise AssertionError(f"closed with {self.code} before {kinds}: {self.heard[-3:]}")

    def says(self, message: object) -> None:
        """Send a message."""
        self.sends(json.dumps(message))

    def sends(self, text: str) -> None:
        """Send a text."""
        assert self._socket is not None
        self._socket.sendall(self._protocol.send(TextMessage(text)))

    def chooses(self, question: Message, option: Any = None) -> None:
        """Answer a question; with the first option, unless there is another one."""
        self.says({"choose": question["options"][0] if option is None else option, "id": question["id"]})

    def plays(self, act: Callable[["Browser", Message], None] | None = None) -> Message:
        """Play until the match is over. Returns the message that says so."""
        if self.asked is not None:
            (act or Browser.chooses)(self, self.asked)
        while (message := self.until("question", "over", "broken"))["is"] == "question":
            (act or Browser.chooses)(self, message)
        return message

    def cut(self) -> None:
        """Lose the connection."""
        if self._socket is not None:
            self._socket.close()

    def _read(self) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            self._socket.close()
            self.code, self.status = self.code or 1006, self.status or 1
            return
        self._protocol.receive_data(data)
        for event in self._protocol.events():
            match event:
                case AcceptConnection():
                    self.status = 101
                case RejectConnection():
                    self.status, self.code = event.status_code, 1006
                    self._socket.close()
                case Ping():
                    with suppress(OSError):  # closed since: what came before that is still to be read
                        self._socket.sendall(self._protocol.send(event.response()))
                case CloseConnection():
                    self.code = int(event.code)
                    self._socket.close()
                case TextMessage():
                    self._text += event.data
                    if event.message_finished:
                        self._came.append(json.loads(self._text))
                        self._text = ""


class Viewer:
    """A viewer of events: as an iterator, their kinds and data as they come, until the stream ends."""

    def __init__(self, connection: socket.socket) -> None:
        self.read = b""
        """All bytes that have come."""
        self.frame = 0
        """The number of the newest frame that was taken."""
        self._connection = connection
        self._taken = 0

    def __iter__(self) -> "Viewer":
        return self

    def __next__(self) -> tuple[str, str]:
        while True:
            found = re.findall(rb"(?:id: (\d+)\n)?event: (\w+)\ndata: ([^\n]*)\n\n", unchunked(self.read))
            if len(found) > self._taken:
                id, kind, data = found[self._taken]
                self._taken += 1
                self.frame = int(id or self.frame)
                return kind.decode(), data.decode()
            try:
                came = self._connection.recv(1 << 16)
            except OSError:
                came = b""
            if not came:
                raise StopIteration
            self.read += came

    def reads(self) -> None:
        """Wait for some bytes, also if they are no event."""
        came = self._connection.recv(1 << 16)
        assert came, "cut off"
        self.read += came

    def until(self, frame: int) -> None:
        """Wait until this frame has come."""
        while self.frame < frame:
            next(self)


class Overheard:
    """A hall that keeps all that its steward and its servers tell each other."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.news = b""
        """What the steward has told on the pipes of servers."""
        self.messages: list[bytes] = []
        """What was said on their lines, in both directions."""

    @contextmanager
    def server(self) -> Iterator[tuple[str, Sequence[int]]]:
        with self._hall.server() as (word, (line, news)):
            ours, servers = pair()
            hears, told = os.pipe()
            steward = socket.socket(fileno=os.dup(line))
            for passing, ends in ((self._pass, (steward, ours)), (self._tell, (os.dup(news), told))):
                threading.Thread(target=passing, args=ends, daemon=True).start()
            with servers:
                yield f"{servers.fileno()},{hears},{word[-1]}", [servers.fileno(), hears]
            os.close(hears)

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with one, other, suppress(OSError):
            while True:
                for source in select.select([one, other], [], [])[0]:
                    data, passed, _, _ = socket.recv_fds(source, MOST, 4)
                    if not data:
                        return
                    self.messages.append(data)
                    socket.send_fds(other if source is one else one, [data], passed)
                    for fd in passed:
                        os.close(fd)

    def _tell(self, source: int, to: int) -> None:
        with suppress(OSError):
            while data := os.read(source, 1 << 16):
                self.news += data
                os.write(to, data)
        os.close(source)
        os.close(to)


def together(*deeds: Callable[[], object]) -> list[Any]:
    """Do all this at the same time. Returns what it brings."""
    found: dict[int, object] = {}
    raised: list[BaseException] = []

    def do(at: int) -> None:
        try:
            found[at] = deeds[at]()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=do, args=(at,), daemon=True) for at in range(len(deeds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE * 4)
    if raised:
        raise raised[0]
    return [found[at] for at in range(len(deeds))]


def _server(folder: Path, hall: "Hall | Overheard", listener: socket.socket, hosts: str) -> tuple[Child, int]:
    """A server, and the pipe of a feed that has nothing to tell."""
    hears, news = os.pipe()
    fd = listener.fileno()
    with hall.server() as (tables, more):
        server = Child(SERVER, str(folder), str(hears), hosts, tables, str(fd), passed=[hears, fd, *more])
    os.close(hears)
    tell(news, "known")
    assert next(iter(server.ear()))[0] == "ready"
    return server, news


@contextmanager
def house(folder: Path, *, may_make: bool = True, hosts: str = "", overhear: bool = False) -> Iterator[House]:
    """A server with a steward. The bots are the built-in ones."""
    for name in ("site", "more"):
        (folder / name).mkdir()
    for name in ("live", "sit"):
        (folder / "more" / f"{name}.html").write_text(f"<p>{name}")
    home = Home.create(folder / "home", ())
    with ExitStack() as stack:
        sockets, _ = stack.enter_context(listening("127.0.0.1", 0))
        hall = stack.enter_context(hall_of(home, Replays(folder / "more", offered=True), ANALYSE, may_make=may_make))
        (steward,) = hall.start()
        way_in = Overheard(hall) if overhear else hall
        server, news = _server(folder, way_in, sockets[0], hosts)
        found = House(
            way=Way(sockets[0].getsockname()[1]),
            folder=folder,
            hall=way_in,
            listener=sockets[0],
            steward=steward,
            server=server,
            news=news,
            hosts=hosts,
        )
        try:
            yield found
        finally:
            for browser in found.browsers:
                browser.cut()
            os.close(found.news)
            found.server.end()
            found.steward.end()
