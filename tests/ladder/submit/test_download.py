"""Commits of repositories elsewhere: one is fetched, as it was committed, whatever its server and its author do."""

import os
import shutil
import subprocess
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.files.walk import Bounds
from bullring.arena.settings.settings import Settings
from bullring.errors import BotError, FilesError
from bullring.ladder.store.home import Home
from bullring.ladder.submit import sources
from bullring.ladder.submit.repository import Commit, download, export
from tests.ladder.homes import folder
from tests.ladder.submit.test_repository import PROGRAMS, SMALL, committed, git
from tests.support.command import here

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Server(ThreadingHTTPServer):
    """Serves the repositories in a folder as git does, unless `answer` answers otherwise."""

    daemon_threads = True
    answer: "Callable[[Request], bool] | None" = None
    """Answers a request in its own way. Returns whether it did."""

    def __init__(self, root: Path) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.root = root
        self.heads: list[str] = []
        """What was asked, with the credentials that came with it."""

    def of(self, name: str, revision: str = "main") -> Commit:
        """A commit of one of its repositories."""
        return Commit.parse(f"git+http://127.0.0.1:{self.server_port}/{name}@{revision}")


class Request(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        self.server.heads.append(f"{self.command} {self.path} {self.headers.get('Authorization', '-')}")
        if self.server.answer is None or not self.server.answer(self):
            self._as_git()

    def do_GET(self) -> None:
        self.do_POST()

    def _as_git(self) -> None:
        path, _, query = self.path.partition("?")
        done = subprocess.run(
            ["git", "http-backend"],
            input=self.rfile.read(int(self.headers.get("Content-Length", 0))),
            capture_output=True,
            check=True,
            env={
                **os.environ,
                "GIT_PROJECT_ROOT": str(self.server.root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            },
        ).stdout
        head, _, body = done.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(root: Path) -> Iterator[Server]:
    with Server(root) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits of a bot, the first with the tag "old"."""
    path = folder(tmp_path / "bot")
    git(path, "init", "-q")
    committed(path, "data", b"one")
    git(path, "tag", "-a", "-m", "old", "old")
    committed(path, "data", b"two")
    return path


def fetched(
    commit: Commit, tmp_path: Path, bounds: Bounds = SMALL, *, seconds: float = 60, most: int = 16 << 20
) -> tuple[str, Path]:
    own, target = tmp_path / "own", tmp_path / "target"
    for path in (own, target):
        path.mkdir(parents=True)

    async def main() -> None:
        await download(commit, own, seconds=seconds, most=most)

    trio.run(main)
    return export(commit, own, target, bounds), target


def test_a_branch_a_tag_and_a_commit(server: Server, repository: Path, tmp_path: Path) -> None:
    first, last = git(repository, "rev-parse", "main~1"), git(repository, "rev-parse", "main")
    wanted = {"main": last, "HEAD": last, "old": first, "refs/tags/old": first, first: first}
    for number, (revision, hash) in enumerate(wanted.items()):
        found, target = fetched(server.of("bot/.git", revision), tmp_path / str(number))
        assert found == hash
        assert (target / "data").read_text() == ("one" if hash == first else "two")
        depth = git(tmp_path / str(number) / "own", "rev-list", "--count", hash)
        assert depth == "1", "no more is fetched than the commit"


@pytest.mark.parametrize("revision", ["nope", "0" * 39 + "1", "main~1"])
def test_what_is_not_there_is_named(server: Server, repository: Path, tmp_path: Path, revision: str) -> None:
    with pytest.raises(BotError, match=r"git cannot fetch .* a branch, a tag or the full hash of a commit"):
        fetched(server.of("bot/.git", revision), tmp_path / "x")
    with pytest.raises(BotError, match="not found"):
        fetched(server.of("nobody/.git"), tmp_path / "y")


def test_a_branch_that_moves_is_built_as_it_was_fetched(server: Server, repository: Path, tmp_path: Path) -> None:
    commit, own, target = server.of("bot/.git"), tmp_path / "own", tmp_path / "target"
    own.mkdir()
    target.mkdir()
    before = git(repository, "rev-parse", "main")
    trio.run(download, commit, own)
    committed(repository, "data", b"three")
    assert export(commit, own, target, SMALL) == before
    assert (target / "data").read_text() == "two"


def test_no_redirect_is_followed(server: Server, repository: Path, tmp_path: Path) -> None:
    with serving(tmp_path) as other:
        for place in (f"http://127.0.0.1:{other.server_port}", f"file://{tmp_path}", "ext::sh -c true"):

            def redirect(request: Request, place: str = place) -> bool:
                request.send_response(302)
                request.send_header("Location", place + request.path)
                request.end_headers()
                return True

            server.answer = redirect
            with pytest.raises(BotError, match="cannot fetch"):
                fetched(server.of("bot/.git"), tmp_path / str(len(server.heads)))
        assert other.heads == []


def test_no_credentials_are_sent(
    server: Server, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even to a server that asks for them, and no program of the user's config is run."""
    did, trap, user = tmp_path / "did", tmp_path / "trap", tmp_path / "user"
    trap.write_text(f"#!/bin/sh\necho $0 $@ >> {did}\necho username=x\necho password=secret\n")
    trap.chmod(0o755)
    user.mkdir()
    (user / ".netrc").write_text("machine 127.0.0.1 login x password secret\n")
    for key in PROGRAMS.split():
        subprocess.run(["git", "config", "-f", user / ".gitconfig", key, trap], check=True)
    for name, value in {"HOME": user, "GIT_ASKPASS": trap, "SSH_ASKPASS": trap, "GIT_SSH": trap}.items():
        monkeypatch.setenv(name, str(value))

    def ask(request: Request) -> bool:
        request.send_response(401)
        request.send_header("WWW-Authenticate", 'Basic realm="x"')
        request.end_headers()
        return True

    server.answer = ask
    with pytest.raises(BotError, match="it must be public"):
        fetched(server.of("bot/.git"), tmp_path / "x")
    assert server.heads
    assert all(head.endswith(" -") for head in server.heads)
    assert not did.exists()


def _lines(*lines: bytes) -> bytes:
    return b"".join(f"{len(line) + 4:04x}".encode() + line for line in lines)


def _endless(request: Request, piece: bytes) -> bool:
    """Answer what is asked about objects without an end."""
    if "Content-Length" in request.headers:
        asked = request.rfile.read(int(request.headers["Content-Length"]))
        if b"command=fetch" in asked:
            request.send_response(200)
            request.send_header("Content-Type", "application/x-git-upload-pack-result")
            request.end_headers()
            request.wfile.write(_lines(b"packfile\n"))
            try:
                while True:
                    request.wfile.write(piece)
            except OSError:
                request.close_connection = True
            return True
        request.rfile = BytesIO(asked)
    return False


def _pack() -> bytes:
    """The beginning of a pack with one blob, of as many bytes as can be told."""
    return b"PACK\0\0\0\2\0\0\0\1" + b"\xbf" + b"\xff" * 6 + b"\x0f" + zlib.compress(b"")[:2]


@pytest.mark.parametrize(
    "piece",
    [
        _lines(b"\1" + _pack() + b"\0\xff\xff\0\0" + os.urandom(60_000)),
        _lines(b"\2" + b"x" * 60_000 + b"\n"),
    ],
    ids=["a pack", "talk"],
)
def test_a_server_that_never_ends_is_left(server: Server, repository: Path, tmp_path: Path, piece: bytes) -> None:
    server.answer = lambda request: _endless(request, piece)
    with pytest.raises(BotError, match=r"cannot fetch|was not fetched"):
        fetched(server.of("bot/.git"), tmp_path / "x", most=1 << 20)
    assert sum(path.stat().st_size for path in (tmp_path / "x").rglob("*") if path.is_file()) < 4 << 20


def test_a_server_that_says_nothing_is_left(server: Server, repository: Path, tmp_path: Path) -> None:
    silent = threading.Event()
    server.answer = lambda request: silent.wait()
    try:
        with pytest.raises(BotError, match=r"was not fetched within 0\.5 s"):
            fetched(server.of("bot/.git"), tmp_path / "x", seconds=0.5)
    finally:
        silent.set()


def test_a_huge_file_stops_at_the_bounds(server: Server, repository: Path, tmp_path: Path) -> None:
    """A pack of some kilobytes."""
    committed(repository, "large", bytes(50 << 20))
    with pytest.raises(FilesError, match="unpacks to more than 1 MiB"):
        fetched(server.of("bot/.git"), tmp_path / "x", most=1 << 20)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("git+ssh://git@example.org/x@main", "fetched by https alone"),
        ("git+http://example.org/x@main", "fetched by https alone"),
        ("git+ext::sh -c true", "fetched by https alone"),
        ("git+https://me:secret@example.org/x", "must not hold credentials"),
        ("git+https:///x", "is not a commit of a repository"),
        ("git+file://host/x", "begins with a slash"),
        ("git+file:x", "begins with a slash"),
        ("git+https://example.org/x?y=1", "is not a commit of a repository"),
        ("git+https://example.org/x@main#egg=y", "is not a commit of a repository"),
        ("git+https://example.org/x@--upload-pack=y", "is not a branch, a tag or the hash"),
        ("git+https://example.org/x@a:refs/heads/b", "is not a branch, a tag or the hash"),
        ("git+https://example.org/x@main#subdirectory=../y", "is not a folder in the repository"),
        ("git+https://[x/y", "give git\\+https"),
    ],
)
def test_other_words_are_refused(text: str, says: str) -> None:
    with pytest.raises(BotError, match=says):
        Commit.parse(text)


def test_words_are_those_of_pip() -> None:
    commit = Commit.parse("git+https://example.org/a@b/c.git@feature/x#subdirectory=bots/mine")
    assert commit == Commit("https://example.org/a@b/c.git", "feature/x", "bots/mine")
    assert Commit.parse(str(commit)) == commit
    assert Commit.parse("git+file:///a%40b").path == Path("/a@b")
    assert Commit.parse("git+https://example.org/a").revision == "HEAD"


def test_the_commit_is_in_the_facts_of_a_version_and_in_its_records(
    server: Server, repository: Path, tmp_path: Path
) -> None:
    home = Home.create(tmp_path / "home", ("10s", "start=30s"))
    allowed = ("--sandbox", "none", "--allow-unsandboxed")
    commit = server.of("bot/.git")
    done = here("submit", str(commit), "--home", str(home.path), *allowed)
    assert done.exit_code == 0, done.output
    hash = git(repository, "rev-parse", "main")
    with closing(home.store(read_only=True)) as store:
        (row,) = store.bots()
    assert (row.contents.commit, row.source) == (hash, f"git+{commit.url}@{hash}")
    assert hash in here("bots", "show", "mine", "--json", "--home", str(home.path)).stdout
    here("submit", f"git+file://{repository}@old", "--name", "other", "--home", str(home.path), *allowed)
    run = here("ladder", "run", "--seats", "2", "--matches", "1", "--home", str(home.path), *allowed)
    assert run.exit_code == 0, run.output
    with closing(home.store(read_only=True)) as store:
        assert hash in home.record(store.matches()[0].id).read_text()


def test_a_commit_in_the_form_of_before_is_told_how_it_is_named_now(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(BotError, match=f"git\\+file://{repository}@old"):
        sources.fetch(f"git:{repository}#old", "", tmp_path, Settings())
