"""The units of docs/serving.md, as systemd reads them. `make guest` starts them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.command import BULLRING
from tests.support.recipes import section, units


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    files = []
    for path, unit in units(section("As a service")).items():
        assert "/usr/local/bin/bullring" in unit
        files.append(tmp_path / Path(path).name)
        files[-1].write_text(unit.replace("/usr/local/bin/bullring", str(BULLRING)))
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, check=False)
    assert (len(files), done.returncode, done.stdout, done.stderr) == (2, 0, "", "")
