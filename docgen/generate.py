"""Make again what follows from the code: `python -m docgen`. With `--check`, only say what is stale (exit code 1).

Made are the JSON Schema and the golden vectors beside `protocol/SPEC.md`, the blocks of SPEC.md between
``<!-- made: name -->`` and ``<!-- /made -->``, and in `docs/` the man page, `cli.md`, `games.md`, `settings.md`, `hostile.md` and
the README's picture.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from pydantic import TypeAdapter

from bullring.cli.program import program
from bullring.protocol.decoding import Dialect
from bullring.protocol.messages import FROM_BOT, FROM_REFEREE
from docgen import games, hostile, manual, tables, vectors
from docgen.annotate import annotated, flat
from docgen.picture import picture
from docgen.session import Line, example

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "protocol" / "SPEC.md"
VECTORS = ROOT / "protocol" / "vectors"
SCHEMA = ROOT / "protocol" / "schema"
DOCS = ROOT / "docs"

COMMANDS: Mapping[str, click.Command] = {"bullring": program}
"""All commands there are, by name."""

_NOTE = "<!-- Made by `python -m docgen`; change the code instead. -->"
_BLOCK = re.compile(r"<!-- made: (\S+) -->\n.*?<!-- /made -->", re.DOTALL)
_ABSENT = ("fault",)
"""Keys that the referee leaves out where they say nothing."""


class BlockError(Exception):
    """SPEC.md has a block that nobody makes, or lacks one."""


def outputs() -> dict[Path, str]:
    """All files that are made, with what they should hold."""
    files = {SPEC: filled(SPEC.read_text("utf-8"), blocks())}
    files[SCHEMA / "from-bot.json"] = _json(bot_schema())
    files[SCHEMA / "from-referee.json"] = _json(referee_schema())
    for name, vector in {**vectors.messages(), **vectors.streams(), **vectors.invalid()}.items():
        files[VECTORS / name] = _vector(vector)
    files[DOCS / "cli.md"] = f"# The command line\n\n{_NOTE}\n\n" + "\n\n".join(_helps()) + "\n"
    files[DOCS / "man" / "bullring.1"] = manual.page(program)
    files[DOCS / "games.md"] = f"# Games\n\n{_NOTE}\n\n{games.page()}\n"
    files[DOCS / "settings.md"] = _settings()
    files[DOCS / "live-table.svg"] = picture()
    files[DOCS / "hostile.md"] = _hostile(hostile.load())
    return files


def filled(text: str, made: Mapping[str, str]) -> str:
    """SPEC.md with its blocks made anew. Raises `BlockError`."""
    names = _BLOCK.findall(text)
    if sorted(names) != sorted(made) or text.count("<!-- made:") != len(names):
        raise BlockError(f"SPEC.md must have each of these blocks once: {', '.join(made)}; it has {', '.join(names)}")
    return _BLOCK.sub(lambda match: f"<!-- made: {match[1]} -->\n{made[match[1]]}\n<!-- /made -->", text)


def blocks() -> dict[str, str]:
    """By name: the blocks of SPEC.md."""
    session = example()
    made = {f"message-{name}": tables.message(model, _ABSENT) for name, model in tables.MESSAGES.items()}
    made["manifest"] = tables.manifest()
    made["manifest-limits"] = tables.manifest_limits()
    made["session-json"] = _fenced(_as_json(session))
    made["session-msgpack"] = _fenced(_as_msgpack(session))
    made["session-framed"] = _fenced(_as_frames(session))
    made["limits"] = tables.limits()
    made["clocks"] = tables.clocks()
    made["bounds"] = tables.bounds()
    made["games"] = games.games()
    made["rules"] = games.rules()
    made["decisions"] = games.decisions()
    made["options"] = games.options()
    made["view"] = games.views()
    made["events"] = games.events()
    made["courses"] = games.courses()
    made["fallback"] = games.fallbacks()
    made["decks"] = games.decks()
    return made


def bot_schema() -> dict[str, Any]:
    """JSON Schema of all that a bot may say."""
    return _schema(FROM_BOT, "What a bot says")


def referee_schema() -> dict[str, Any]:
    """JSON Schema of all that the referee says. What it leaves out is never null."""
    schema = _schema(FROM_REFEREE, "What the referee says")
    for part in schema["$defs"].values():
        properties = part["properties"]
        for key in _ABSENT:
            if key in properties:
                properties[key] = {"description": properties[key]["description"], "type": "string"}
        part["required"] = [key for key in properties if key not in _ABSENT]
    return schema


def _schema(adapter: TypeAdapter[Any], title: str) -> dict[str, Any]:
    schema = _without_titles(adapter.json_schema(mode="serialization"))
    assert isinstance(schema, dict)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"{title} (Bullring, protocol 1)"}
    return head | schema


def _without_titles(node: Any) -> Any:
    """The schema without the titles that only repeat the names of keys."""
    if isinstance(node, dict):
        return {
            key: _without_titles(value)
            for key, value in node.items()
            if not (key == "title" and isinstance(value, str)) and not (key == "default" and "const" in node)
        }
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    return node


def _as_json(session: Sequence[Line]) -> Iterator[str]:
    """Up to the second turn, and the end."""
    for line in [*session[:8], None, *session[-4:]]:
        if line is None:
            yield f"          ... {(len(session) - 12) // 2} more questions and answers ..."
        else:
            yield f"{line.sender + ':':<9} {line.packed[Dialect.JSON].decode('ascii').rstrip()}"


def _as_msgpack(session: Sequence[Line]) -> Iterator[str]:
    """One message of each type; of the choices, the one that ends with the byte 0a."""
    hello, welcome, decide = session[:3]
    for line in (hello, welcome, decide, session[3], session[7], *session[-2:]):
        data = line.packed[Dialect.MSGPACK]
        yield f"{line.sender}: {line.title}, {len(data)} bytes"
        yield from annotated(data)
        yield ""


def _as_frames(session: Sequence[Line]) -> Iterator[str]:
    """The same messages, of which the long ones are cut."""
    for line in (*session[:4], session[7], *session[-2:]):
        data = line.packed[Dialect.FRAMED]
        size = f"{'':2}the length, {len(data) - 4}"
        yield f"{line.sender}: {line.title}, {len(data)} bytes"
        yield f"{data[:4].hex(' '):<48}{size}"
        rows = flat(data[4:])
        yield from rows[:4] if len(rows) <= 4 else [rows[0], f"... {len(data) - 20} bytes more, as above"]
        yield ""


def _fenced(lines: Iterator[str]) -> str:
    text = "\n".join(lines).rstrip("\n")
    return f"```text\n{text}\n```"


def _helps() -> Iterator[str]:
    for name, command in COMMANDS.items():
        yield from _help(command, [name])


def _help(command: click.Command, words: list[str]) -> Iterator[str]:
    """What `--help` says, of a command and those below it."""
    arguments = [*words[1:], "--help"]
    root = COMMANDS[words[0]]
    result = CliRunner().invoke(root, arguments, prog_name=words[0], terminal_width=100, color=False)
    assert result.exit_code == 0, result.output
    yield f"{'#' * (len(words) + 1)} {' '.join(words)}\n\n```text\n{result.output.rstrip()}\n```"
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _help(below, [*words, name])


def _settings() -> str:
    return f"""# Settings

{_NOTE}

## The settings of an arena

A TOML file, given with `--config`. Every section and every key may be left out; an unknown one is an error. What the command
line says stands over the file. A duration is a text of a number with its unit: `us`, `ms`, `s` or `m`.

{tables.settings().replace("## [", "### [")}

## The manifest of a bot

`bot.toml` in the folder of the bot. An unknown key is an error.

{tables.manifest()}

### [limits]

What the bot asks for, where the usual is too little, or more than it wants. The arena's settings say what it may have at most
(`[bots]` above); a bot that asks for more is not admitted.

{tables.manifest_limits()}
"""


def _hostile(found: hostile.Found) -> str:
    return f"""# Hostile bots

{_NOTE}

`tests/hostile/bots` contains a tiny program for each thing that a bot must not do. Each one plays against honest rivals. It is
*held* if its attempt fails or gets the required verdict, if the rivals and the record are the same as with a polite bot in its
place, and if nothing is left behind. What a tier does not promise (see [SECURITY.md](../SECURITY.md)) is not tried in it.

`python -m tests.hostile --json docgen/hostile.json` plays all of them and writes the data of this page. Each program limits
itself, so that a bot that escapes fails a test and does no harm.

{hostile.page(found)}
"""


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _vector(vector: Mapping[str, Any]) -> str:
    """One key on a line, so that bytes and messages can be compared by eye."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in vector.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def stale(files: Mapping[Path, str]) -> list[Path]:
    """The files that are not as they should be, or should not be there."""
    wrong = [path for path, text in files.items() if not path.is_file() or path.read_text("utf-8") != text]
    return wrong + [path for path in sorted(VECTORS.rglob("*.json")) if path not in files]


def write(files: Mapping[Path, str]) -> None:
    """Make the files as they should be."""
    for path in stale(files):
        if path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], "utf-8")
        else:
            path.unlink()


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if something is stale, and say what.")
def main(check: bool) -> None:
    """Make the generated documents, schemas and vectors."""
    files = outputs()
    wrong = stale(files)
    for path in wrong:
        click.echo(f"{'stale' if check else 'made'}: {path.relative_to(ROOT)}")
    if not check:
        write(files)
    sys.exit(1 if check and wrong else 0)


if __name__ == "__main__":
    main()
