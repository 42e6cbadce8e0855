"""The container engine of this machine, Docker or Podman. Every call has a deadline, because an engine may never answer.

The streams of a bot are read without it, and a bot is killed by its process, not by a request. If the engine dies, that is a
failure of the host.
"""

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
"""Sockets to try, unless DOCKER_HOST names one."""

CALL_LIMIT = 60.0
"""Seconds that one call may take, by default."""

CALLS_AT_ONCE = 8
"""Most calls at the same time, including abandoned ones."""

_UNIX = "unix://"

_UIDS = range(1 << 30, (1 << 31) - 1)
"""User ids for bots, far above those of people and services. Engines accept no higher ones."""
_FEW_UIDS = range(20_000, 60_000)
"""User ids for bots where the engine runs in a user namespace, which has 65536 users."""


def find_socket() -> Path:
    """Find the socket of the engine. Raises `HostError` if there is none that can be used."""
    named = os.environ.get("DOCKER_HOST", "")
    if named:
        if not named.startswith(_UNIX):
            raise HostError(
                f"DOCKER_HOST is {named}, but bots can run only in an engine of this machine (unix:///...), because another "
                "machine's engine does not see their folders"
            )
        return Path(named.removeprefix(_UNIX))
    for path in SOCKETS:
        if path.is_socket():
            return path
    places = " and ".join(map(str, SOCKETS))
    raise HostError(
        f"there is no container engine: nothing listens at {places}. Install docker.io, start Podman's service "
        "(systemctl start podman.socket), or set DOCKER_HOST=unix:///... to its socket"
    )


class Engine:
    """The engine behind one socket. Create it with `open_engine`.

    Every call runs in a thread and has a deadline. If the engine fails or does not answer, the call raises `HostError`.
    """

    def __init__(self, path: Path, client: Any) -> None:
        self.path = path
        self.client = client
        """The SDK's client. Every call opens a new connection: an engine that is shutting down would still answer on an old one."""
        self.info: dict[str, Any] = {}
        self.is_podman = False
        self._lifeline: socket.socket | None = None
        self._limiter = trio.CapacityLimiter(CALLS_AT_ONCE)

    def __repr__(self) -> str:
        return f"<Engine at {self.path}>"

    async def call(self, what: str, do: Callable[[], T], *, limit: float = CALL_LIMIT) -> T:
        """Run `do` in a thread. `what` describes it in error messages: "create a container".

        Raises `HostError`; `EngineRefusal` if the engine rejects the request; `LookupError` if its subject does not exist.
        After the deadline or a cancellation the thread is abandoned; it ends when its connection times out.
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
                f"the container engine at {self.path} failed to {what} ({_root(error)}); is it running?"
            ) from None

    def _knock(self) -> None:
        """Try to connect first, because the SDK leaks its socket if the connection is refused. Raises `OSError`."""
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(CALL_LIMIT)
            probe.connect(str(self.path))

    @cached_property
    def runtimes(self) -> set[str]:
        """Names of its runtimes, such as runc and runsc."""
        return set(self.info.get("Runtimes") or ())

    def is_gone(self) -> bool:
        """Whether the engine that we opened has ended since, even if another one now answers in its place."""
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
        """Draw a user id for one bot that no other bot of this machine has, because the kernel counts many things per user."""
        return secrets.choice(_FEW_UIDS if self._is_mapped() else _UIDS)

    @property
    def uses_selinux(self) -> bool:
        """Whether it separates containers by SELinux."""
        return self._has("name=selinux")

    def _is_mapped(self) -> bool:
        return self._has("name=userns") or self._has("name=rootless")

    def _has(self, option: str) -> bool:
        return option in " ".join(self.info.get("SecurityOptions") or ())

    async def _open(self) -> None:
        """Ask for its properties and check them. Raises `HostError`."""
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
                f"the container engine at {self.path} cannot limit {', '.join(lacking)}; enable the cgroup controllers for that "
                "on this machine"
            )
        self._lifeline = await self.call("tell its events", self._events)

    def _events(self) -> socket.socket:
        """Open a connection that lasts as long as the engine: a stream of events, with a filter that lets none through."""
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
    """Open the engine at this socket, or else the one that is found. Raises `HostError` if there is none that can be used."""
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
        raise HostError(f"the Python package docker cannot be imported ({error}); run: make install") from None
    engine = Engine(path, None)
    try:
        await trio.to_thread.run_sync(engine._knock, abandon_on_cancel=True)
    except PermissionError:
        raise HostError(
            f"you do not have permission to use the container engine at {path}: join its group (often: usermod -aG docker $USER) "
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
    """Take the connection of a response over and make it non-blocking. The response must not have read anything ahead."""
    # The SDK wraps the socket that we need in an object and does not close it reliably.
    taken = socket.socket(fileno=client._get_raw_response_socket(response)._sock.detach())
    response.close()
    taken.setblocking(False)
    return taken


def _root(error: BaseException) -> str:
    """The text of the root cause of an error, without the layers of libraries."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
