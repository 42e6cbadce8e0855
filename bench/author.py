"""The author's loop in a terminal of 80x24: seconds of each command from `new` to the second version that is submitted.

`python -m bench.author [KIT ...] [--casts FOLDER]` begins with an empty cache and a new ladder for each kit, and builds the same
natively, too. With `--casts` it writes what the terminal showed as asciicast files of version 2, which asciinema plays.
"""

import argparse
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import tomllib
from dataclasses import dataclass, field
from fcntl import ioctl
from pathlib import Path

from bench.figures import Target, show_targets, table, wide_console

KITS = Path(__file__).parents[1] / "sample_bots" / "kits"
COMMENTS = {".py": "#", ".rb": "#", ".sh": "#", ".pl": "#", ".nim": "#", ".ex": "#", ".R": "#", ".lua": "--"}
WIDTH, HEIGHT = 80, 24

FIRST_MATCH, CHECK, NATIVE, SLACK = 10.0, "check again", 1.3, 3.0
"""Seconds from `new` to the end of the first match; and a check after one changed line takes at most so many times a native build,
and these seconds more."""

EDIT = r"sed -i 's/100 \*/90 */' {file}"
"""Changes a line of the strategy of any kit: what a bot takes now weighs less."""

PAUSE = 1.0
"""Seconds in a recording between two commands, in which nothing is waited for."""


@dataclass
class Terminal:
    """Runs commands one after another, and keeps what they show."""

    folder: Path
    environment: dict[str, str]
    events: list[tuple[float, str]] = field(default_factory=list)
    now: float = 0.0
    last: float = 0.0
    """The seconds of the last command, which the prompt shows."""

    def run(self, line: str) -> float:
        """The seconds of a command. Raises `SystemExit` if it fails."""
        self.events.append((self.now, f"{self._prompt()}{line}\r\n"))
        ours, theirs = pty.openpty()
        ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        began, shown = time.monotonic(), b""
        with subprocess.Popen(
            line, shell=True, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.folder, env=self.environment
        ) as process:
            os.close(theirs)
            while data := _read(ours):
                shown += data
                self.events.append((self.now + time.monotonic() - began, data.decode("utf-8", "replace")))
        seconds = time.monotonic() - began
        os.close(ours)
        self.now += seconds + PAUSE
        self.last = seconds
        text = shown.decode("utf-8", "replace")
        if process.returncode:
            raise SystemExit(f"{line} ended with {process.returncode}:\n{text}")
        return seconds

    def _prompt(self) -> str:
        return f"({self.last:.1f} s) $ " if self.events else "$ "

    def write(self, file: Path, title: str) -> None:
        """Write an asciicast."""
        head = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": title}
        self.events.append((self.now, self._prompt()))
        lines = [head, *([round(at, 3), "o", text.replace(str(self.folder), "~")] for at, text in self.events)]
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65536)
    except OSError:  # all who had the terminal are gone
        return b""


def loop(kit: str, casts: Path | None) -> dict[str, float]:
    """The seconds of each command for a kit, and of its native build."""
    facts = tomllib.loads((KITS / kit / "kit.toml").read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="bullring-author-") as name:
        folder = Path(name)
        environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(folder / "cache"),
            "TERM": "xterm-256color",
        }
        terminal = Terminal(folder, environment)
        found = {
            "new": terminal.run(f"bullring new {kit} my-bot"),
            "first match": terminal.run("bullring match ./my-bot @greedy --deals 1"),
            "check": terminal.run("bullring check my-bot"),
            "init": terminal.run("bullring ladder init home"),
            "submit": terminal.run("bullring submit my-bot --home home"),
        }
        terminal.run(EDIT.format(file=f"my-bot/{facts['strategy']}"))
        found[CHECK] = terminal.run("bullring check my-bot")
        found["submit again"] = terminal.run("bullring submit my-bot --home home")
        if casts is not None:
            terminal.write(casts / f"{kit}.cast", f"{facts['title']}: from bullring new to the second version")
        found["native build"] = _native(folder / "native", folder / "my-bot", facts) if "build" in facts else 0.0
    return found


def _change(file: Path) -> None:
    with file.open("a", encoding="utf-8") as source:
        source.write(f"{COMMENTS.get(file.suffix, '//')} changed\n")


def _native(folder: Path, bot: Path, facts: dict[str, str]) -> float:
    """The seconds of a native build after one changed line."""
    shutil.copytree(bot, folder)
    seconds = 0.0
    for _ in range(2):
        _change(folder / facts["strategy"])
        began = time.monotonic()
        subprocess.run(facts["build"], cwd=folder, check=True, capture_output=True)
        seconds = time.monotonic() - began
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kits", nargs="*", default=["python", "go", "rust"])
    parser.add_argument("--casts", type=Path, help="write what the terminal showed into this folder")
    given = parser.parse_args()
    if given.casts:
        given.casts.mkdir(parents=True, exist_ok=True)
    found = {kit: loop(kit, given.casts) for kit in given.kits}
    shown = table("Seconds of the author's loop", "command", *found)
    for what in next(iter(found.values())):
        shown.add_row(what, *(f"{seconds[what]:.1f}" for seconds in found.values()))
    console = wide_console()
    console.print(shown)
    targets = []
    for kit, seconds in found.items():
        targets.append(Target(f"{kit}: new and first match", seconds["new"] + seconds["first match"], FIRST_MATCH, "s"))
        most = NATIVE * seconds["native build"] + SLACK
        targets.append(Target(f"{kit}: check after one changed line", seconds[CHECK], most, "s"))
    show_targets(console, [target for target in targets if "python" in target.what or "check" in target.what])


if __name__ == "__main__":
    main()
