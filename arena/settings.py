"""Settings of an arena: defaults, overridden by a TOML file, overridden by the command line."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bullring.arena.bots.bot import Bot
from bullring.arena.building.limits import BuildLimits
from bullring.arena.clock.durations import parse_duration
from bullring.arena.clock.limits import Limits
from bullring.arena.files.toml import read_toml
from bullring.arena.files.walking import Bounds
from bullring.arena.sandbox.caps import MIB, Caps
from bullring.arena.sandbox.tiers import AUTO, Tier
from bullring.arena.sandbox.wish import Wish
from bullring.errors import BotError, DurationError, FilesError, SettingsError
from bullring.validation import first_mistake

MAX_DURATION = 3600.0


def _duration(value: object) -> object:
    if not isinstance(value, str):
        # ValueError, because pydantic reports it as a mistake in the file.
        raise ValueError('a duration is a string with its unit, like "250ms", "1.5s" or "2m"')  # noqa: TRY004
    return parse_duration(value)


Duration = Annotated[float, BeforeValidator(_duration), Field(ge=0, le=MAX_DURATION)]
Positive = Annotated[float, BeforeValidator(_duration), Field(ge=0.001, le=MAX_DURATION)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TimeSection(_Section):
    """`[time]`: limits for decisions. A key that is left out keeps its default."""

    start: Positive | None = None
    card: Positive | None = None
    row: Positive | None = None
    other: Positive | None = None
    bank: Duration | None = None
    tick: Duration | None = None


class BotsSection(_Section):
    """`[bots]`: the highest caps that a bot may ask for, and the largest folder that is copied."""

    memory_mib: Annotated[int, Field(ge=16, le=1 << 20, strict=True)] = 1024
    processes: Annotated[int, Field(ge=2, le=4096, strict=True)] = 256
    file_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = 256
    box_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = 256
    output_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = 64
    open_files: Annotated[int, Field(ge=16, le=65_536, strict=True)] = 1024
    folder_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = 256
    folder_files: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = 10_000
    versions: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = 20
    restart: Literal["never", "match"] | None = None


class BuildSection(_Section):
    """`[build]`: what a build may take; see `building.limits`."""

    time: Positive = 300.0
    memory_mib: Annotated[int, Field(ge=16, le=1 << 20, strict=True)] = 2048
    processes: Annotated[int, Field(ge=2, le=4096, strict=True)] = 512
    disk_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = 1024
    network: Annotated[bool, Field(strict=True)] = False


class SandboxSection(_Section):
    """`[sandbox]`: how bots are confined."""

    tier: Literal["auto", "docker", "bwrap", "landlock", "none"] = "auto"
    allow_unsandboxed: Annotated[bool, Field(strict=True)] = False
    freeze: Annotated[bool, Field(strict=True)] | None = None
    runtime: Annotated[str, Field(max_length=64)] | None = None
    images: Annotated[list[Annotated[str, Field(max_length=256)]], Field(max_length=100)] = []


class SettingsFile(_Section):
    """The contents of a settings file."""

    time: TimeSection = TimeSection()
    bots: BotsSection = BotsSection()
    sandbox: SandboxSection = SandboxSection()
    build: BuildSection = BuildSection()


@dataclass(frozen=True)
class Settings:
    """Settings that apply to all matches of a run."""

    limits: Limits = field(default_factory=Limits)
    most: Caps = field(default_factory=lambda: _most(BotsSection()))
    """The highest caps that a bot may ask for."""
    sandbox: SandboxSection = field(default_factory=SandboxSection)
    restart: Literal["never", "match"] | None = None
    """Overrides `restart` of all manifests, unless None."""
    bounds: Bounds = field(default_factory=Bounds)
    """The largest folder of a bot that is copied."""
    versions: int = 20
    """The most versions of one bot that play on a ladder at a time."""
    build: BuildLimits = field(default_factory=BuildLimits)
    """What a build may take."""

    def wish(self, tier: str | None, allow: bool, freeze: bool | None) -> Wish:
        """Combine the sandbox options: arguments override the settings. Bots are frozen unless somebody says no."""
        section = self.sandbox
        # Only containers have a runtime, so naming one implies the tier docker.
        usual = Tier.DOCKER.value if section.runtime and section.tier == AUTO else section.tier
        frozen = section.freeze if freeze is None else freeze
        return Wish(
            tier=tier or usual,
            allow_unsandboxed=allow or section.allow_unsandboxed,
            freeze=frozen is not False,
            runtime=section.runtime,
            images=tuple(section.images),
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
    file = _read(path) if path else SettingsFile()
    limits = {name: value for name, value in file.time.model_dump().items() if value is not None}
    for text in times:
        limits |= _time_of(text)
    bounds = Bounds(file.bots.folder_mib * MIB, file.bots.folder_files)
    build = _build(file.build, bounds)
    return Settings(
        Limits.seconds(**limits), _most(file.bots), file.sandbox, file.bots.restart, bounds, file.bots.versions, build
    )


def _most(bots: BotsSection) -> Caps:
    return Caps(
        memory=bots.memory_mib * MIB,
        processes=bots.processes,
        file=bots.file_mib * MIB,
        box=bots.box_mib * MIB,
        output=bots.output_mib * MIB,
        open_files=bots.open_files,
    )


def _build(build: BuildSection, folder: Bounds) -> BuildLimits:
    disk = build.disk_mib * MIB
    return BuildLimits(build.time, build.memory_mib * MIB, build.processes, disk, build.network, folder)


def _read(path: Path) -> SettingsFile:
    try:
        data = read_toml(path, follow=True)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror or error}") from None
    except FilesError as error:
        raise SettingsError(str(error)) from None
    try:
        return SettingsFile.model_validate(data)
    except ValidationError as error:
        raise SettingsError(f"{path}: {first_mistake(error, SettingsFile)}") from None


def _time_of(text: str) -> dict[str, float]:
    """Return the limits that one `--time` sets, in seconds: "200ms" sets all decisions, "card=1s" only one kind."""
    name, equals, value = text.rpartition("=")
    names: dict[str, tuple[str, ...]] = {kind: (kind,) for kind in ("start", "card", "row", "other", "bank", "tick")}
    names[""] = ("card", "row", "other")
    if name not in names or (equals and not name):
        raise SettingsError(
            f"--time is DURATION or NAME=DURATION, NAME being start, card, row, other, bank or tick, not {text[:40]!r}"
        )
    try:
        seconds = parse_duration(value)
    except DurationError as error:
        raise SettingsError(f"--time: {error}") from None
    least = 0.0 if name in ("bank", "tick") else 0.001
    if not least <= seconds <= MAX_DURATION:
        raise SettingsError(f"--time: {text[:40]!r} is not between {least * 1e3:g}ms and {MAX_DURATION / 60:g}m")
    return dict.fromkeys(names[name], seconds)
