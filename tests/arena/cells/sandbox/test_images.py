"""The images that bots run in."""

import secrets
import subprocess
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from bullring.arena.cells.sandbox.container import context, host_image
from bullring.arena.cells.sandbox.container.images import LABEL, Images
from bullring.arena.cells.sandbox.program import Program
from bullring.errors import CellError, HostError
from tests.arena.cells.sandbox import base_image
from tests.arena.cells.sandbox.stage import Stage, hear, staged
from tests.support.tiers import WITH_IMAGES


@pytest.fixture
def static_bot(tmp_path: Path) -> Path:
    """A folder with a program that needs nothing."""
    folder = tmp_path / "bot"
    folder.mkdir()
    base_image.compiled(folder).rename(folder / "bot")
    return folder


async def said(stage: Stage, **changes: object) -> str:
    came = await stage.output("print('hello')", **changes)  # type: ignore[arg-type]
    assert stage.exit == "exited with status 0", bytes(stage.log)
    return came


@staged(*WITH_IMAGES)
async def test_python_comes_from_the_machine(stage: Stage) -> None:
    program = """
        import ctypes, hashlib, json, lzma, math, sqlite3, ssl, subprocess, sys, zlib
        assert subprocess.check_output(["sh", "-c", "echo shell"]) == b"shell\\n"
        print(sys.version_info[:2])
        """
    assert (await stage.output(program)).startswith("(3, ")


@staged(*WITH_IMAGES)
async def test_a_static_program_runs_in_it(stage: Stage, static_bot: Path) -> None:
    assert await said(stage, command=("./bot",)) == "hello\n"
    assert await said(stage, command=(str(static_bot / "bot"),)) == "hello\n"


@staged(*WITH_IMAGES)
async def test_a_program_that_is_not_there_is_told_before_the_start(stage: Stage) -> None:
    with pytest.raises(CellError, match="no-such-program"):
        await stage.docker.prepare(stage.program("", command=("no-such-program",)))


@staged(*WITH_IMAGES)
async def test_an_image_by_its_name(stage: Stage, tmp_path: Path) -> None:
    base_image.make(stage.engine, tmp_path)
    stage.docker.images = Images(stage.engine, allowed=["bullring-test/*"])
    assert await said(stage, image=base_image.NAME, command=("nothing",), image_run=("/probe",)) == "hello\n"
    async with stage.running("", image=base_image.NAME, command=("/probe", "die")) as cell:
        assert await hear(cell) == ""
        assert cell.exit_text() == "killed by SIGSEGV, or exited with status 139"
    with pytest.raises(CellError, match="docker pull bullring-test/nothing:1"):
        await stage.docker.prepare(stage.program("", image="bullring-test/nothing:1"))
    stage.docker.images = Images(stage.engine)
    with pytest.raises(CellError, match="bullring-test/base:1, which bots may not use here"):
        await stage.docker.prepare(stage.program("", image=base_image.NAME))


@staged(*WITH_IMAGES)
async def test_the_shared_image_is_small_and_made_again_when_it_is_gone(stage: Stage) -> None:
    tag = host_image.tag(host_image.contents())
    launch = stage.program("print('hello')")
    await stage.docker.prepare(launch)
    found = await stage.engine.call("look", partial(stage.engine.client.inspect_image, tag))
    assert found["Size"] < 10_000
    assert found["Config"]["Labels"][LABEL] == "host"
    await stage.engine.call("remove", partial(stage.engine.client.remove_image, found["Id"], force=True))
    with pytest.raises(HostError, match="removed"):
        await stage.docker.start(launch, stage.log.extend)
    assert await said(stage) == "hello\n"


@staged(*WITH_IMAGES)
async def test_a_dockerfile_is_built_once_for_its_content(stage: Stage, static_bot: Path) -> None:
    (static_bot / "Dockerfile").write_text(
        'FROM scratch\nENV PATH=/own\nCOPY bot /own/greet\nENTRYPOINT ["/nothing"]\n'
    )
    (static_bot / "unique").write_text(secrets.token_hex())  # no image of an earlier test
    (static_bot / ".dockerignore").write_text("*.log\n")
    before = set(await images(stage, "bullring/bot"))
    assert await said(stage, command=("greet",)) == "hello\n"
    after = set(await images(stage, "bullring/bot"))
    (first,) = after - before
    (static_bot / "noise.log").write_text("ignored")
    stage.docker.images = Images(stage.engine)
    assert await said(stage, command=("greet",)) == "hello\n"
    assert set(await images(stage, "bullring/bot")) == after
    await stage.engine.call("remove", partial(stage.engine.client.remove_image, first, force=True))


async def images(stage: Stage, name: str) -> list[str]:
    found = await stage.engine.call("list", partial(stage.engine.client.images, filters={"label": f"{LABEL}=bot"}))
    return [tag for each in found for tag in each["RepoTags"] or () if name in tag]


@pytest.mark.parametrize(
    ("dockerfile", "why"),
    [
        ("FROM bullring/nothing:2\n", "docker pull bullring/nothing:2"),
        ("FROM {base}\nCOPY --from=private:latest /x /x\n", "private:latest, which bots may not use here"),
        ("FROM $BASE\n", "ARG"),
        ('FROM {base}\nRUN ["/probe", "fail"]\n', "no network(.|\n)*words"),
        ('FROM {base}\nRUN ["/probe", "connect"]\n', "refused|unreachable"),
        ('FROM {base}\nRUN ["/probe", "links"]\n', r"link lo \||link lo$"),
        ("FROM {base}\nVOLUME /data\n", "VOLUME /data"),
        ("FROM {base}\nNONSENSE\n", "(?i)unknown instruction"),
    ],
)
@staged(*WITH_IMAGES)
async def test_dockerfiles_that_do_not_serve(stage: Stage, dockerfile: str, why: str, tmp_path: Path) -> None:
    launch = stage.program("")
    base_image.make(stage.engine, tmp_path)
    refused = "RUN" in dockerfile and stage.engine.is_podman
    (stage.folder / "Dockerfile").write_text(dockerfile.replace("{base}", base_image.NAME))
    stage.docker.images = Images(stage.engine, allowed=["bullring/nothing:2", base_image.NAME])
    with pytest.raises(CellError, match="--network none" if refused else why):
        await stage.docker.prepare(launch)


def only_inspects(inspect: Callable[[str], dict[str, Any]]) -> Any:
    """An engine that can do nothing but look at images."""

    async def call(_: str, do: Any) -> Any:
        return do()

    return SimpleNamespace(is_podman=False, client=SimpleNamespace(inspect_image=inspect), call=call)


def test_base_images_that_have_more_done_are_refused(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM base\n")

    engine = only_inspects(lambda name: {"Id": "1", "Config": {"OnBuild": ["ADD http://example.org/x /x"]}})
    with pytest.raises(CellError, match="base, which has ONBUILD ADD http"):
        trio.run(Images(engine, allowed=["base"]).find, Program(("./bot",), tmp_path))


@pytest.mark.parametrize(
    ("name", "allowed", "fits"),
    [
        ("debian:12", [], False),
        ("debian:12", ["debian:12"], True),
        ("docker.io/library/debian:12", ["debian:12"], True),
        ("debian:12", ["index.docker.io/library/debian:12"], True),
        ("debian", ["debian:latest"], True),
        ("debian:12", ["debian"], False),
        ("debian:12", ["debian:*"], True),
        ("debian-private:12", ["debian:*"], False),
        ("evil.example/debian:12", ["debian:12"], False),
        ("localhost:5000/x", ["localhost:5000/*"], True),
        ("x", ["*"], True),
        ("0123456789ab", ["debian:12"], False),
        (f"{host_image.REPOSITORY}:0123", [], False),
        ("bullring/bot:0123456789abcdef", [], False),
    ],
)
def test_bots_name_only_images_that_are_allowed(name: str, allowed: list[str], fits: bool, tmp_path: Path) -> None:
    inspected: list[str] = []

    def inspect(name: str) -> dict[str, Any]:
        inspected.append(name)
        return {"Id": "1"}

    images = Images(only_inspects(inspect), allowed=allowed)
    named = tmp_path / "named"
    based = tmp_path / "based"
    taken = tmp_path / "taken"
    for folder, dockerfile in (
        (named, ""),
        (based, f"FROM {name}"),
        (taken, f"FROM scratch\nCOPY --from={name} /x /x"),
    ):
        folder.mkdir()
        if dockerfile:
            (folder / "Dockerfile").write_text(dockerfile)
        program = Program(("./bot",), folder, image="" if dockerfile else name)
        if fits:
            assert trio.run(images.find, program).image == "1"
        else:
            with pytest.raises(CellError, match=r"which bots may not use here; to allow it, .* images = "):
                trio.run(images.find, program)
    assert bool(inspected) == fits, "the engine is not asked about what is not allowed"


def test_the_dockerfile_that_is_checked_is_the_one_that_is_built(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM scratch\n")
    with (tmp_path.parent / "tar").open("w+b") as file:
        packed = context.pack(tmp_path, (), file)
        assert packed.dockerfile == b"FROM scratch\n"
        file.seek(0)
        with tarfile.open(fileobj=file) as tar:
            inner = tar.extractfile("Dockerfile")
            assert inner is not None
            assert inner.read() == packed.dockerfile
    (tmp_path / "Dockerfile").unlink()
    (tmp_path / "Dockerfile").symlink_to("/etc/passwd")
    with (tmp_path.parent / "tar").open("w+b") as file:
        assert context.pack(tmp_path, (), file).dockerfile == b""


def test_what_must_not_be_seen_is_not_built_from(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "secret").write_text("a")
    (tmp_path / "seen").write_text("b")
    (tmp_path / "link").symlink_to("/etc/passwd")

    def packed(*mask: Path) -> tuple[str, bytes]:
        with (tmp_path.parent / "tar").open("w+b") as file:
            digest = context.pack(tmp_path, mask, file).digest
            file.seek(0)
            return digest, file.read()

    digest, data = packed(tmp_path / "sub")
    assert b"secret" not in data
    assert b"root:" not in data
    assert packed(tmp_path / "sub")[0] == digest
    (tmp_path / "sub" / "secret").write_text("c")
    assert packed(tmp_path / "sub")[0] == digest
    assert packed()[0] != digest


def test_a_folder_too_deep_to_walk_is_the_bots_fault(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    subprocess.run(
        ["sh", "-c", "i=0; while [ $i -lt 1500 ]; do mkdir d && cd -P d || exit; i=$((i+1)); done"],
        cwd=deep,
        check=True,
    )
    with (tmp_path / "tar").open("wb") as file, pytest.raises(CellError):
        context.pack(deep, (), file)
    subprocess.run(["rm", "-rf", str(deep)], check=True)


@staged(*WITH_IMAGES)
async def test_programs_that_want_the_same_image_make_one(stage: Stage) -> None:
    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(stage.docker.prepare, stage.program("print(1)"))
    found = await stage.engine.call("list", partial(stage.engine.client.images, filters={"label": f"{LABEL}=host"}))
    tag = host_image.tag(host_image.contents())
    assert len([each for each in found if any(name.endswith(tag) for name in each["RepoTags"] or ())]) == 1
