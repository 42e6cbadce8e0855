"""An ordinary user for a while: made by root, with a home of its own, no groups, and no session that would give it cgroups."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from pwd import getpwnam

from tests.support.engine import LOCAL_ONLY, MUST

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Person:
    """The user, with a clone of this repository."""

    name: str
    home: Path

    def run(self, *command: str) -> int:
        """Run a command in the clone. Returns its exit status."""
        entry = getpwnam(self.name)
        words = {
            "HOME": str(self.home),
            "USER": self.name,
            "LOGNAME": self.name,
            "TMPDIR": str(self.home / "tmp"),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.home / "wheels"),
            **({MUST: LOCAL_ONLY} if os.environ.get(MUST) else {}),
        }
        return subprocess.run(
            ["prlimit", "--nofile=1024:", *command],  # as where people log in
            user=entry.pw_uid,
            group=entry.pw_gid,
            extra_groups=[],
            umask=0o022,
            cwd=self.home / "bullring",
            env=words,
            start_new_session=True,
            check=False,
        ).returncode


@contextmanager
def person() -> Iterator[Person]:
    """Somebody who is gone in the end, with all they have started and written. The packages of the lock are theirs to install."""
    home = Path(
        tempfile.mkdtemp(prefix="somebody-", dir="/tmp")
    )  # short, for sockets are in it, and not a name that hostile bots look for
    name = f"bullring-{secrets.token_hex(3)}"
    _do("useradd", "--no-create-home", "--home-dir", str(home), "--shell", "/bin/sh", name)
    try:
        (home / "tmp").mkdir()
        _do("git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(home / "bullring"))
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check")
        _do(*pip, "--require-hashes", "-r", str(ROOT / "requirements.lock"), "-d", str(home / "wheels"))
        _do("chown", "-R", f"{name}:", str(home))
        yield Person(name, home)
    finally:
        _end_all(getpwnam(name).pw_uid)
        _do("rm", "-rf", str(home))
        _do("userdel", name)


def _do(*command: str) -> None:
    subprocess.run(command, check=True)


def _end_all(user: int) -> None:
    """End the processes of a user until there are none."""
    while left := [int(each.name) for each in Path("/proc").glob("[0-9]*") if _runs_as(each, user)]:
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _runs_as(process: Path, user: int) -> bool:
    with suppress(OSError):
        return (
            process.stat().st_uid == user and (process / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        )
    return False
