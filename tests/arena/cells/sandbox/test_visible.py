"""The files of the machine that a program sees: the runtimes that its command names, wherever they are."""

import struct
import sys
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox import executable, installations
from bullring.arena.cells.sandbox.program import OURS, Program
from bullring.arena.cells.sandbox.visible import BOT, places, places_of, visible_to
from bullring.errors import CellError

FOREIGN = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", 2, 22) + bytes(44)
"""The header of a program for s390x."""


def put(path: Path, text: str | bytes = "#!/bin/sh\n") -> Path:
    """A program at this place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(0o755)
    return path


@pytest.fixture
def opt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of `tau` outside the system's folders, on the PATH."""
    root = tmp_path / "opt" / "tau"
    put(root / "bin" / "tau")
    (root / "lib").mkdir()
    (root / "share" / "tau").mkdir(parents=True)
    (root / "share" / "others").mkdir()
    (root / "secrets").mkdir()
    monkeypatch.setenv("PATH", f"{root / 'bin'}:/usr/bin:/bin")
    return root


@pytest.mark.parametrize(
    "command",
    [
        ("tau", "x"),
        ("env", "tau", "x"),
        ("/usr/bin/env", "-S", "tau x"),
        ("bash", "-c", "exec tau x 2>/dev/null | cat"),
        ("bash", "-c", "(cd sub;tau)"),
        ("./script",),
        ("bash", "-c", "exec ./script"),
    ],
)
def test_a_runtime_is_shown_wherever_the_command_names_it(command: tuple[str, ...], opt: Path, tmp_path: Path) -> None:
    put(tmp_path / "bot" / "script", "#!/usr/bin/env tau\n")
    visible = visible_to(Program(command, tmp_path / "bot"))
    assert set(visible.shown) == {opt / "bin", opt / "lib", opt / "share" / "tau"}
    assert visible.path == f"{opt / 'bin'}:/usr/local/bin:/usr/bin:/bin"


def test_a_program_beside_the_systems_python_sees_nothing_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    assert not visible_to(Program(("cat",), tmp_path)).shown


def test_a_path_in_the_command_counts_only_if_its_name_leads_there(opt: Path, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    put(bot / "good", f"#!{opt / 'bin' / 'tau'}\n")
    assert opt / "lib" in visible_to(Program(("./good",), bot)).shown
    secret = put(tmp_path / "elsewhere" / "bin" / "sigma")
    assert not visible_to(Program(("bash", "-c", f"{secret} {secret.parent} ../elsewhere/bin/sigma"), bot)).shown


@pytest.mark.parametrize("way", ["/usr/..", "/usr/bin/../..", "/bin/./../.."])
def test_a_path_through_the_system_is_not_one_of_the_system(way: str, tmp_path: Path) -> None:
    put(tmp_path / "bot" / "bot.toml")
    secret = put(tmp_path / "elsewhere" / "bin" / "sigma")
    with pytest.raises(CellError, match="not in the bot's folder"):
        visible_to(Program((f"{way}{secret}",), tmp_path / "bot"))


def test_a_link_to_an_installation_shows_it(opt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = tmp_path / "links"
    links.mkdir()
    (links / "tau").symlink_to(opt / "bin" / "tau")
    monkeypatch.setenv("PATH", f"{links}:/usr/bin:/bin")
    assert {opt / "bin", opt / "lib"} < set(visible_to(Program(("tau",), tmp_path)).shown)


def test_a_program_in_a_folder_that_is_a_link_is_started_where_it_is_shown(
    opt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "linked").symlink_to(opt)
    monkeypatch.setenv("PATH", f"{tmp_path}/linked/bin:/usr/bin:/bin")
    found = visible_to(Program(("tau",), tmp_path))
    assert found.command[0] == str(opt / "bin" / "tau")
    assert found.path.startswith(f"{opt}/bin:")

    (tmp_path / "environment").symlink_to(sys.prefix)
    monkeypatch.setattr("sys.executable", f"{tmp_path}/environment/bin/python")
    ours = visible_to(Program((OURS,), tmp_path))
    assert ours.command[0] == f"{Path(sys.prefix).resolve()}/bin/python"


def test_a_folder_of_the_system_that_is_not_usually_searched_is_searched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "bullring.arena.cells.sandbox.visible.which", {"tau": "/usr/local/tau/bin/tau", "cat": "/usr/bin/cat"}.get
    )
    visible = visible_to(Program(("/usr/bin/env", "tau", "cat"), tmp_path))
    assert visible.path == "/usr/local/tau/bin:/usr/local/bin:/usr/bin:/bin"
    assert not visible.shown


@pytest.mark.parametrize("path", ["", ".", "bin"])
def test_the_working_folder_is_not_searched(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "tau")
    put(tmp_path / "bin" / "tau")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{path}:/usr/bin:/bin")
    assert installations.which("tau") is None


def test_homes_are_not_installations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = put(tmp_path / "home" / "bin" / "tau")
    (tmp_path / "home" / "lib").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert visible_to(Program(("tau",), tmp_path)).shown == (program,)


def test_what_programs_keep_for_their_user_is_not_part_of_an_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = tmp_path / "home" / ".local"
    program = put(local / "bin" / "tau")
    (local / "lib").mkdir()
    put(local / "share" / "tau" / "auth.json")
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert visible_to(Program(("sh", "-c", "tau"), tmp_path)).shown == (local / "bin", local / "lib")


def test_a_proxy_of_rustup_gives_way_to_its_default_toolchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "cargo" / "bin" / "rustup")
    (tmp_path / "cargo" / "bin" / "cargo").symlink_to("rustup")
    (tmp_path / "cargo" / "credentials.toml").write_text("")
    home = tmp_path / "rustup"
    real = put(home / "toolchains" / "stable-here" / "bin" / "cargo")
    (home / "settings.toml").write_text('default_toolchain = "stable"\n')
    monkeypatch.setenv("PATH", f"{tmp_path / 'cargo' / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("RUSTUP_HOME", str(home))
    for command in (("cargo", "run"), ("sh", "-c", "cargo run")):
        visible = visible_to(Program(command, tmp_path))
        assert visible.shown == (real.parent,)
        assert visible.path.startswith(f"{real.parent}:/")


def test_a_command_of_very_many_words_is_looked_up_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    monkeypatch.setattr("bullring.arena.cells.sandbox.visible.which", asked.append)
    put(tmp_path / "more", f"#!{'a ' * 120}\n")
    visible_to(Program(("./more", *["./more " * 100] * 64), tmp_path))
    assert len(asked) < 1000


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        (FOREIGN, "not a program for this machine (Exec format error): it is for s390x, and this is"),
        (b"MZ\x90\0", "not a program for this machine (Exec format error): it is for Windows"),
        (b"echo hello\n", "a script must begin with a line that names its interpreter, like #!/bin/sh"),
        (b"#!/bin/sh\r\necho\r\n", "ends with a carriage return"),
        (b"#!/usr/bin/tau9\n", "names the interpreter /usr/bin/tau9, which is not on this machine"),
    ],
)
def test_what_cannot_run_here_is_told_before_it_starts(
    contents: bytes, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executable, "_MORE_KINDS", tmp_path / "none")
    put(tmp_path / "bot", contents)
    with pytest.raises(CellError, match=r"bot") as raised:
        visible_to(Program(("./bot",), tmp_path))
    assert why in str(raised.value)


def test_a_machine_that_knows_more_kinds_of_programs_may_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds" / "qemu-s390x").write_text("enabled\n")
    monkeypatch.setattr(executable, "_MORE_KINDS", tmp_path / "kinds")
    put(tmp_path / "bot", FOREIGN)
    assert visible_to(Program(("./bot",), tmp_path)).command == ("./bot",)


def test_settings_of_runtimes_are_shown_and_those_with_secrets_are_not() -> None:
    shown = installations.system_settings()
    assert "/etc/alternatives" in shown or not Path("/etc/alternatives").exists()
    for path in Path("/etc").glob("java-*"):
        assert str(path) in shown
    building = installations.system_settings(building=True)
    assert set(shown) <= set(building)
    assert not {"/etc", "/etc/php", "/etc/R", "/etc/maven", "/etc/ssl", "/etc/ssl/private"} & set(building)


def test_a_path_is_found_wherever_a_cell_would_show_it(opt: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    put(folder / "secret")
    program = Program(("tau",), folder, reads=(folder,))
    shown = places(program, visible_to(program), ())
    assert set(places_of(folder / "secret", shown)) == {f"{BOT}/secret", f"{folder}/secret"}
    assert places_of(opt / "lib" / "x", shown) == [f"{opt}/lib/x"]
    assert places_of(Path("/usr/share/x"), shown) == ["/usr/share/x"]
    assert places_of(folder, shown)[0] in (BOT, str(folder))
    assert places_of(tmp_path / "elsewhere", shown) == []


def test_what_a_user_named_inside_of_what_is_hidden_is_not_shown(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "home" / "bots" / "mine"
    put(folder / "bot")
    program = Program(("./bot",), folder, reads=(home / "bots",))
    assert places(program, visible_to(program), (home,)) == {BOT: folder}
