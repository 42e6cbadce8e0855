"""Tables in Markdown, made from models, the registry and the numbers in the code."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from arena.bots.manifest import LimitsSection, Manifest
from arena.clock import STALL_MARGIN, STALL_SHARE, Limits
from arena.faults import STRIKES
from arena.match import FLOOD, WAITING_MARGIN
from arena.rules.game import Game, Shuffle
from arena.rules.options import OptionSpec
from arena.rules.registry import GAMES
from arena.sandbox.caps import MIB, Caps
from arena.seats.bot import FAREWELL
from arena.seats.player import Log
from arena.settings import BotsSection, SettingsFile
from protocol.decoding import MAX_DEPTH, MAX_ITEMS, MAX_MESSAGE
from protocol.messages import Bye, Choice, Decide, Hello, MatchOver, Time, Welcome
from protocol.messages import Limits as WireLimits

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

_NO_TITLES = ("", "")

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
        return f"`{_json(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{_json(value)}`" for value in schema["enum"])
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
        needed = "needed" if key in schema["required"] else f"`{_json(prop['default'])}`"
        rows.append((f"`{key}`", type_text(prop), needed, prop["description"]))
    return table(("key", "type", "default", "meaning"), rows)


def manifest_limits() -> str:
    """The section `[limits]` of bot.toml."""
    usual, most = Caps(), BotsSection()
    rows = []
    for key, prop in LimitsSection.model_json_schema()["properties"].items():
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
                default = _seconds(getattr(defaults, key))
            rows.append(
                (
                    f"`{key}`",
                    type_text(prop),
                    "none" if default is None else f"`{_json(default)}`",
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
    default = Limits().microseconds()
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
            ("stderr, kept", f"{Log.KEEP} bytes of each match: the first and the last half", "the middle is dropped"),
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
                f"{WAITING_MARGIN * 1e3:g} ms in which a bot of one thread wanted to run and others had the processor;"
                " not in containers",
                "the time is given back, at most as much again as it had",
            ),
            ("stall", f"{STALL_MARGIN * 1e3:g} ms in which the referee could not run", "the time is given back"),
            ("stalls, in all", f"{STALL_SHARE * 100:g} % of the time of one question", "the match is void"),
        ],
    )


def games() -> str:
    """All games in one table."""
    rows = []
    for game in GAMES.values():
        decisions = ", ".join(f"`{kind}`" for kind in game.decisions)
        rows.append((f"`{game.id}`", _range(*game.seat_range), decisions, game.summary))
    return table(("game", "seats", "decisions", "in one sentence"), rows)


def options() -> str:
    """The options of all games; one that several of them have stands there once."""
    having: dict[OptionSpec, list[str]] = {}
    for game in GAMES.values():
        for spec in game.option_specs:
            having.setdefault(spec, []).append(f"`{game.id}`")
    rows = [
        (f"`{spec.name}`", ", ".join(ids), _values(spec), f"`{_json(spec.default)}`", _sentence(spec.help))
        for spec, ids in having.items()
    ]
    return table(("option", "in", "values", "default", "meaning"), rows)


def decks() -> str:
    """What is shuffled and how much of it is dealt."""
    rows = []
    for game in GAMES.values():
        seen = ""
        for given in _settings_of(game):
            deck = _by_seats(game, given, lambda shuffle: _ranges(shuffle.deck))
            cards = _by_seats(game, given, lambda shuffle: f"{shuffle.cards}")
            if deck + cards != seen:
                which = "".join(f", `{key}` {_json(value)}" for key, value in given.items())
                rows.append((f"`{game.id}`{which}", deck, cards))
            seen = seen or deck + cards
    return table(("game", "deck, in the order before the shuffle", "cards dealt"), rows)


def games_page() -> str:
    """A chapter for each game."""
    parts = []
    for game in GAMES.values():
        facts = [
            ("id", f"`{game.id}`"),
            ("other names", ", ".join(f"`{alias}`" for alias in game.aliases) or "none"),
            ("seats", _range(*game.seat_range)),
            ("deck", _by_seats(game, {}, lambda shuffle: _ranges(shuffle.deck))),
            ("decisions", ", ".join(f"`{kind}`" for kind in game.decisions)),
            ("source", game.source),
        ]
        rows = [
            (f"`{spec.name}`", _values(spec), f"`{_json(spec.default)}`", _sentence(spec.help))
            for spec in game.option_specs
        ]
        have = table(("option", "values", "default", "meaning"), rows) if rows else "It has no options."
        parts.append(f"## {game.title}\n\n{game.summary}\n\n{table(_NO_TITLES, facts)}\n\n{have}")
    return "\n\n".join(parts)


def _settings_of(game: type[Game[Any]]) -> list[dict[str, object]]:
    """The defaults, and each option by itself set to something else."""
    others: list[dict[str, object]] = [{}]
    for spec in game.option_specs:
        values: Sequence[object] = spec.choices if spec.choices else [not spec.default] if spec.type == "bool" else []
        others += [{spec.name: value} for value in values if value != spec.default]
    return others


def _by_seats(game: type[Game[Any]], given: Mapping[str, object], tell: Callable[[Shuffle], str]) -> str:
    """What `tell` says of the first shuffle: once, if it is the same for all numbers of seats, or as a formula of n seats."""
    low, high = game.seat_range
    told = []
    for seats in range(low, high + 1):
        shuffle = game(seats, given).new().pending
        assert isinstance(shuffle, Shuffle)
        told.append(tell(shuffle))
    if len(set(told)) == 1:
        return told[0]
    ends = [int(text.rpartition("..")[2]) for text in told if text.rpartition("..")[2].isdigit()]
    starts = {text.rpartition("..")[0] for text in told}
    if len(ends) == len(told) and len(starts) == 1:
        step = ends[1] - ends[0]
        base = ends[0] - step * low
        if ends == [step * seats + base for seats in range(low, high + 1)]:
            dots = ".." if starts != {""} else ""
            return f"{starts.pop()}{dots}{step}n+{base} for n seats"
    return "; ".join(f"{text} for {seats}" for seats, text in enumerate(told, low))


def _ranges(cards: Sequence[int]) -> str:
    """Cards as runs: 1..104, 2..104, 1..10 1..10."""
    runs: list[list[int]] = []
    for card in cards:
        if runs and card == runs[-1][1] + 1:
            runs[-1][1] = card
        else:
            runs.append([card, card])
    return " ".join(f"{low}..{high}" if low != high else f"{low}" for low, high in runs)


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _values(spec: OptionSpec) -> str:
    values = " or ".join(f"`{choice}`" for choice in spec.choices) or spec.expected
    return values if spec.default is not None else f"{values.removesuffix(', or none')}, or `null`"


def _meaning(section: str, key: str, prop: Schema) -> str:
    where = f"{section}.{key}"
    wire = WireLimits.model_fields.get(f"{key}_us")
    meaning = prop.get("description") or (
        wire.description if wire and section == "time" else _SETTINGS_MEANING.get(where)
    )
    if not meaning:
        raise LookupError(f"the setting {where} needs a description")
    return str(meaning)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".") + "."


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


def _json(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
