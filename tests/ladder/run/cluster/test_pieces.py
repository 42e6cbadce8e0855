"""The parts of a cluster's run, piece by piece and without Dask."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.processes.kinds import HOST, Kind
from bullring.errors import FilesError, LadderError
from bullring.ladder.run.cluster import node, speed
from bullring.ladder.run.cluster.cluster import address_of, tls_of
from bullring.ladder.run.cluster.parcels import Arriving, parts
from bullring.ladder.run.cluster.speed import Speed
from tests.support.command import here
from tests.support.coroutines import in_asyncio


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("tcp://10.0.0.1:8786", "tcp://10.0.0.1:8786"),
        ("node-7.cluster:8786", "tcp://node-7.cluster:8786"),
        ("tls://[::1]:8786", "tls://[::1]:8786"),
        ("local:4", "local:4"),
    ],
)
def test_the_address_of_a_scheduler_may_be_short(text: str, address: str) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize(
    "text", ["", "10.0.0.1", "http://x:80", "tcp://x:99999", "local:0", "local:four", "tcp://a b:1"]
)
def test_what_is_no_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(LadderError, match="expected the address of a Dask scheduler, such as tcp"):
        address_of(text)


def test_certificates_make_an_address_encrypted_and_refuse_one_that_is_not() -> None:
    assert address_of("10.0.0.1:8786", tls=True) == "tls://10.0.0.1:8786"
    with pytest.raises(LadderError, match=r"say: tls://10\.0\.0\.1:8786"):
        address_of("tcp://10.0.0.1:8786", tls=True)


def test_certificates_come_together(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match="give all three"):
        tls_of(tmp_path, None, tmp_path)


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bullring.ladder.run.cluster.cluster.find_spec", lambda name: None)
    done = here("ladder", "run", "--cluster", "local:2")
    assert done.exit_code == 2
    assert "pip install 'bullring[cluster]'" in done.stderr


def test_a_worker_needs_a_scheduler() -> None:
    done = here("worker", "local:2")
    assert done.exit_code == 2
    assert "give the address of a scheduler" in done.stderr


def test_options_of_a_cluster_need_one_and_jobs_are_of_this_machine(tmp_path: Path) -> None:
    for options in (["--lease", "5s"], ["--mix-speeds", "2"]):
        done = here("ladder", "run", *options)
        assert done.exit_code == 2
        assert f"{options[0]} is for a cluster; name it with: --cluster ADDRESS" in done.stderr
    done = here("ladder", "run", "--cluster", "local:2", "--jobs", "3")
    assert done.exit_code == 2
    assert "--jobs is for this machine alone" in done.stderr


def test_an_encrypted_scheduler_needs_certificates() -> None:
    done = here("worker", "tls://127.0.0.1:9", "--sandbox", "none", "--allow-unsandboxed")
    assert done.exit_code == 2
    assert "say who you are with: --tls-ca CA.pem --tls-cert CERT.pem --tls-key KEY.pem" in done.stderr


def test_the_work_that_measures_a_machine_is_the_same_everywhere() -> None:
    assert speed.work() == speed.EXPECTED
    found = speed.measured(runs=1)
    assert found.figure > 0
    assert Speed.of(json.loads(json.dumps(found.facts()))).kind == found.kind


def test_machines_differ_if_one_is_more_than_the_factor_as_quick() -> None:
    slow, quick = Speed(4.0, "a"), Speed(5.0, "b")
    assert not slow.differs(quick, 1.25)
    assert slow.differs(quick, 1.2)
    assert quick.differs(slow, 1.2)


def _folder(path: Path) -> Path:
    (path / "inner").mkdir(parents=True)
    (path / "bot.py").write_text("print('moo')\n" * 100_000)
    (path / "inner" / "run.sh").write_text("#!/bin/sh\n")
    (path / "inner" / "run.sh").chmod(0o755)
    (path / "link").symlink_to("bot.py")
    return path


def _hash(folder: Path) -> str:
    return hash_folder(folder, Bounds())


def test_a_bot_arrives_as_it_was_sent_under_its_hash(tmp_path: Path) -> None:
    source = _folder(tmp_path / "source")
    arriving = Arriving(tmp_path / "shelf", _hash(source))
    done = [arriving.add(part) for part in parts(source)]
    assert (done[-1], any(done[:-1])) == (True, False)
    assert len(done) > 1
    assert _hash(arriving.folder) == _hash(source)
    assert [path.name for path in (tmp_path / "shelf").iterdir()] == [_hash(source).removeprefix("sha256:")]


def test_a_bot_that_is_not_what_was_announced_leaves_nothing(tmp_path: Path) -> None:
    arriving = Arriving(tmp_path / "shelf", "sha256:" + "0" * 64)
    *first, last = parts(_folder(tmp_path / "source"))
    assert not any(map(arriving.add, first))
    with pytest.raises(FilesError, match="are not the bot's"):
        arriving.add(last)
    assert list((tmp_path / "shelf").iterdir()) == []


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that says what it hears."""
    monkeypatch.setattr(Kind, "command", lambda _: ["cat"])


async def _heard(actor: node.Node, wanted: int, at: int = 0) -> bytes:
    """The next bytes of the host."""
    data = b""
    while len(data) < wanted:
        more = await actor.hear(at + len(data), 60.0)
        assert more is not None
        data += more
    return data


@pytest.mark.usefixtures("echo")
@in_asyncio
async def test_calls_of_a_node_may_be_repeated_and_nothing_is_lost_or_doubled() -> None:
    actor = node.Node(lease=600.0)
    await actor.open()
    await actor.open()
    await actor.say(0, b"one ")
    await actor.say(0, b"one ")  # the answer to the first call got lost
    await actor.say(0, b"one two ")
    assert await _heard(actor, 8) == b"one two "
    assert await actor.hear(0, 0.0) == b"one two "  # the answer got lost
    assert await actor.hear(4, 0.0) == b"two "
    await actor.say(8, b"three")
    assert await _heard(actor, 5, 8) == b"three"
    await actor.close()
    assert await actor.hear(13, 60.0) is None


@pytest.mark.usefixtures("echo")
@in_asyncio
async def test_a_node_that_nobody_calls_ends_its_host() -> None:
    actor = node.Node(lease=0.01)
    await actor.open()
    assert await actor.hear(0, 60.0) is None


@pytest.mark.usefixtures("echo")
@in_asyncio
async def test_a_call_that_was_held_up_on_its_way_changes_nothing() -> None:
    actor = node.Node(lease=600.0)
    await actor.open()
    await actor.say(0, b"one two ")
    assert await _heard(actor, 8) == b"one two "
    assert await actor.hear(4, 0.0) == b"two "
    assert await actor.hear(0, 0.0) == b""  # it was sent before the last one
    assert await actor.hear(4, 0.0) == b"two "
    await actor.close()
    assert await actor.hear(8, 60.0) is None


@in_asyncio
async def test_a_host_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kind, "command", lambda _: ["sleep", "600"])
    monkeypatch.setattr(node, "HOST", replace(HOST, patience=0.01))
    actor = node.Node(lease=600.0)
    await actor.open()
    await actor.close()
    assert await actor.hear(0, 60.0) is None
    assert actor._host is not None
    assert actor._host.status == -9
