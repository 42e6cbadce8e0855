"""Tables in Markdown, made from models and the numbers in the code."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from bullring.arena.bots.manifest import CapsSection, Manifest
from bullring.arena.clock.judge import STALL_MARGIN_US, STALL_SHARE, WAITING_MARGIN_US
from bullring.arena.clock.limits import MICRO, Limits
from bullring.arena.referee.faults import STRIKES
from bullring.arena.referee.turns import FLOOD
from bullring.arena.sandbox.caps import MIB, Caps
from bullring.arena.seats.log import KEEP
from bullring.arena.seats.player import FAREWELL
from bullring.arena.settings import BotsSection, SettingsFile
from bullring.protocol.decoding import MAX_DEPTH, MAX_ITEMS, MAX_MESSAGE
from bullring.protocol.messages import Bye, Choice, Decide, Hello, MatchOver, Time, Welcome
from bullring.protocol.messages import Limits as WireLimits

Schema = Mapping[str, Any]

MESSAGES: Mapping[str, type[BaseModel]] = {
    "hello": Hello,
    "choice": Choice,
    "welcome": Welcome,
    "limits": WireLimits,
    "decide": Decide,
    "time": Time,
    "match-over": MatchOver,
    "bye": Bye,
}
"""By the name of its table in SPEC.md."""

_OPTION: Schema = Choice.model_json_schema()["properties"]["option"]

_SETTINGS_MEANING = {
    "time.tick": "What a turn brought is told at whole multiples of this after its question, so that nobody learns how long"
    " others thought; 0 tells it at once.",
    "bots.memory_mib": "The most memory that a bot.toml may ask for, in MiB.",
    "bots.processes": "The most processes and threads that it may ask for.",
    "bots.cpus": "The most cores' worth of the processor that it may ask for.",
    "bots.file_mib": "The largest file that it may ask for, in MiB.",
    "bots.box_mib": "The largest box that it may ask for, in MiB.",
    "bots.output_mib": "What a bot may write to stderr in one match, in MiB, if it is less than 64; nobody can ask for more.",
    "bots.restart": "Holds for all bots, whatever their bot.toml says.",
    "sandbox.tier": "How bots are confined; `--sandbox` stands over it.",
    "sandbox.allow_unsandboxed": "Start bots also where nothing keeps them from doing harm.",
    "sandbox.freeze": "Freeze bots while they have nothing to decide. Without it: in ladders and duels yes, in matches no.",
    "sandbox.runtime": "The container runtime for the tier docker, as the engine calls it: `runsc`. Without it: the engine's own.",
}
"""What a setting means whose field has no description of its own."""


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def message(model: type[BaseModel], absent: Iterable[str] = ()) -> str:
    """Keys, types and meaning of a message; the keys of `absent` may be left out by the referee."""
    schema = model.model_json_schema()
    rows = []
    for key, prop in schema["properties"].items():
        meaning = prop.get("description") or ("Which message it is." if key == "type" else f"See the table `{key}`.")
        if key in absent or not ("const" in prop or key in schema["required"]):
            meaning += " May be absent."
        rows.append((f"`{key}`", type_text(prop), meaning))
    return table(("key", "type", "meaning"), rows)


def type_text(schema: Schema) -> str:
    """A type of JSON Schema in words."""
    if "const" in schema:
        return f"`{json_text(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{json_text(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        if schema["anyOf"] == _OPTION["anyOf"] and "description" not in schema:
            return "option"
        parts = [type_text(part) for part in schema["anyOf"] if part.get("type") != "null" or "default" not in schema]
        return " or ".join(parts)
    match schema.get("type"):
        case "integer":
            return "integer" + _bounds(schema)
        case "string":
            low, high = schema.get("minLength", 0), schema.get("maxLength")
            if high is None:
                return "text"
            return f"text of {low} to {high} characters" if low else f"text of at most {high} characters"
        case "array":
            name, _, rest = type_text(schema["items"]).partition(" ")
            most = f"at most {schema['maxItems']} " if "maxItems" in schema else ""
            return f"list of {most}{name}s {rest}".rstrip()
        case "boolean":
            return "true or false"
        case "null":
            return "null"
        case "number":
            if "exclusiveMinimum" in schema:
                return f"number above {schema['exclusiveMinimum']:g}, at most {schema['maximum']:g}"
            low, high = schema.get("ge", schema.get("minimum")), schema.get("le", schema.get("maximum"))
            return f"duration from {_seconds(low)} to {_seconds(high)}"
        case _:
            return "map"


def manifest() -> str:
    """The keys of bot.toml, but for its sections."""
    schema = Manifest.model_json_schema()
    rows = []
    for key, prop in schema["properties"].items():
        if "$ref" in prop:
            continue
        needed = "needed" if key in schema["required"] else f"`{json_text(prop['default'])}`"
        rows.append((f"`{key}`", type_text(prop), needed, prop["description"]))
    return table(("key", "type", "default", "meaning"), rows)


def manifest_limits() -> str:
    """The section `[limits]` of bot.toml."""
    usual, most = Caps(), BotsSection()
    rows = []
    for key, prop in CapsSection.model_json_schema()["properties"].items():
        name = key.removesuffix("_mib")
        unit = MIB if key.endswith("_mib") else 1
        meaning = next(part["description"] for part in prop["anyOf"] if "description" in part)
        rows.append(
            (f"`{key}`", type_text(prop), f"{getattr(usual, name) / unit:g}", f"{getattr(most, key):g}", meaning)
        )
    return table(("key", "type", "default", "most, if the arena says nothing else", "meaning"), rows)


def settings() -> str:
    """The sections and keys of the settings file."""
    defaults = Limits()
    parts = []
    for name, section in SettingsFile.model_fields.items():
        model = section.annotation
        assert isinstance(model, type)
        assert issubclass(model, BaseModel)
        rows = []
        for key, prop in model.model_json_schema()["properties"].items():
            default = prop.get("default")
            if default is None and name == "time":
                default = _seconds(getattr(defaults, f"{key}_us") / MICRO)
            rows.append(
                (
                    f"`{key}`",
                    type_text(prop),
                    "none" if default is None else f"`{json_text(default)}`",
                    _meaning(name, key, prop),
                )
            )
        parts.append(f"## [{name}]\n\n{table(('key', 'type', 'default', 'meaning'), rows)}")
    return "\n\n".join(parts)


def limits() -> str:
    """Limits of a bot's messages."""
    return table(
        ("limit", "number", "counts"),
        [
            (
                "size",
                f"{MAX_MESSAGE} bytes",
                "the message: without its line feed in JSON lines, without its length in framed msgpack",
            ),
            ("depth", f"{MAX_DEPTH}", "maps and lists within each other, the message itself included"),
            (
                "elements",
                f"{MAX_ITEMS}",
                "elements of one list or keys of one map; in JSON lines the size alone counts",
            ),
        ],
    )


def clocks() -> str:
    """The clocks and the limits that hold where nobody says otherwise."""
    default = Limits().of_bots()
    return table(
        ("limit", "default", "meaning"),
        [
            (f"`{key}`", _seconds(default[key] / 1e6), info.description or "")
            for key, info in WireLimits.model_fields.items()
        ],
    )


def bounds() -> str:
    """What a bot may use up, and what happens to who uses more."""
    caps = Caps()
    return table(
        ("what", "limit", "beyond it"),
        [
            ("stdout", f"{FLOOD} bytes from one question to the next", "fault `output`"),
            ("stderr, kept", f"{KEEP} bytes of each match: the first and the last half", "the middle is dropped"),
            ("stderr, in all", f"{caps.output // MIB} MiB in one match", "fault `output`"),
            ("memory *", f"{caps.memory // MIB} MiB, with all it started", "fault `memory`, or it gets no more"),
            ("processes *", f"{caps.processes}, threads included", "no new ones can be started"),
            ("processor *", f"{caps.cpus:g} core, for all of them together", "they run slower"),
            ("file *", f"{caps.file // MIB} MiB", "writing fails, or ends the bot (`SIGXFSZ`)"),
            ("box *", f"{caps.box // MIB} MiB in all; it counts as memory, too", "writing fails"),
            ("open files", "64", "no more can be opened"),
            ("faults", f"{STRIKES} in one match; `strikes` in `welcome`", "the seat is closed"),
            ("after `bye`", f"{FAREWELL * 1e3:g} ms to end", "the process is killed"),
            (
                "waiting",
                f"{WAITING_MARGIN_US / 1e3:g} ms in which a bot of one thread wanted to run and others had the processor;"
                " not in containers",
                "the time is given back, at most as much again as it had",
            ),
            ("stall", f"{STALL_MARGIN_US / 1e3:g} ms in which the referee could not run", "the time is given back"),
            ("stalls, in all", f"{STALL_SHARE * 100:g} % of the time of one question", "the match is void"),
        ],
    )


def _meaning(section: str, key: str, prop: Schema) -> str:
    where = f"{section}.{key}"
    wire = WireLimits.model_fields.get(f"{key}_us")
    meaning = prop.get("description") or (
        wire.description if wire and section == "time" else _SETTINGS_MEANING.get(where)
    )
    if not meaning:
        raise LookupError(f"the setting {where} needs a description")
    return str(meaning)


def _bounds(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if (low, high) == (-(2**31), 2**31 - 1):
        return " of 32 bits"
    if "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - 1
    if low is None and high is None:
        return ""
    return f" from {low}" if high is None else f" from {low} to {high}"


def _seconds(value: float) -> str:
    return f"{value:g}s" if value >= 1 or not value else f"{value * 1e3:g}ms"


def json_text(value: object) -> str:
    """A value as JSON writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
