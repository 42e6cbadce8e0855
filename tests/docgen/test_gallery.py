"""The scripts of the gallery run as they stand, and are read as notebooks."""

import re
import runpy
from pathlib import Path

import pytest

import bullring
from tests.support.tiers import need

DOCS = Path(__file__).parents[2] / "docs"
SAYS = {
    "tournament": ("bots: quick, greedy, random, twin", "twin", " 0 findings"),
    "analysis": ("decisions with 15 columns", "heads a decision", "= par "),
    "training": ("generation 6: ", "on 200 fresh deals: ", "trained  "),
    "viewer": ("standard, greedy, careful, random", "█", "open course.svg in a browser"),
    "game": ("seat 0 may play [1, 2, 3, 4, 5]", "closest #2", "difference: None"),
}
"""Something that each script prints, in order."""

QUICK = ("viewer", "game")
"""Scripts that take a second; `make slow` runs the others."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in SAYS])
def test_a_script_runs_and_shows_what_it_promises(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need("bwrap")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    runpy.run_path(str(DOCS / "gallery" / f"{name}.py"))
    printed = capsys.readouterr().out
    at = 0
    for text in SAYS[name]:
        assert text in printed[at:], printed
        at = printed.index(text, at)


def test_the_scripts_are_notebooks_that_the_page_lists() -> None:
    scripts = {path.stem: path.read_text("utf-8") for path in (DOCS / "gallery").glob("*.py")}
    assert set(scripts) == set(SAYS)
    listed = re.findall(r"\(gallery/(\w+)\.py\)", (DOCS / "python.md").read_text("utf-8"))
    assert sorted(listed) == sorted(scripts)
    for text in scripts.values():
        first, *cells = re.split(r"^# %%", text, flags=re.MULTILINE)[1:]
        assert first.startswith(" [markdown]\n# # ")
        assert all(cell.startswith((" [markdown]\n# ", "\n")) for cell in cells)
        assert all(
            line.startswith("#") for cell in cells if "[markdown]" in cell for line in cell.split("\n")[1:] if line
        )


def test_the_page_calls_what_is_there() -> None:
    blocks = "".join(re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text("utf-8"), re.DOTALL))
    assert set(re.findall(r"\bladder\.(\w+)", blocks)) <= set(dir(bullring.Ladder))
    assert set(re.findall(r"\bbullring\.(\w+)", blocks)) <= set(bullring.__all__)
