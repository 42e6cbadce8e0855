"""The unit of docs/serving.md, as systemd reads it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.command import BULLRING
from tests.support.recipes import recipe


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "bullring.service"
    unit.write_text(recipe("[Unit]", ("/usr/local/bin/bullring", BULLRING)))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
