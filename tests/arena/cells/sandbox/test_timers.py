"""Where signals freeze a bot, it cannot arrange before to be woken."""

import json
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.proof import Try, prove
from tests.arena.cells.sandbox.test_local import Stage, on_stage


def test_without_control_groups_a_program_in_bubblewrap_cannot_set_an_alarm_that_continues_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: cgroups.NoCgroups("as on most desktops"))

    async def test(stage: Stage) -> None:
        program = """
            import ctypes, errno, fcntl, json, os, signal, struct
            libc = ctypes.CDLL(None, use_errno=True)
            event = struct.pack("=Qii48x", 0, signal.SIGCONT, 0)
            number = {"x86_64": 222, "aarch64": 107}[os.uname().machine]
            made = libc.syscall(number, 1, event, ctypes.create_string_buffer(8))
            said = [made, errno.errorcode.get(ctypes.get_errno())]
            try:
                fcntl.fcntl(0, 10, signal.SIGCONT)
                said.append("F_SETSIG worked")
            except OSError as error:
                said.append(errno.errorcode[error.errno])
            print(json.dumps(said))
        """
        assert json.loads(await stage.output(program)) == [-1, "ENOSYS", "EINVAL"]

    on_stage("bwrap", tmp_path, test)


@pytest.mark.parametrize("tier", ["bwrap", "landlock", "none"])
def test_the_canary_tries_to_wake_itself_up(tier: str, tmp_path: Path) -> None:
    async def test(stage: Stage) -> None:
        proof = await prove(stage.sandbox)
        assert proof.holds, proof.text()
        tried = [each for each in proof.tries if each.name == "time: waking itself up"]
        if tier == "none":
            assert [each.needed for each in tried] == [False]
        else:
            assert tried == [Try("time: waking itself up", True, "ENOSYS", True)]

    on_stage(tier, tmp_path, test)
