"""The container engine of this machine, Docker or Podman: found, asked with a deadline, and never trusted to answer."""

import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import trio

from bullring.errors import EngineRefusal, HostError

T = TypeVar("T")

SOCKETS = (Path("/var/run/docker.sock"), Path("/run/podman/podman.sock"))
"""Where engines listen, unless DOCKER_HOST says otherwise."""

CALL_LIMIT = 20.0
"""Seconds that the engine may take for one thing, unless more are given."""

CALLS_AT_ONCE = 8
"""Calls under way at the same time, those included that nobody waits for any more."""

_UNIX = "unix://"

_UIDS = range(1 << 30, (1 << 31) - 1)
"""Users for bots, far above what machines give to people and services; engines know none beyond."""
_FEW_UIDS = range(20_000, 60_000)
"""What there is where the engine lives in a user namespace, with its 65536 users."""


def find_socket() -> Path:
    """The socket of the engine. Raises `HostError` if there is none that could serve."""
    named = os.environ.get("DOCKER_HOST", "")
    if named:
        if not named.startswith(_UNIX):
            raise HostError(
                f"DOCKER_HOST is {named}, but bots can only run in an engine of this machine (unix:///...): "
                "another one does not see their folders"
            )
        return Path(named.removeprefix(_UNIX))
    for path in SOCKETS:
        if path.is_socket():
            return path
    places = " and ".join(map(str, SOCKETS))
    raise HostError(
        f"there is no container engine: nothing listens at {places}. Install docker.io, or start Podman's service "
        "(systemctl start podman.socket), or name its socket: DOCKER_HOST=unix:///..."
    )


class Engine:
    """The engine behind one socket. Made by `open_engine`.

    All that is asked is asked in a thread and with a deadline; an engine that fails or does not answer is a `HostError`.
    """

    def __init__(self, path: Path, client: Any) -> None:
        self.path = path
        self.client = client
        """Of the engine's SDK. Every call is a new connection: a kept one would still be answered by an engine that goes down."""
        self.info: dict[str, Any] = {}
        self.is_podman = False
        self._lifeline: socket.socket | None = None
        self._limiter = trio.CapacityLimiter(CALLS_AT_ONCE)

    def __repr__(self) -> str:
        return f"<Engine at {self.path}>"

    async def call(self, what: str, do: Callable[[], T], *, limit: float = CALL_LIMIT) -> T:
        """Have the engine do something. `what` is told if it fails: "create a container".

        Raises `HostError`, `EngineRefusal` if the engine finds fault with what was asked, and `LookupError` if the subject does not
        exist. When the time is up, or we are cancelled, the thread is left to itself; it ends with its connection's own time limit.
        """
        from docker.errors import APIError, DockerException, NotFound

        def knock_and_do() -> T:
            self._knock()
            return do()

        try:
            with trio.fail_after(limit):
                return await trio.to_thread.run_sync(knock_and_do, abandon_on_cancel=True, limiter=self._limiter)
        except trio.TooSlowError:
            raise HostError(
                f"the container engine at {self.path} took more than {limit:g} s to {what}; restart it"
            ) from None
        except NotFound as error:
            raise LookupError(error.explanation) from None
        except APIError as error:
            kind = EngineRefusal if error.is_client_error() else HostError
            raise kind(f"the container engine refused to {what}: {error.explanation}") from None
        except (OSError, DockerException, ValueError) as error:  # the exceptions of requests are OSErrors
            raise HostError(
                f"the container engine at {self.path} failed to {what}; does it run? ({_root(error)})"
            ) from None

    def _knock(self) -> None:
        """Connect once ahead: where nobody listens the SDK leaves its socket open. Raises `OSError`."""
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(CALL_LIMIT)
            probe.connect(str(self.path))

    @cached_property
    def runtimes(self) -> set[str]:
        """The runtimes it knows by name: runc, runsc."""
        return set(self.info.get("Runtimes") or ())

    def is_gone(self) -> bool:
        """Whether the engine that we opened has ended since, even if another one answers in its place by now."""
        if self._lifeline is None:
            return False
        try:
            while self._lifeline.recv(65536):
                pass
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True

    def draw_uid(self) -> int:
        """A user for one bot, whom no other bot of this machine runs as: the kernel counts much by user."""
        return secrets.choice(_FEW_UIDS if self._is_mapped() else _UIDS)

    def _is_mapped(self) -> bool:
        options = " ".join(self.info.get("SecurityOptions") or ())
        return "name=userns" in options or "name=rootless" in options

    async def _open(self) -> None:
        """Get to know it. Raises `HostError`."""
        self.info = await self.call("tell about itself", self.client.info)
        version = await self.call("tell its version", self.client.version)
        self.is_podman = any(part.get("Name") == "Podman Engine" for part in version.get("Components") or ())
        lacking = [
            name
            for name, key in (
                ("memory", "MemoryLimit"),
                ("processor time", "CpuCfsQuota"),
                ("processes", "PidsLimit"),
            )
            if self.info.get(key) is False
        ]
        if lacking:
            raise HostError(
                f"the container engine at {self.path} cannot limit {', '.join(lacking)}: the cgroup controllers for that are "
                "not enabled on this machine"
            )
        self._lifeline = await self.call("tell its events", self._events)

    def _events(self) -> socket.socket:
        """A connection that lives as long as the engine: a stream of events, with a filter that lets none through."""
        response = self.client.get(
            self.client._url("/events"),
            params={"filters": '{"label": ["bullring.lifeline=never"]}'},
            stream=True,
            timeout=CALL_LIMIT,
        )
        self.client._raise_for_status(response)
        return take_socket(self.client, response)

    def _close(self) -> None:
        if self._lifeline is not None:
            self._lifeline.close()
        self.client.close()


@asynccontextmanager
async def open_engine(path: Path | None = None) -> AsyncIterator[Engine]:
    """The engine at this socket, or else the one that is found. Raises `HostError` if there is none, or it cannot serve."""
    path = path or find_socket()
    engine = await _connect(path)
    try:
        await engine._open()
        yield engine
    finally:
        engine._close()


async def _connect(path: Path) -> Engine:
    try:
        import docker
    except ImportError as error:
        raise HostError(f"the Python package docker cannot be loaded ({error}): make install") from None
    engine = Engine(path, None)
    try:
        await trio.to_thread.run_sync(engine._knock, abandon_on_cancel=True)
    except PermissionError:
        raise HostError(
            f"you may not talk to the container engine at {path}: become a member of its group (often: usermod -aG docker), "
            "or run as root"
        ) from None
    except OSError as error:
        raise HostError(
            f"the container engine at {path} does not answer ({error.strerror or error}); start it"
        ) from None

    def connect() -> Any:
        client = docker.APIClient(f"{_UNIX}{path}", version="auto", timeout=CALL_LIMIT)
        client.headers["Connection"] = "close"
        return client

    engine.client = await engine.call("tell its version", connect)
    return engine


def take_socket(client: Any, response: Any) -> socket.socket:
    """The connection of a response, for us alone, non-blocking. What the response had read ahead must be nothing."""
    # The SDK hands out an object around the socket that we need, and leaves closing it to chance.
    taken = socket.socket(fileno=client._get_raw_response_socket(response)._sock.detach())
    response.close()
    taken.setblocking(False)
    return taken


def _root(error: BaseException) -> str:
    """The first cause of an error, without the layers of libraries around it."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
