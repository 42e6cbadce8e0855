"""What package managers are given of a stranger's declarations: packages of their registries, and nothing that leads elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.cells.bots.snapshot import brings
from bullring.arena.cells.dependencies.cargo import CARGO
from bullring.arena.cells.dependencies.go import GO
from bullring.arena.cells.dependencies.kind import Kind
from bullring.arena.cells.dependencies.kinds import MADE_FOR, lacking
from bullring.arena.cells.dependencies.npm import NPM
from bullring.arena.cells.dependencies.pip import PIP
from bullring.arena.cells.dependencies.requirements import MOST
from bullring.arena.cells.sandbox.installations import which
from bullring.errors import BotError, FilesError

HASH = "--hash=sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("numpy\n", "numpy\n"),
        ("# a comment\n\nnumpy >= 2, < 3  # and another\n", "numpy >= 2, < 3\n"),
        ("msgpack[extra]==1.1.0; python_version >= '3.11' and sys_platform == 'linux'\n", None),
        (f"six==1.17.0 \\\n    {HASH} \\\n    {HASH}\n", f"six==1.17.0 {HASH} {HASH}\n"),
        ("", ""),
        ("# nothing\n", ""),
    ],
)
def test_packages_of_an_index_are_given_to_pip(text: str, given: str | None, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(text)
    found = PIP.declared(tmp_path).get("requirements.txt", b"").decode()
    assert found == (text if given is None else given)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "-r ../../etc/passwd",
            "-e .",
            "--index-url http://here.invalid",
            "-i x",
            "--find-links /tmp",
            "-c x",
            "--pre",
        ),
        *("./here", "../mine.whl", "/etc/passwd", "file:///etc/passwd", "git+https://here.invalid/x", "x @ file:///x"),
        *(
            "x @ https://here.invalid/x.whl",
            "numpy --global-option=x",
            "numpy --config-settings=a=b",
            "${HOME}",
            "a==${X}",
        ),
        *("numpy; x --no-binary=numpy", "numpy\x00", "nump\u0443", "numpy==1;-r x", f"numpy {HASH}f", "a" * 101),
        "numpy==" + "1," * 5000,
    ],
)
def test_whatever_else_a_line_says_is_refused_before_pip_sees_it(line: str, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(f"msgpack\n{line}\n", "utf-8")
    with pytest.raises(FilesError, match=r"requirements.txt, line [23]: expected a package of an index, such as"):
        PIP.declared(tmp_path)
    (tmp_path / "requirements.txt").unlink()
    (tmp_path / "pyproject.toml").write_text(f"[project]\ndependencies = {json.dumps(['msgpack', line])}\n", "utf-8")
    with pytest.raises(FilesError):
        PIP.declared(tmp_path)


def test_a_line_within_a_text_of_toml_stays_one_line(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["numpy\\n>=2"]\n')
    assert PIP.declared(tmp_path) == {"requirements.txt": b"numpy >=2\n"}


def test_a_mark_of_windows_before_the_first_line_is_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("numpy==2.1.0\r\n", "utf-8-sig")
    assert PIP.declared(tmp_path) == {"requirements.txt": b"numpy==2.1.0\n"}


def test_what_declares_nothing_that_can_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndynamic = ["version", "dependencies"]\n')
    with pytest.raises(FilesError, match=r"are dynamic, .*; list them there, or in requirements\.txt"):
        PIP.declared(tmp_path)
    (tmp_path / "requirements.txt").mkdir()
    with pytest.raises(FilesError, match="is a folder"):
        PIP.declared(tmp_path)


@pytest.mark.parametrize(
    ("kind", "log", "remedy"),
    [
        (PIP, "ERROR: No matching distribution found for docopt==0.6.2", "only wheels are fetched"),
        (PIP, "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM", "declare the hash of the registry"),
        (PIP, "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution", PIP.brings),
        (NPM, "npm error code EINTEGRITY", "declare the hash of the registry"),
        (NPM, "npm error errno EAI_AGAIN", "bring the packages in node_modules"),
        (CARGO, "Could not resolve host: index.crates.io", "bring the packages in vendor"),
        (GO, "x@v1.0.0: verifying module: checksum mismatch", "declare the hash of the registry"),
        (GO, "unknown revision v9.9.9", "must be in the registry"),
    ],
)
def test_a_failed_fetch_has_the_remedy_of_its_reason(kind: Kind, log: str, remedy: str) -> None:
    assert remedy in kind.remedy(log)


def test_too_many_packages_are_refused(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("".join(f"a{number}\n" for number in range(MOST + 1)))
    with pytest.raises(FilesError, match="at most"):
        PIP.declared(tmp_path)


ENTRY = {"version": "1.2.3", "integrity": "sha512-" + "a" * 86 + "=="}


def lock(folder: Path, packages: dict[str, Any], **root: Any) -> None:
    """The lock file of npm with these packages."""
    text = {"lockfileVersion": 3, "packages": {"": {"name": "x", **root}, **packages}}
    (folder / "package-lock.json").write_text(json.dumps(text))


def test_npm_is_given_no_addresses_scripts_or_settings(tmp_path: Path) -> None:
    hostile = {
        "resolved": "http://10.0.0.1/x.tgz",
        "hasInstallScript": True,
        "scripts": {"install": "evil"},
        "os": ["linux", "$x"],
    }
    lock(
        tmp_path,
        {"node_modules/@a/b": {**ENTRY, **hostile, "bin": {"b": "b.js", "c": "../../c"}}},
        dependencies={"@a/b": "^1"},
    )
    given = NPM.declared(tmp_path)
    assert given.keys() == {"package.json", "package-lock.json"}
    assert json.loads(given["package-lock.json"])["packages"] == {
        "": {"name": "bot", "version": "1.0.0", "dependencies": {"@a/b": "^1"}},
        "node_modules/@a/b": {**ENTRY, "os": ["linux"], "bin": {"b": "b.js"}},
    }


@pytest.mark.parametrize(
    ("place", "changed"),
    [
        ("node_modules/../../x", {}),
        ("packages/x", {}),
        ("node_modules/x", {"link": True}),
        ("node_modules/x", {"integrity": ""}),
        ("node_modules/x", {"version": "git+ssh://here.invalid/x"}),
        ("node_modules/x", {"version": "file:../x"}),
        ("node_modules/x", {"name": "../x"}),
        ("node_modules/x", {"dependencies": {"y": "github:a/b"}}),
        ("node_modules/x", {"optionalDependencies": {"y": "http://here.invalid/y.tgz"}}),
        ("node_modules/x", {"peerDependencies": {"../y": "1"}}),
    ],
)
def test_what_npm_would_get_elsewhere_is_refused(place: str, changed: dict[str, Any], tmp_path: Path) -> None:
    lock(tmp_path, {place: {**ENTRY, **changed}})
    with pytest.raises(FilesError):
        NPM.declared(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"lockfileVersion": 3}', "[" * 100_000, '{"lockfileVersion": 1, "packages": []}']
)
def test_a_lock_file_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "package-lock.json").write_text(text)
    with pytest.raises(FilesError, match="write it anew: npm install --package-lock-only"):
        NPM.declared(tmp_path)


LOCK = '[[package]]\nname = "x"\nversion = "1.0.0"\nsource = "registry+x"\nchecksum = "0"\n'


def test_cargo_is_given_manifests_without_code_and_settings(tmp_path: Path) -> None:
    (tmp_path / ".cargo").mkdir()
    (tmp_path / ".cargo" / "config.toml").write_text('[build]\nrustc-wrapper = "evil"\n')
    (tmp_path / "Cargo.lock").write_text(LOCK)
    (tmp_path / "Cargo.toml").write_text("[package]\nbuild = 'build.rs'\n")
    (tmp_path / "build.rs").write_text("evil")
    (tmp_path / "rust-toolchain.toml").write_text("[toolchain]\npath = '/evil'\n")
    given = CARGO.declared(tmp_path)
    assert given.keys() == {"Cargo.lock", "Cargo.toml", "build.rs"}
    assert given["build.rs"] == b""
    assert CARGO.leads(tmp_path)[".cargo/config.toml"].startswith(
        b'[build]\nrustc-wrapper = "evil"\n\n[source.crates-io]'
    )
    (tmp_path / ".cargo" / "config.toml").write_text("[source.mine]\n")
    assert not CARGO.leads(tmp_path)


@pytest.mark.parametrize(
    "manifest",
    [
        "[dependencies]\nx = { git = 'https://here.invalid/x' }\n",
        "[target.'cfg(unix)'.build-dependencies.x]\ngit = 'ssh://here.invalid/x'\n",
        "[patch.crates-io]\nx = { git = 'file:///etc' }\n",
        "[dependencies]\nx = { version = '1', registry-index = 'https://here.invalid' }\n",
        "[workspace.dependencies]\nx = { version = '1', registry = 'mine' }\n",
    ],
)
def test_crates_from_elsewhere_are_refused(manifest: str, tmp_path: Path) -> None:
    (tmp_path / "Cargo.lock").write_text(LOCK)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "Cargo.toml").write_text(manifest)
    with pytest.raises(FilesError, match=r"inner/Cargo.toml: expected crates of the registry"):
        CARGO.declared(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "replace y v1.0.0 => ./",
        "replace y => ../x // v1",
        "replace (\n\ty => `/box`\n)",
        'replace y => "./a b c"',
        "replace y =>./",
    ],
)
def test_a_module_of_go_that_is_a_folder_is_refused(line: str, tmp_path: Path) -> None:
    """It would be copied with all that is beside it, such as the settings of the fetch."""
    (tmp_path / "go.sum").touch()
    (tmp_path / "go.mod").write_text(f"module x\nrequire y v1.0.0\n{line}\n")
    with pytest.raises(FilesError, match="replaces a module by a folder"):
        GO.declared(tmp_path)
    (tmp_path / "go.mod").write_text("module x\nrequire y v1.0.0\nreplace y => z v1.2.0 // mended\n")
    assert GO.declared(tmp_path)


@pytest.mark.skipif(which("go") is None, reason="there is no go")
def test_go_asks_no_version_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOPROXY", "https://mirror.invalid|direct")
    monkeypatch.setenv("GOFLAGS", "-toolexec=evil")
    found = GO.command().environment
    assert found["GOPROXY"] == "https://mirror.invalid"
    assert (found["GOVCS"], found["GOTOOLCHAIN"], found["GOFLAGS"]) == ("*:off", "local", "-mod=readonly")


def test_what_a_bot_brings_is_not_fetched(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("numpy\n")
    (tmp_path / "go.mod").write_text("module x\nrequire y v1.0.0\n")
    (tmp_path / "go.sum").write_text("y v1.0.0 h1:x\n")
    assert [kind.title for kind in lacking(tmp_path, brings)] == ["Python", "Go"]
    (tmp_path / "bot.toml").write_text('name = "bot"\nrun = ["./bot"]\n')
    for brought in (PIP.brings, GO.brings):
        (tmp_path / brought).mkdir()
    assert not lacking(tmp_path, brings)
    (tmp_path / MADE_FOR).write_text("cpython 2.7 on vax\n")
    with pytest.raises(BotError, match=r"for cpython 2\.7 on vax, and \{python\} is"):
        lacking(tmp_path, brings)


def test_packages_that_npm_installed_are_brought_if_the_ignore_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "bot"\nrun = ["node", "bot.js"]\n')
    lock(tmp_path, {"node_modules/x": ENTRY})
    (tmp_path / "node_modules").mkdir()
    assert [kind.title for kind in lacking(tmp_path, brings)] == ["JavaScript"]
    (tmp_path / ".bullringignore").write_text("!node_modules/\n")
    assert not lacking(tmp_path, brings)


def test_pip_keeps_the_places_that_the_user_has_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://mirror.invalid/simple\nno-binary = :all:\nfind-links = /nowhere\n    "
        f"{tmp_path}\n[install]\nuser = true\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    command = PIP.command()
    assert command.environment["PIP_INDEX_URL"] == "https://mirror.invalid/simple"
    assert command.environment["PIP_FIND_LINKS"] == str(tmp_path)
    assert command.reads[0] == tmp_path
    assert not {"PIP_NO_BINARY", "PIP_USER"} & command.environment.keys()
