"""The page about dependencies of bots is done by its own text: each section's commands end with a bot that passes the check."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kits import workshop

PAGE = (Path(__file__).parents[2] / "docs" / "dependencies.md").read_text()
EXAMPLES = dict(re.findall(r"^## (\w+)\n.*?```console\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL))
PROGRAMS = {"Python": "python3", "npm": "npm", "Cargo": "cargo", "Go": "go"}


def test_every_language_of_the_page_has_an_example() -> None:
    assert EXAMPLES.keys() == PROGRAMS.keys()


@pytest.mark.skipif(not workshop.ALL, reason="`make kits` fetches from the registries")
@pytest.mark.parametrize("language", EXAMPLES)
def test_the_example_passes_the_check(language: str, tmp_path: Path) -> None:
    if shutil.which(PROGRAMS[language]) is None:
        pytest.skip(f"there is no {PROGRAMS[language]}")
    script = "".join(line.removeprefix("$ ") + "\n" for line in EXAMPLES[language].splitlines())
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        ["bash", "-e"], input=script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fetches its packages" in done.stdout
