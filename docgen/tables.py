"""Tables in Markdown, generated from models and from the numbers in the code."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING
from typing import Any

from pydantic import BaseModel

from bullring.arena.cells.bots.manifest import CapsSection, Manifest
from bullring.arena.cells.kits.kit import Kit, Need
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.promises import PROMISES, Promise
from bullring.arena.cells.sandbox.tier import Tier
from bullring.arena.cells.sandbox.tiers import AUTO, TIERS
from bullring.arena.cells.text.log import KEEP
from bullring.arena.match.clock.judge import CEILING, CEILING_LEAST_US, STALL_MARGIN_US, STALL_SHARE
from bullring.arena.match.faults import STRIKES
from bullring.arena.match.referee.turns import FLOOD
from bullring.arena.match.seats.player import FAREWELL
from bullring.arena.settings.file import BotsSection, Duration, SettingsFile
from bullring.arena.settings.limits import MAX_DURATION, MICRO, Limits
from bullring.ladder.standings.columns import COLUMNS
from bullring.protocol.decoding import MAX_DEPTH, MAX_ITEMS, MAX_MESSAGE
from bullring.protocol.messages import Bye, Choice, Decide, Hello, MatchOver, Time, Welcome
from bullring.protocol.messages import Limits as WireLimits
from bullring.validation import Flag, Kind, Many, OneOf, Table, Text, Whole, keys

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
"""The messages and their parts, by the name of their table in SPEC.md."""

_OPTION: Schema = Choice.model_json_schema()["properties"]["option"]

_SETTINGS_MEANING = {
    "time.tick": "Bots learn the result of a turn at a multiple of this after its question, so that thinking times stay"
    ' hidden; with `"0s"`, at once.',
    "bots.memory_mib": "Most memory a `bot.toml` may ask for.",
    "bots.processes": "Most processes and threads a `bot.toml` may ask for.",
    "bots.file_mib": "Largest file size a `bot.toml` may ask for.",
    "bots.box_mib": "Largest box a `bot.toml` may ask for.",
    "bots.output_mib": "Most MiB on stderr in one match; values above 64 have no effect.",
    "bots.open_files": "Most open files of each process a `bot.toml` may ask for.",
    "bots.folder_mib": "Largest folder of a bot that a ladder copies; holes in files count.",
    "bots.folder_files": "Most files and folders in it.",
    "ladder.active": "The newest versions of each bot that play. The older ones keep their ratings, and play again when a newer one"
    " is taken off; `bullring ladder run --also BOT` plays one as well.",
    "ladder.name": "How the ladder is called on its pages and in previews of links to them. Default: like its folder.",
    "bots.restart": "Overrides `restart` of every `bot.toml`.",
    "build.time": "Time.",
    "build.memory_mib": "Memory.",
    "build.processes": "Processes and threads together.",
    "build.disk_mib": "Everything a build writes, temporary files included.",
    "build.network": "Let builds use the network. Read [what that opens up](../SECURITY.md) first.",
    "build.fetch": "Fetch [packages](dependencies.md) that bots declare. By default a ladder fetches none, and other commands do.",
    "sandbox.tier": "How bots are confined; overridden by `--sandbox`.",
    "sandbox.allow_unsandboxed": "Start bots even if nothing keeps them from doing harm.",
    "sandbox.freeze": "Freeze bots while they have nothing to decide, and let slow ones think one after another."
    " Default: yes, where possible.",
    "sandbox.runtime": "The container runtime for the tier docker, by the engine's name for it, such as `runsc`. Default: the"
    " engine's own.",
    "sandbox.images": 'The container images that a `bot.toml` or `Dockerfile` may name, such as `"debian:12"`; `*` matches'
    " anything. `scratch` is always allowed.",
}
"""The meaning of settings whose fields have no description."""


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def message(model: type[BaseModel], absent: Iterable[str] = ()) -> str:
    """A table of the keys of a message; the referee may leave out the keys in `absent`."""
    schema = model.model_json_schema()
    rows = []
    for key, prop in schema["properties"].items():
        meaning = prop.get("description") or ("Names the message." if key == "type" else f"See the table `{key}`.")
        if key in absent or not ("const" in prop or key in schema["required"]):
            meaning += " May be absent."
        rows.append((f"`{key}`", type_text(prop), meaning))
    return table(("key", "type", "meaning"), rows)


def kind_text(kind: Kind) -> str:
    """What a key of a TOML file takes, in words."""
    if isinstance(kind, Duration):
        return f"duration from {_seconds(kind.least)} to {_seconds(MAX_DURATION)}"
    return type_text(_schema(kind))


def _schema(kind: Kind) -> Schema:
    """What a key takes, as JSON Schema."""
    match kind:
        case Text():
            return {"type": "string", "minLength": kind.least} | ({"maxLength": kind.most} if kind.most else {})
        case Whole():
            return {"type": "integer", "minimum": kind.least, "maximum": kind.most}
        case Many():
            return {"type": "array", "items": _schema(kind.of)} | ({"maxItems": kind.most} if kind.most else {})
        case OneOf():
            return {"enum": kind.values}
        case Flag():
            return {"type": "boolean"}
        case _:
            raise LookupError(f"{kind} has no words")


def type_text(schema: Schema) -> str:
    """A type of JSON Schema in words."""
    if "const" in schema:
        return f"`{json_text(schema['const'])}`"
    if "enum" in schema:
        return _either([f"`{json_text(value)}`" for value in schema["enum"]])
    if "anyOf" in schema:
        if schema["anyOf"] == _OPTION["anyOf"] and "description" not in schema:
            return "option"
        parts = [part for part in schema["anyOf"] if part.get("type") != "null" or "default" not in schema]
        return _either([type_text(part) for part in parts])
    match schema.get("type"):
        case "integer":
            low, high = schema.get("minimum"), schema.get("maximum")
            return f"`{low}`" if low is not None and low == high else "integer" + _bounds(schema)
        case "string":
            low, high = schema.get("minLength", 0), schema.get("maxLength")
            if high is None:
                return "text"
            return f"text of {low} to {high} characters" if low else f"text of at most {high} characters"
        case "array":
            name, _, rest = type_text(schema["items"]).partition(" ")
            most = f"at most {schema['maxItems']} " if "maxItems" in schema else ""
            return f"list of {most}{name}s {rest if name != 'text' else ''}".rstrip()
        case "boolean":
            return "true or false"
        case "null":
            return "null"
        case "number":
            return f"number from {schema['minimum']:g} to {schema['maximum']:g}"
        case _:
            return "map"


def manifest() -> str:
    """A table of the keys of bot.toml, without its sections."""
    return _keys(Manifest)


def kit() -> str:
    """A table of the keys of kit.toml, without its sections."""
    return _keys(Kit)


def kit_needs() -> str:
    """A table of the keys of `[[needs]]` in kit.toml."""
    return _keys(Need)


def _keys(model: type[Any]) -> str:
    rows = []
    for name, each in keys(model).items():
        kind = each.metadata["kind"]
        if isinstance(kind, Table) or (isinstance(kind, Many) and isinstance(kind.of, Table)):
            continue
        default = "required" if each.default is MISSING else f"`{json_text(each.default)}`"
        rows.append((f"`{name}`", kind_text(kind), default, each.metadata["meaning"]))
    return table(("key", "type", "default", "meaning"), rows)


def manifest_limits() -> str:
    """A table of the keys in the section `[limits]` of bot.toml."""
    usual, most = Caps(), BotsSection()
    rows = []
    for name, each in keys(CapsSection).items():
        default = getattr(usual, name.removesuffix("_mib")) / (MIB if name.endswith("_mib") else 1)
        of, meaning = kind_text(each.metadata["kind"]), each.metadata["meaning"]
        rows.append((f"`{name}`", of, f"{default:g}", f"{getattr(most, name):g}", meaning))
    return table(("key", "type", "default", "most allowed by default", "meaning"), rows)


def settings() -> str:
    """The sections of the settings file, each with a table of its keys."""
    defaults = Limits()
    parts = []
    for name, section in keys(SettingsFile).items():
        rows = []
        for key, each in keys(type(section.default)).items():
            kind: Kind = each.metadata["kind"]
            default: Any = each.default
            if default is None and name == "time":
                default = _seconds(getattr(defaults, f"{key}_us") / MICRO)
            elif isinstance(kind, Duration):
                default = _seconds(default)
            shown = "none" if default is None else f"`{json_text(default)}`"
            rows.append((f"`{key}`", kind_text(kind), shown, _meaning(name, key)))
        parts.append(f"## [{name}]\n\n{table(('key', 'type', 'default', 'meaning'), rows)}")
    return "\n\n".join(parts)


def limits() -> str:
    """A table of the limits of a bot's messages."""
    return table(
        ("limit", "number", "counts"),
        [
            (
                "size",
                f"{MAX_MESSAGE} bytes",
                "the message: without its line feed in JSON lines, without its length in framed msgpack",
            ),
            ("depth", f"{MAX_DEPTH}", "nested maps and lists, including the message itself"),
            (
                "elements",
                f"{MAX_ITEMS}",
                "elements of one list or keys of one map; in JSON lines, only the size counts",
            ),
        ],
    )


def clocks() -> str:
    """A table of the default time limits."""
    default = Limits().of_bots()
    return table(
        ("limit", "default", "meaning"),
        [
            (f"`{key}`", _seconds(default[key] / 1e6), info.description or "")
            for key, info in WireLimits.model_fields.items()
        ],
    )


def bounds() -> str:
    """A table of what a bot may use, and of the consequences of using more."""
    caps = Caps()
    return table(
        ("what", "limit", "beyond it"),
        [
            ("stdout", f"{FLOOD} bytes from one question to the next", "fault `output`"),
            ("stderr, kept", f"{KEEP} bytes per match: the first and the last half of that", "the middle is dropped"),
            ("stderr, total", f"{caps.output // MIB} MiB per match", "fault `output`"),
            ("memory *", f"{caps.memory // MIB} MiB for all its processes", "fault `memory`, or allocation fails"),
            ("processes *", f"{caps.processes}, including threads", "no new ones can be started"),
            ("processor", "one core for all its processes together", "they run slower"),
            ("file *", f"{caps.file // MIB} MiB", "writing fails, or ends the bot (`SIGXFSZ`)"),
            ("box *", f"{caps.box // MIB} MiB in total; it also counts as memory", "writing fails"),
            ("open files *", f"{caps.open_files} in each process", "no more can be opened"),
            ("faults", f"{STRIKES} per match; `strikes` in `welcome`", "the seat is closed"),
            ("after `bye`", f"{FAREWELL * 1e3:g} ms to end", "the process is killed"),
        ],
    )


def tiers() -> str:
    """The tiers of the sandbox, in the order in which `auto` tries them."""
    fit = [name for name, tier in TIERS.items() if tier.for_strangers]
    rows = [[f"`{AUTO}`", "", f"the first of {' and '.join(f'`{name}`' for name in fit)} that is proven"]]
    for name, tier in TIERS.items():
        allowed = "" if tier.for_strangers else "`--allow-unsandboxed`"
        rows.append([f"`{name}`", ", ".join(filter(None, (tier.needs, allowed))), tier.title])
    return table(["`--sandbox`", "needs", "confinement"], rows)


def promises() -> str:
    """The promises, and what each tier keeps of them."""
    rows = []
    for promise in PROMISES:
        known = f" No try proves that {promise.known}." if promise.known else ""
        rows.append(
            [f"**{promise.name}**: {promise.sentence}{known}", *(_kept(tier, promise) for tier in TIERS.values())]
        )
    return table(["", *(f"`{name}`" for name in TIERS)], rows)


def _kept(tier: Tier, promise: Promise) -> str:
    """What a tier keeps of a promise: first on every machine, then without some means."""
    gaps = [gap for gap in tier.gaps if gap.promise == promise.name]
    always = [gap for gap in gaps if not gap.unless]
    words = ", ".join(gap.word for gap in always)
    kept = "yes" if not always else f"in part: {words}" if all(gap.part for gap in always) else f"no: {words}"
    return "; ".join([kept, *(f"without {' or '.join(gap.unless)}, {gap.word}" for gap in gaps if gap.unless)])


def stalls() -> str:
    """A table of the time that a bot gets back, and of when a match is void."""
    return table(
        ("what", "limit", "beyond it"),
        [
            ("others on its core", "any time during which the bot was ready to run", "the time is given back"),
            (
                "all time on its core",
                f"{CEILING} times the time for the question, and {CEILING_LEAST_US / 1e6:g} s, without its having used that up",
                "the match is void",
            ),
            (
                "stall",
                f"{STALL_MARGIN_US / 1e3:g} ms in which the referee's core was idle, and yet it could not run",
                "the time is given back",
            ),
            ("stalls, total", f"{STALL_SHARE * 100:g} % of the time for one question", "the match is void"),
        ],
    )


def _meaning(section: str, key: str) -> str:
    where = f"{section}.{key}"
    wire = WireLimits.model_fields.get(f"{key}_us")
    meaning = wire.description if wire and section == "time" else _SETTINGS_MEANING.get(where)
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
    return f" of at least {low}" if high is None else f" from {low} to {high}"


def _either(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} or {last}" if first else last


def _seconds(value: float) -> str:
    if value >= 60 and value % 60 == 0:
        return f"{value / 60:g}m"
    return f"{value:g}s" if value >= 1 or not value else f"{value * 1e3:g}ms"


def json_text(value: object) -> str:
    """A simple value in JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str([*value] if isinstance(value, tuple) else value)


def standings() -> str:
    """The columns of a ladder's standings."""
    rows = [
        (f"{column.title}{' (wide)' if column.wide else ''}", f"`{column.key}`", column.meaning) for column in COLUMNS
    ]
    return table(("column", "in JSON and CSV", "meaning"), rows)
