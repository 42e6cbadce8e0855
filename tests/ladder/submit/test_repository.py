"""Commits of strangers' repositories: their files are read, and nothing that their config says is done."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bullring.arena.cells.files.walk import Bounds
from bullring.errors import BotError, FilesError
from bullring.ladder.submit.repository import Commit, export

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


PROGRAMS = """
core.fsmonitor core.sshCommand core.pager core.editor core.askPass core.gitProxy core.alternateRefsCommand
filter.evil.smudge filter.evil.clean filter.evil.process tar.tar.command diff.external gpg.program
credential.helper remote.origin.uploadpack uploadpack.packObjectsHook alias.ls-tree alias.cat-file alias.rev-parse
"""
"""The entries of a config that name a program."""


def git(folder: Path, *words: str, given: bytes = b"") -> str:
    own = (
        "git",
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
        "-c",
        "init.defaultBranch=main",
        "-C",
        str(folder),
    )
    return subprocess.run([*own, *words], input=given, check=True, capture_output=True).stdout.decode().strip()


def committed(folder: Path, name: str, text: bytes) -> None:
    (folder / name).write_bytes(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", name)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two commits, the first with the tag "old", and a branch."""
    folder = tmp_path_factory.mktemp("made") / "repository"
    (folder / "inner").mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "inner" / "file").write_text("inner")
    committed(folder, "bot.toml", b"one")
    git(folder, "tag", "old")
    committed(folder, "bot.toml", b"two")
    git(folder, "branch", "side", "old")
    (folder / "bot.toml").write_text("not committed")
    return folder


@pytest.fixture
def repository(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(made, tmp_path / "repository"))


SMALL = Bounds(1 << 20, 100)


def exported(tmp_path: Path, repository: Path, revision: str = "HEAD", bounds: Bounds = SMALL) -> Path:
    own, target = tmp_path / "own", tmp_path / "target"
    for folder in (own, target):
        folder.mkdir()
    export(Commit.parse(f"git+file://{repository}@{revision}"), own, target, bounds)
    return target


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_a_revision_is_read_as_it_was_committed(tmp_path: Path, repository: Path, packed: bool) -> None:
    if packed:
        git(repository, "gc", "-q")
    revisions = {"HEAD": "two", "old": "one", "side": "one", "main~1": "one", "refs/heads/main": "two"}
    for number, (revision, text) in enumerate(revisions.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert (exported(folder, repository, revision) / "bot.toml").read_text() == text


def whole(repository: Path, tree: str) -> str:
    """A commit of a tree."""
    return git(repository, "commit-tree", "-m", "whole", tree)


def test_a_folder_of_a_revision_and_a_bare_repository(tmp_path: Path, repository: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(bare))
    assert [path.name for path in exported(tmp_path, bare, "HEAD#subdirectory=inner").iterdir()] == ["file"]


def test_nothing_of_its_config_is_done(tmp_path: Path, repository: Path) -> None:
    trap = tmp_path / "trap"
    did = tmp_path / "did"
    trap.write_text(f"#!/bin/sh\necho $0 $@ >> {did}\ncat\n")
    trap.chmod(0o755)
    for key in PROGRAMS.split():
        git(repository, "config", key, str(trap))
    for key, value in (
        ("core.hooksPath", str(tmp_path)), ("include.path", str(tmp_path / "more")), ("extensions.partialClone", "origin"),
        ("remote.origin.url", f"ext::{trap}"), ("remote.origin.promisor", "true"), ("protocol.ext.allow", "always"),
    ):  # fmt: skip
        git(repository, "config", key, value)
    (tmp_path / "more").write_text(f"[core]\nfsmonitor = {trap}\n")
    (repository / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change"):
        shutil.copy(trap, repository / ".git" / "hooks" / hook)
    assert (exported(tmp_path, repository) / "bot.toml").read_text() == "two"
    assert not did.exists()


def test_an_object_that_is_missing_is_not_fetched(tmp_path: Path, repository: Path) -> None:
    blob = git(repository, "rev-parse", "HEAD:bot.toml")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(FilesError, match="lacks an object"):
        exported(tmp_path, repository)


def test_objects_of_other_repositories_are_not_borrowed(tmp_path: Path, repository: Path) -> None:
    (repository / ".git" / "objects" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "objects" / "info" / "alternates").write_text("/root/secret/.git/objects\n")
    with pytest.raises(BotError, match="borrows objects from another repository"):
        exported(tmp_path, repository)


def test_links_among_the_objects_are_refused(tmp_path: Path, repository: Path) -> None:
    objects = repository / ".git" / "objects"
    free = next(path for number in range(256) if not (path := objects / f"{number:02x}").exists())
    free.symlink_to("/root")
    with pytest.raises(FilesError, match="leads out"):
        exported(tmp_path, repository)


def test_a_worktree_elsewhere_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "worktree"
    folder.mkdir()
    (folder / ".git").write_text("gitdir: /root/secret/.git\n")
    with pytest.raises(BotError, match="so the repository is elsewhere"):
        exported(tmp_path, folder)


@pytest.mark.parametrize(
    "revision",
    ["nope", "--output=/tmp/x", "HEAD{1}", "HEAD#subdirectory=nope", "HEAD#subdirectory=bot.toml", "HEAD..side", ""],
)
def test_a_revision_that_is_none_is_named(tmp_path: Path, repository: Path, revision: str) -> None:
    with pytest.raises(
        (BotError, FilesError), match=r"has no commit, branch or tag|is not a branch, a tag|there is no folder"
    ):
        exported(tmp_path, repository, revision)


def test_a_tree_of_trees_stops_at_the_bounds(tmp_path: Path, repository: Path) -> None:
    """Ten trees of ten entries each, every one ten times the one below: ten thousand million files in eleven objects."""
    tree = git(repository, "rev-parse", "HEAD:inner")
    for _ in range(10):
        listing = "".join(f"040000 tree {tree}\t{name}\n" for name in "abcdefghij")
        tree = git(repository, "mktree", given=listing.encode())
    with pytest.raises(FilesError, match="has more than 100 entries"):
        exported(tmp_path, repository, whole(repository, tree))


def test_a_large_file_stops_at_the_bounds(tmp_path: Path, repository: Path) -> None:
    committed(repository, "large", bytes(5 << 20))
    with pytest.raises(FilesError, match="unpacks to more than 1 MiB"):
        exported(tmp_path, repository)


def test_paths_that_git_itself_would_not_check_out(tmp_path: Path, repository: Path) -> None:
    blob = git(repository, "rev-parse", "HEAD:bot.toml")
    link = git(repository, "hash-object", "-w", "--stdin", given=b"/etc/passwd")
    raw = b"120000 link\0" + bytes.fromhex(link) + b"100644 x\0" + bytes.fromhex(blob)
    tree = git(repository, "hash-object", "-w", "-t", "tree", "--stdin", "--literally", given=raw)
    with pytest.raises(FilesError, match="leads out"):
        exported(tmp_path, repository, whole(repository, tree))


def test_a_repository_of_long_hashes(tmp_path: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    git(folder, "init", "-q", "--object-format=sha256")
    committed(folder, "bot.toml", b"long")
    assert (exported(tmp_path, folder) / "bot.toml").read_text() == "long"


def test_files_that_are_elsewhere_are_refused(tmp_path: Path, repository: Path) -> None:
    """Git LFS and submodules leave only a reference in the repository: what is checked out has the files."""
    committed(repository, "weights", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n")
    with pytest.raises(FilesError, match=r"weights is a pointer of Git LFS.*submit the folder"):
        exported(tmp_path, repository)
    git(repository, "rm", "--quiet", "weights")
    again = tmp_path / "again"
    again.mkdir()
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{'0' * 39}1,lib")
    git(repository, "commit", "--quiet", "-m", "lib")
    with pytest.raises(FilesError, match=r"lib is a submodule.*submit the folder"):
        exported(again, repository)


def test_a_path_that_is_relative_is_answered_with_the_whole_one() -> None:
    for text in ("git+file://inner@main", "git+file:inner@main", "git+file://inner/deep@main"):
        with pytest.raises(BotError, match=f"git\\+file://{Path.cwd()}/inner[^ ]*@main"):
            Commit.parse(text)
