"""A cgroup from systemd: the manager of the user, or of the system for root, moves this process into a delegated scope.

systemd removes the scope, with all cgroups in it, when its last process has ended.
"""

import contextlib
import os
import secrets
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from bullring.arena.cells.sandbox.cgroups import cgroupfs

LIMIT = 10.0
"""Seconds to wait until systemd has moved us. It takes some 20 ms, and seconds on an overloaded machine."""

_PREFIX = "bullring-"
_MANAGER = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager")


def bus() -> Path:
    """The socket on which the manager of this user can be asked."""
    user = os.geteuid()
    return Path(f"/run/user/{user}/bus") if user else Path("/run/dbus/system_bus_socket")


def enter() -> bool:
    """Have systemd move this process into a new scope. Returns whether it did; children that it has by then stay where they are."""
    old = cgroupfs.own_cgroups(2).get("")
    # Services and jobs of batch systems must stay where their supervisors look for them, and in the limits that were set for them.
    if old is None or old.suffix != ".scope" or old.name.startswith(_PREFIX) or _is_limited(old):
        return False
    if not (bus().exists() and systemd_knows_our_pid()):
        return False
    until = time.monotonic() + LIMIT
    properties = (
        *("PIDs", "au", "1", str(os.getpid())),
        *("Delegate", "b", "true"),
        *("CollectMode", "s", "inactive-or-failed"),
        *("Description", "s", "Bullring"),
    )
    scope = f"{_PREFIX}{secrets.token_hex(4)}.scope"
    request = [*_MANAGER, "StartTransientUnit", "ssa(sv)a(sa(sv))", scope, "fail", "4", *properties, "0"]
    end_placeholder = _leave_placeholder()
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            ["busctl", f"--address=unix:path={bus()}", "call", *request],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT,
            check=True,
        )
        while time.monotonic() < until:
            if cgroupfs.own_cgroups(2).get("") != old:
                return True
            time.sleep(0.002)
    end_placeholder()
    return False


def _is_limited(group: Path) -> bool:
    return any(
        (cgroupfs.words(group / name) or ["max"])[0] != "max" for name in ("memory.max", "memory.high", "cpu.max")
    )


def systemd_knows_our_pid() -> bool:
    """Whether systemd runs in our pid namespace, where our process id is the one that it knows us by."""
    with contextlib.suppress(OSError):
        return Path("/proc/1/comm").read_text() == "systemd\n" and os.readlink("/proc/self") == str(os.getpid())  # noqa: PTH115
    return False


def _leave_placeholder() -> Callable[[], None]:
    """Start a process in our present cgroup, which ends when we do, or when what this returns is called.

    Otherwise the login session would end when we leave it as its last process, and with a user's last session systemd ends all
    their scopes: also that of a run which was started with nohup to outlive the login.
    """
    awaited, held = os.pipe()
    # In our session, so that it is not taken for an orphan of a bot.
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", "read _"], {}, file_actions=[(os.POSIX_SPAWN_DUP2, awaited, 0)])
    os.close(awaited)

    def end() -> None:
        os.close(held)
        os.waitpid(pid, 0)

    return end
