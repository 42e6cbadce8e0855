"""The surroundings of a hostile bot: its folder, a rival's, a secret beside them, and listeners of the test to aim at."""

import json
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import bullring.arena
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.settings.limits import MICRO
from tests.hostile.behaviours import BOTS, Behaviour

CAPS = Caps(memory=64 * MIB, output=MIB)
"""Small, so that what goes beyond them is small, too."""

_ENVIRONMENT = ("SSH_AUTH_SOCK", "BULLRING_TEST_SECRET")
"""A secret in the environment of the referee, which no bot may see."""


@dataclass(frozen=True)
class Scene:
    """A folder with all of it. `token` stands on the command line of every bot, so that what they leave is found by it."""

    folder: Path
    token: str

    @property
    def bot(self) -> Path:
        return self.folder / "bot"

    @property
    def rival(self) -> Path:
        return self.folder / f"rival-{self.token}"

    @property
    def polite(self) -> Path:
        return self.folder / "polite"

    @property
    def temporary(self) -> Path:
        """The referee's folder for temporary files; empty in the end."""
        return self.folder / "temporary"

    @property
    def store(self) -> Path:
        return self.folder / "home" / "store"

    def table(self, behaviour: Behaviour, *, polite: bool = False) -> list[Bot]:
        """The seats: a rival, the hostile bot or a `polite` one, and another of either."""
        slow, quick = (self._command(self.rival.name, str(pause)) for pause in (behaviour.slow, 0))
        rivals = [Bot("rival 0", Program(slow, self.rival)), Bot("rival 2", Program(quick, self.rival))]
        program = Program(self._command(), self.polite if polite else self.bot, CAPS)
        name = "polite" if polite else behaviour.bot_name
        guest = Bot(name, program, "match" if behaviour.matches > 1 else "never")
        return [rivals[0], guest, guest if behaviour.pair else rivals[1]]

    def _command(self, *words: str) -> tuple[str, ...]:
        # Without site packages it starts in half the time; its own folder is still looked in.
        return (PYTHON, "-S", "-E", "-B", "bot.py", self.token, *words)

    def lay_out(self, behaviour: Behaviour, targets: dict[str, object]) -> None:
        """Write the folders. Anybody may write there as far as the file system goes: it is the sandbox that is tested."""
        programs = ((self.bot, behaviour.program), (self.polite, BOTS / "polite.py"), (self.rival, BOTS / "rival.py"))
        for folder, program in programs:
            folder.mkdir()
            shutil.copy(program, folder / "bot.py")
            if folder != self.rival:
                shutil.copy(BOTS / "hostile.py", folder)
                (folder / "targets.json").write_text(json.dumps(targets))
        self.store.parent.mkdir()
        self.store.write_text(f"hidden cards {targets['secret']}")
        for path in (self.folder, *self.folder.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o666)


class Listeners:
    """Services of the machine, as far as bots can tell; nobody may be heard there."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._stack = stack
        self._open: list[socket.socket] = []
        self.abstract = f"bullring-{secrets.token_hex(8)}"
        self.out = self._ports("127.0.0.2")
        self.loopback = self._ports("127.0.0.1")
        self._listen(socket.AF_UNIX, "\0" + self.abstract)
        self.services = [str(folder / name) for name in ("docker.sock", "bus", "agent")]
        for path in self.services:
            self._listen(socket.AF_UNIX, path)

    def _ports(self, host: str) -> list[object]:
        tcp = self._listen(socket.AF_INET, (host, 0))
        udp = self._stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind((host, 0))
        udp.setblocking(False)
        self._open.append(udp)
        return [host, tcp.getsockname()[1], udp.getsockname()[1]]

    def _listen(self, family: int, address: object) -> socket.socket:
        listener = self._stack.enter_context(socket.socket(family))
        listener.bind(address)  # type: ignore[arg-type]
        listener.listen(8)
        listener.setblocking(False)
        self._open.append(listener)
        return listener

    def heard(self) -> list[str]:
        """The callers."""
        found = []
        for listener in self._open:
            try:
                if listener.type == socket.SOCK_DGRAM:
                    listener.recv(4096)
                else:
                    listener.accept()[0].close()
            except BlockingIOError:
                continue
            found.append(f"somebody called {listener.getsockname()}")
        return found


@contextmanager
def scene(tier: str, behaviour: Behaviour, way: str) -> Iterator[tuple[Scene, Listeners]]:
    """All that a contest needs, and that goes with it."""
    with ExitStack() as stack:
        token = f"t{secrets.token_hex(8)}"
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f"hostile-{token}-")))
        made = Scene(folder, token)
        services = folder / "run"
        services.mkdir()
        listeners = Listeners(services, stack)
        secret = secrets.token_hex(16)
        made.lay_out(
            behaviour,
            {
                "tier": str(tier),
                "way": way,
                "secret": secret,
                "store": str(made.store),
                "arena": str(Path(bullring.arena.__file__)),
                "rival_folder": str(made.rival),
                "rival_code": str(made.rival / "bot.py"),
                "rival_name": made.rival.name,
                "out": listeners.out,
                "loopback": listeners.loopback,
                "abstract": listeners.abstract,
                "services": listeners.services,
                "referee": os.getpid(),
                "pid_namespace": str(Path("/proc/self/ns/pid").readlink()),
                "start": behaviour.limits.start_us / MICRO,
                "limit": behaviour.limits.card_us / MICRO,
                "tick": behaviour.limits.tick_us / MICRO,
                "memory": CAPS.memory,
                "box": CAPS.box,
                "output": CAPS.output,
            },
        )
        stack.enter_context(_environment([listeners.services[-1], secret]))
        made.temporary.mkdir()
        stack.enter_context(_temporary(made.temporary))
        yield made, listeners


@contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


@contextmanager
def _environment(values: Sequence[str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(zip(_ENVIRONMENT, values, strict=True))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
