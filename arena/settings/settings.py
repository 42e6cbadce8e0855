"""Settings of an arena: defaults, overridden by a TOML file, overridden by the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.toml import read_toml
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.settings.durations import parse_duration
from bullring.arena.settings.limits import Limits
from bullring.errors import BotError, DurationError, FilesError, SettingsError

MAX_DURATION = 3600.0
"""Seconds of the longest limit."""

LEAST = {"start": 0.001, "card": 0.001, "row": 0.001, "other": 0.001, "bank": 0.0, "tick": 0.0}
"""Seconds of the shortest limit, by its name."""

MOST = Caps(memory=1024 * MIB, processes=256, file=256 * MIB, box=256 * MIB, output=64 * MIB, open_files=1024)
"""The highest caps that a bot may ask for, unless the settings say otherwise."""


@dataclass(frozen=True)
class Settings:
    """Settings that apply to all matches of a run."""

    limits: Limits = field(default_factory=Limits)
    most: Caps = MOST
    """The highest caps that a bot may ask for."""
    sandbox: Wish = field(default_factory=Wish)
    """How bots are confined."""
    restart: Literal["never", "match"] | None = None
    """Overrides `restart` of all manifests, unless None."""
    bounds: Bounds = field(default_factory=Bounds)
    """The largest folder of a bot that is copied."""
    versions: int = 20
    """The most versions of one bot that play on a ladder at a time."""
    build: BuildLimits = field(default_factory=BuildLimits)
    """What a build may take."""

    def wish(self, tier: str | None, allow: bool, freeze: bool | None) -> Wish:
        """Combine the sandbox options: arguments override the settings."""
        usual = self.sandbox
        return replace(
            usual,
            tier=tier or usual.tier,
            allow_unsandboxed=allow or usual.allow_unsandboxed,
            freeze=usual.freeze if freeze is None else freeze,
        )

    def admit(self, bot: Bot) -> Bot:
        """Return the bot with the caps it gets: those it asks for, or the defaults. Raises `BotError` if it asks for too much."""
        most = asdict(self.most)
        caps = {name: min(usual, most[name]) for name, usual in asdict(Caps()).items()}
        for name, asked in bot.asks.items():
            if asked > most[name]:
                key, size = (f"{name}_mib", MIB) if name in ("memory", "file", "box") else (name, 1)
                raise BotError(
                    f"{bot.name} asks for {key} = {asked / size:g}, but at most {most[name] / size:g} is allowed here;"
                    f" to allow more, raise {key} under [bots] in the settings file"
                )
            caps[name] = asked
        program = replace(bot.program, caps=Caps(**caps))
        return replace(bot, program=program, restart=self.restart or bot.restart)


def load_settings(path: Path | None, times: Sequence[str]) -> Settings:
    """Load the settings of a file, if one is given, overridden by the `--time` options. Raises `SettingsError`."""
    settings = Settings() if path is None else _read(path)
    limits: dict[str, float] = {}
    for text in times:
        limits |= _time_of(text)
    return replace(settings, limits=settings.limits.over(**limits))


def _read(path: Path) -> Settings:
    try:
        data = read_toml(path, follow=True)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror or error}") from None
    except FilesError as error:
        raise SettingsError(str(error)) from None
    limits = _only_limits(data)
    if limits is not None:
        return Settings(limits=limits)
    from bullring.arena.settings.file import checked  # pydantic takes time to import

    return checked(path, data)


def _only_limits(data: Mapping[str, Any]) -> Limits | None:
    """The limits in a file that has nothing else and no mistake, as that of a new ladder; None of any other file."""
    times = data.get("time", {})
    if data.keys() - {"time"} or not isinstance(times, dict) or times.keys() - LEAST.keys():
        return None
    try:
        return Limits.seconds(**{name: _seconds(name, value) for name, value in times.items()})
    except (DurationError, AttributeError):  # of what is no text
        return None


def _seconds(name: str, text: str) -> float:
    """A limit in seconds. Raises `DurationError`."""
    seconds = parse_duration(text)
    least = LEAST[name]
    if not least <= seconds <= MAX_DURATION:
        raise DurationError(f"{text[:40]!r} is not between {least * 1e3:g}ms and {MAX_DURATION / 60:g}m")
    return seconds


def _time_of(text: str) -> dict[str, float]:
    """Return the limits that one `--time` sets, in seconds: "200ms" sets all decisions, "card=1s" only one kind."""
    name, equals, value = text.rpartition("=")
    names = ("card", "row", "other") if not equals else (name,)
    if names[0] not in LEAST:
        raise SettingsError(
            f"--time is DURATION or NAME=DURATION, NAME being start, card, row, other, bank or tick, not {text[:40]!r}"
        )
    try:
        return {name: _seconds(name, value) for name in names}
    except DurationError as error:
        raise SettingsError(f"--time: {error}") from None
