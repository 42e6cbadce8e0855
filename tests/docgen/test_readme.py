"""Commands and links in the documents exist, and the README's bot plays."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bullring.cli.program import program
from tests.support.command import bullring
from tests.support.tiers import need

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    ROOT / "protocol" / "SPEC.md",
    *ROOT.glob("sample_bots/**/README.md"),
    ROOT / "bench" / "README.md",
    ROOT / "protocol" / "vectors" / "README.md",
]


def typed(text: str) -> Iterator[list[str]]:
    """The commands `bullring ...` of all console blocks, in words."""
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for line in re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.MULTILINE):
            words = shlex.split(line, comments=True)
            while words:
                end = next((at for at, word in enumerate(words) if word in ("&&", "|", ";")), len(words))
                if words[0] == "bullring":
                    yield words[1:end]
                words = words[end + 1 :]


def check(words: list[str]) -> None:
    """Raises `AssertionError` if there is no such command or option."""
    command: click.Command = program
    for word in words:
        if word.startswith("-") and word != "-":
            known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help", "-h"}
            assert word.split("=")[0] in known, f"{command.name} has no option {word}"
        elif isinstance(command, click.Group):
            found = command.get_command(click.Context(command), word)
            assert found is not None, f"{command.name} has no command {word}"
            command = found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_in_a_document_is_there(document: Path) -> None:
    for words in typed(document.read_text("utf-8")):
        check(words)


def test_commands_that_are_not_there_are_noticed() -> None:
    (words,) = typed("```console\n$ cd x && bullring match a --wach  # look\n```")
    assert words == ["match", "a", "--wach"]
    with pytest.raises(AssertionError, match="--wach"):
        check(words)


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as web pages of repositories make them."""
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_link(place: Path, target: Path, anchor: str) -> None:
    assert target.exists(), f"{place} points at {target}, which does not exist"
    assert not anchor or anchor in anchors(target), (
        f"{place} points at #{anchor} of {target.name}, which does not exist"
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^):]*))?\)", document.read_text("utf-8")):
        check_link(document, document.parent / target if target else document, anchor)


def test_the_code_points_at_documents_that_are_there() -> None:
    """Messages and comments that name a document, or a chapter of one as in `SPEC.md#traps`."""
    for folder in ("arena", "ladder", "protocol", "src/bullring/api", "src/bullring/cli", "train", "docgen"):
        for file in (ROOT / folder).rglob("*.py"):
            for name, anchor in re.findall(r"\b(SPEC\.md|docs/[\w-]+\.md)(?:#([\w-]+))?", file.read_text("utf-8")):
                check_link(file, ROOT / name.replace("SPEC", "protocol/SPEC"), anchor)


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    need("bwrap")
    (code,) = re.findall(r"```python\n(import json\n.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(code)
    words = ("match", "python3 bot.py", "@random", "--deals", "1", "--time", "30s", "--sandbox", "bwrap", "--json")
    done = bullring(*words, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert [seat["faults"] for seat in json.loads(done.stdout)["seats"]] == [[], []]
