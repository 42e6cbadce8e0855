"""What passes `bullring check` passes `bullring submit`: whatever a submission refuses, a check refuses in the same words."""

import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bullring.ladder.store.home import Home
from tests.ladder.homes import TINY, folder
from tests.support.command import here

ALLOWED = ("--sandbox", "none", "--allow-unsandboxed")
TIMES = ("10s", "start=30s")

Make = Callable[[Path], str]
"""Makes a bot at a path. Returns the words that name it."""


def _bot(change: Callable[[Path], object], more: str = "") -> Make:
    def make(path: Path) -> str:
        change(folder(path, more=more))
        return str(path)

    return make


def _nested(path: Path) -> None:
    (path / "/".join(["d"] * 40)).mkdir(parents=True)


def _large(path: Path) -> None:
    with (path / "large").open("wb") as file:
        file.truncate(300 << 20)


def _many(path: Path) -> None:
    for number in range(10_001):
        (path / str(number)).touch()


def _packed(change: Callable[[tarfile.TarInfo], object]) -> Make:
    def make(path: Path) -> str:
        folder(path)
        with tarfile.open(f"{path}.tar", "w") as tar:
            tar.add(path, "bot")
            entry = tarfile.TarInfo("bot/more")
            change(entry)
            tar.addfile(entry)
        return f"{path}.tar"

    return make


def _cut(path: Path) -> str:
    made = shutil.make_archive(str(path), "gztar", folder(path))
    Path(made).write_bytes(Path(made).read_bytes()[:-20])
    return made


def _other(path: Path) -> str:
    packed = path.with_suffix(".7z")
    packed.write_bytes(b"7z")
    return str(packed)


def _text(text: str) -> Make:
    return lambda path: text


def _own_environment(path: Path) -> None:
    """As `python -m venv` makes it, in a folder that no pattern leaves out."""
    (path / "env" / "bin").mkdir(parents=True)
    (path / "env" / "bin" / "python3").symlink_to(shutil.which("python3") or "/usr/bin/python3")


def _begin(path: Path, lines: bytes) -> None:
    """Let the bot begin with these lines."""
    last = b"import time\n"
    (path / "tiny.py").write_bytes(TINY.read_bytes().replace(last, last + lines + b"\n"))


def _ignored(path: Path) -> None:
    """A bot that reads what its ignore file leaves out."""
    (path / "weights").write_text("weights")
    _begin(path, b"open('weights').close()")
    (path / ".bullringignore").write_text("weights\n")


def _alone(path: Path) -> None:
    """A bot that cannot play against itself: it locks its folder, and ends if it is locked."""
    _begin(path, b"import fcntl\nfcntl.flock(os.open('.', os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)")


def _named(name: str) -> Make:
    def make(path: Path) -> str:
        return str(folder(path, name=name))

    return make


REFUSED: dict[str, tuple[Make, str]] = {
    "packages": (_bot(lambda path: (path / "requirements.txt").write_text("six\n")), "none are fetched here"),
    "nothing": (_text(" "), "not an empty string"),
    "no program": (_text("no-such-program"), "neither a folder nor a program"),
    "no manifest": (_bot(lambda path: (path / "bot.toml").unlink()), "must hold a bot.toml"),
    "a wrong manifest": (_bot(lambda path: None, "colour = 1"), "unknown key"),
    "no file to run": (_bot(lambda path: (path / "bot.toml").write_text('name = "x"\nrun = ["./x"]\n')), "no program"),
    "too much memory": (_bot(lambda path: None, "[limits]\nmemory_mib = 900000"), "asks for memory_mib"),
    "a version": (_named("mine v2"), "counts the versions of a bot itself"),
    "an invisible name": (_named("mi\u2800ne"), "control characters or invisible ones"),
    "a link out": (_bot(_own_environment), "leads out of the bot's folder"),
    "a circle": (_bot(lambda path: (path / "x").symlink_to("x")), "leads through more than"),
    "a pipe": (_bot(lambda path: os.mkfifo(path / "x")), "neither a file"),
    "too large": (_bot(_large), "is larger than 256 MiB"),
    "too many": (_bot(_many), "has more than 10000"),
    "too deep": (_bot(_nested), "more than 32 folders deep"),
    "no archive": (_text("none.tar.gz"), "there is no such archive"),
    "another archive": (_other, "archives of this kind cannot be read"),
    "an archive cut off": (_cut, "not a whole archive"),
    "a way up": (_packed(lambda entry: setattr(entry, "name", "../x")), "leads upwards"),
    "a device": (_packed(lambda entry: setattr(entry, "type", tarfile.CHRTYPE)), "neither a file nor a folder"),
    "a build": (_bot(lambda path: None, 'build = ["sh", "-c", "exit 7"]'), "status 7"),
    "a file left out": (_bot(_ignored), "No such file or directory: 'weights'"),
    "its play": (lambda path: str(folder(path, "crash")), "there is a hole in me"),
    "its copies": (_bot(_alone), "BlockingIOError"),
    "its start": (lambda path: str(folder(path, "absent")), "expected a hello"),
}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.slow] if at % 3 else []) for at, what in enumerate(REFUSED)]
)
def test_what_a_submission_refuses_a_check_refuses_in_the_same_words(what: str, tmp_path: Path) -> None:
    make, words = REFUSED[what]
    home = Home.create(tmp_path / "home", TIMES)
    bot = make(tmp_path / "bot")
    submitted = here("submit", bot, "--home", str(home.path), *ALLOWED)
    checked = here("check", bot, "--home", str(home.path), "--game", "standard", *ALLOWED)
    assert (submitted.exit_code, checked.exit_code) in ((2, 2), (3, 3)), submitted.output + checked.output
    assert words in " ".join(submitted.output.split())
    assert words in " ".join(checked.output.split())
    if submitted.exit_code == 2:
        said, again = (
            done.stderr.splitlines()[-1] for done in (submitted, checked)
        )  # after what takes long, if anything does
        assert again == f"bullring: {said.partition(' was not added: ')[2]}"
