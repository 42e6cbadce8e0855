import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bullring.arena.settings.file import SettingsFile
from bullring.cli.program import program
from bullring.protocol.annotate import annotated, flat
from bullring.protocol.decoding import Dialect
from bullring.validation import Mistake, keys, read_table
from docgen import commands, generate, tables
from docgen.session import example

SPEC = generate.SPEC.read_text("utf-8")


def test_nothing_is_stale() -> None:
    names = [str(path.relative_to(generate.ROOT)) for path in generate.stale(generate.outputs())]
    assert not names, f"{', '.join(names)}: say `python -m docgen`"


@pytest.mark.slow
def test_check_says_what_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CliRunner()
    assert runner.invoke(generate.main, ["--check"]).exit_code == 0
    files = generate.outputs() | {generate.DOCS / "games.md": "another text"}
    monkeypatch.setattr(generate, "outputs", lambda: files)
    result = runner.invoke(generate.main, ["--check"])
    assert result.exit_code == 1
    assert result.output == "stale: docs/games.md\n"


def test_what_is_written_is_not_stale_and_strays_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "VECTORS", tmp_path)
    stray = tmp_path / "invalid" / "stray.json"
    stray.parent.mkdir()
    stray.write_text("{}", "utf-8")
    files = {tmp_path / "from-bot" / "hello.json": "text\n"}
    assert generate.stale(files) == [tmp_path / "from-bot" / "hello.json", stray]
    generate.write(files)
    assert generate.stale(files) == []
    assert not stray.exists()


@pytest.mark.parametrize(
    "text",
    [
        "no block at all",
        "<!-- made: a -->\n<!-- /made -->\n<!-- made: a -->\n<!-- /made -->",
        "<!-- made: a -->\n<!-- /made -->\n<!-- made: b -->\n<!-- /made -->",
        "<!-- made: a -->\n<!-- /made -->\n<!-- made: a -->",
    ],
)
def test_a_block_that_does_not_fit(text: str) -> None:
    with pytest.raises(generate.BlockError, match="each of these blocks once: a"):
        generate.filled({Path("a.md"): text}, {"a": "made"})


def test_a_block_is_filled() -> None:
    text = "before\n<!-- made: a -->\nold\nolder\n<!-- /made -->\nafter"
    found = generate.filled({Path("a.md"): text, Path("b.md"): "no block"}, {"a": r"\new"})
    assert found == {Path("a.md"): "before\n<!-- made: a -->\n\\new\n<!-- /made -->\nafter"}


@pytest.mark.parametrize("line", example(), ids=lambda line: f"{line.sender} {line.title}")
def test_annotated_bytes_are_the_bytes(line: Any) -> None:
    data = line.packed[Dialect.MSGPACK]
    for rows in (annotated(data), flat(data)):
        assert bytes.fromhex("".join(row[:48] for row in rows)) == data
    assert data.startswith(bytes.fromhex(annotated(data)[0][:48]))


def test_every_command_is_in_the_reference_with_all_its_options() -> None:
    """An option is described with its command, or once for several."""
    text = (generate.DOCS / "cli.md").read_text("utf-8")
    chapters = dict(re.findall(r"^#+ ([^\n]*)\n(.*?)(?=^#+ |\Z)", text, re.DOTALL | re.MULTILINE))
    common = " ".join(chapters["Options of several commands"].split())
    found = list(commands.commands(program, ["bullring"]))
    assert len(found) > 40
    for words, command in found:
        chapter = " ".join(chapters[" ".join(words)].split())
        for name, meaning in commands.options(command):
            described = " ".join(f"{name} {meaning}".split())
            assert described in chapter or (described in common and f"`{name.split()[0]}`" in chapter), (words, name)


def test_every_message_has_its_table() -> None:
    for schema in (generate.bot_schema(), generate.referee_schema()):
        for part in schema["$defs"].values():
            for key in part["properties"]:
                assert f"| `{key}` |" in SPEC
    assert {model.__name__ for model in tables.MESSAGES.values()} == {
        *generate.bot_schema()["$defs"],
        *generate.referee_schema()["$defs"],
    }


def types(made: str) -> dict[str, str]:
    """By key, the types in the rows of a generated table."""
    rows = [line.split("|") for line in made.splitlines() if line.startswith("| `")]
    return {row[1].strip(" `"): row[2].strip() for row in rows}


def takes(section: str, key: str, value: object) -> bool:
    try:
        read_table(SettingsFile, {section: {key: value}})
    except Mistake:
        return False
    return True


@pytest.mark.parametrize("section", keys(SettingsFile))
def test_a_setting_is_called_a_duration_exactly_if_it_takes_one(section: str) -> None:
    _, _, rest = tables.settings().partition(f"## [{section}]\n")
    found = types(rest.partition("\n## ")[0])
    assert found
    for key, text in found.items():
        assert text.startswith("duration from ") == (takes(section, key, "1s") and not takes(section, key, "anything"))
        kind = {"duration": str, "number": float, "integer": int}.get(text.partition(" from ")[0])
        if kind is not None:
            low, high = text.partition(" from ")[2].split(" to ")
            assert takes(section, key, kind(low))
            assert takes(section, key, kind(high))


def test_caps_are_numbers_and_no_durations() -> None:
    assert types(tables.manifest_limits()) == {
        "memory_mib": "integer from 16 to 1048576",
        "processes": "integer from 2 to 4096",
        "file_mib": "integer from 1 to 1048576",
        "box_mib": "integer from 1 to 1048576",
        "open_files": "integer from 16 to 65536",
    }


@pytest.mark.parametrize("folder", ["from-bot", "from-referee"])
def test_vectors_fit_the_schema(folder: str) -> None:
    schema = json.loads((generate.SCHEMA / f"{folder}.json").read_text("utf-8"))
    for path in (generate.VECTORS / folder).glob("*.json"):
        assert fits(json.loads(path.read_text("utf-8"))["message"], schema, schema), path.name


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("from-bot", {"type": "choice", "id": 7}),
        ("from-bot", {"type": "choice", "id": 7, "option": None, "index": 0}),
        ("from-bot", {"type": "choice", "id": 7, "option": None}),
        ("from-bot", {"type": "choice", "id": 7, "index": None}),
        ("from-bot", {"type": "choice", "id": 7, "index": -1}),
        ("from-bot", {"type": "choice", "id": 7, "option": True}),
        ("from-bot", {"type": "choice", "id": 7, "option": 2**31}),
        ("from-bot", {"type": "choice", "id": -1, "option": 1}),
        ("from-bot", {"type": "choice", "id": 7, "option": "x" * 65}),
        ("from-bot", {"type": "hello", "protocol": 2, "name": "newer"}),
        ("from-bot", {"type": "bye", "reason": "enough"}),
        ("from-referee", {"type": "bye"}),
        ("from-referee", {"type": "match_over", "events": [], "scores": [1, 2], "ranks": [1, 2], "void": None}),
    ],
)
def test_what_does_not_fit_the_schema(folder: str, message: dict[str, Any]) -> None:
    schema = json.loads((generate.SCHEMA / f"{folder}.json").read_text("utf-8"))
    assert not fits(message, schema, schema)


def fits(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a value is valid: as much of JSON Schema as our schemas use."""
    if "$ref" in schema:
        return fits(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "oneOf" in schema:
        rest = {key: part for key, part in schema.items() if key != "oneOf"}
        one = sum(fits(value, {"type": "object", **part}, root) for part in schema["oneOf"]) == 1
        return one and ("type" not in rest or fits(value, rest, root))
    if "anyOf" in schema:
        rest = {key: part for key, part in schema.items() if key != "anyOf"}
        kind = {"type": rest["type"]} if "type" in rest else {}
        some = any(fits(value, {**kind, **part}, root) for part in schema["anyOf"])
        return some and ("type" not in rest or fits(value, rest, root))
    if "const" in schema:
        return bool(value == schema["const"])
    match schema["type"]:
        case "object":
            known = schema.get("properties", {})
            more = schema.get("additionalProperties", True)
            return (
                isinstance(value, dict)
                and all(key in value for key in schema.get("required", ()))
                and all(fits(value[key], part, root) for key, part in known.items() if key in value)
                and (more is True or all(fits(value[key], more, root) for key in value if key not in known))
            )
        case "array":
            return (
                isinstance(value, list)
                and schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
                and all(fits(item, schema["items"], root) for item in value)
            )
        case "string":
            return isinstance(value, str) and schema.get("minLength", 0) <= len(value) <= schema.get(
                "maxLength", len(value)
            )
        case "integer":
            if type(value) is not int or value >= schema.get("exclusiveMaximum", value + 1):
                return False
            return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
    raise AssertionError(f"the schema uses what this test does not know: {schema}")
