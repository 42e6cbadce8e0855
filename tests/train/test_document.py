"""Commands and examples of docs/training.md work."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE

DOCUMENT = (Path(__file__).parents[2] / "docs" / "training.md").read_text("utf-8")


def run(command: str, folder: Path, **more: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
        env={**os.environ, "PATH": path, "BULLRING_HOME": str(folder / "arena"), "COLUMNS": "100", **more},
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_a_newcomer_gets_from_an_installation_to_a_ladder(tmp_path: Path) -> None:
    block = re.search(r"```console\n(.*?)```", DOCUMENT, re.DOTALL)
    assert block is not None
    install, *commands = re.findall(r"^\$ (.*)$", block[1], re.MULTILINE)
    assert install.startswith("pip install '.[fast,train]'")
    shown = ""
    for command in commands:
        command = command.replace("--for 5m", "--deals 1024")
        shown = run(command.replace("--for 30s", "--for 5s"), tmp_path)
    assert "mine" in shown


def test_the_examples_run(tmp_path: Path) -> None:
    examples = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    environment, deals, vector, policy = examples
    made = (
        "import numpy as np; n = len(layout.actions)\nweights, biases = [np.zeros((layout.size, n))], [np.zeros(n)]\n"
    )
    policy = policy.replace("# weights:", f"{made}# weights:")
    (tmp_path / "examples.py").write_text(
        environment + deals.replace("4096", "16") + vector.replace("1024", "16") + policy, "utf-8"
    )
    run(f"{sys.executable} examples.py", tmp_path, BULLRING_COMPILE="0")  # a few tables: compiling would take longer
