"""The file with the settings of an arena: the tables that define, document and check it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.tiers import AUTO, TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.settings.limits import LEAST, MAX_DURATION, Limits, parse_duration
from bullring.arena.settings.settings import Settings
from bullring.errors import DurationError, SettingsError
from bullring.validation import Flag, Many, Mistake, OneOf, Table, Text, Whole, check_bounds, key, read_table

_USUAL = Settings()


@dataclass(frozen=True)
class Duration:
    """A text like "250ms", which is kept as seconds, at least `least`."""

    least: float = 0.001

    def read(self, value: Any) -> float:
        if not isinstance(value, str):
            raise Mistake('a duration is a string with its unit, like "250ms", "1.5s" or "2m"')
        try:
            seconds = parse_duration(value)
        except DurationError as error:
            raise Mistake(str(error)) from None
        check_bounds(seconds, self.least, MAX_DURATION, value)
        return seconds


COUNT = Whole(1, 1 << 20)
MEMORY = Whole(16, 1 << 20)
PROCESSES = Whole(2, 4096)
OPEN_FILES = Whole(16, 65_536)


@dataclass(frozen=True, kw_only=True)
class TimeSection:
    """`[time]`: limits for decisions. A key that is left out keeps its default."""

    start: float | None = key(Duration(LEAST["start"]), default=None)
    card: float | None = key(Duration(LEAST["card"]), default=None)
    row: float | None = key(Duration(LEAST["row"]), default=None)
    other: float | None = key(Duration(LEAST["other"]), default=None)
    bank: float | None = key(Duration(LEAST["bank"]), default=None)
    tick: float | None = key(Duration(LEAST["tick"]), default=None)


@dataclass(frozen=True, kw_only=True)
class BotsSection:
    """`[bots]`: the highest caps that a bot may ask for, and the largest folder that is copied."""

    memory_mib: int = key(MEMORY, default=_USUAL.most.memory // MIB)
    processes: int = key(PROCESSES, default=_USUAL.most.processes)
    file_mib: int = key(COUNT, default=_USUAL.most.file // MIB)
    box_mib: int = key(COUNT, default=_USUAL.most.box // MIB)
    output_mib: int = key(COUNT, default=_USUAL.most.output // MIB)
    open_files: int = key(OPEN_FILES, default=_USUAL.most.open_files)
    folder_mib: int = key(COUNT, default=_USUAL.bounds.size // MIB)
    folder_files: int = key(COUNT, default=_USUAL.bounds.files)
    restart: Literal["never", "match"] | None = key(OneOf(("never", "match")), default=None)


@dataclass(frozen=True, kw_only=True)
class BuildSection:
    """`[build]`: what a build may take; see `building.limits`."""

    time: float = key(Duration(), default=_USUAL.build.time)
    memory_mib: int = key(MEMORY, default=_USUAL.build.memory // MIB)
    processes: int = key(PROCESSES, default=_USUAL.build.processes)
    disk_mib: int = key(COUNT, default=_USUAL.build.disk // MIB)
    network: bool = key(Flag(), default=False)
    fetch: bool | None = key(Flag(), default=None)


@dataclass(frozen=True, kw_only=True)
class SandboxSection:
    """`[sandbox]`: how bots are confined."""

    tier: str = key(OneOf((AUTO, *TIERS)), default=AUTO)
    allow_unsandboxed: bool = key(Flag(), default=False)
    freeze: bool | None = key(Flag(), default=None)
    runtime: str | None = key(Text(most=64), default=None)
    images: tuple[str, ...] = key(Many(Text(most=256), most=100), default=())


@dataclass(frozen=True, kw_only=True)
class LadderSection:
    """`[ladder]`: who plays on a ladder, and how it is called."""

    active: int = key(COUNT, default=_USUAL.active)
    name: str | None = key(Text(1, 64), default=None)


@dataclass(frozen=True, kw_only=True)
class SettingsFile:
    """The contents of a settings file."""

    time: TimeSection = key(Table(TimeSection), default=TimeSection())
    bots: BotsSection = key(Table(BotsSection), default=BotsSection())
    sandbox: SandboxSection = key(Table(SandboxSection), default=SandboxSection())
    build: BuildSection = key(Table(BuildSection), default=BuildSection())
    ladder: LadderSection = key(Table(LadderSection), default=LadderSection())


def checked(path: Path, data: Mapping[str, Any]) -> Settings:
    """The settings that a file holds. Raises `SettingsError` with its first mistake."""
    try:
        file = read_table(SettingsFile, data)
    except Mistake as mistake:
        raise SettingsError(f"{path}: {mistake}") from None
    limits = {name: value for name, value in vars(file.time).items() if value is not None}
    bots, build, sandbox = _in_bytes(file.bots), _in_bytes(file.build), _in_bytes(file.sandbox)
    bounds = Bounds(bots["folder"], bots["folder_files"])
    # Only containers have a runtime, so naming one implies their tier.
    if sandbox["runtime"] and sandbox["tier"] == AUTO:
        sandbox["tier"] = next(name for name, tier in TIERS.items() if tier.takes_images)
    return Settings(
        limits=Limits.seconds(**limits),
        most=Caps(**{cap.name: bots[cap.name] for cap in fields(Caps)}),
        sandbox=Wish(**sandbox | {"freeze": sandbox["freeze"] is not False}),
        restart=bots["restart"],
        bounds=bounds,
        build=BuildLimits(**build, folder=bounds),
        active=file.ladder.active,
        ladder_name=file.ladder.name,
    )


def _in_bytes(section: BotsSection | BuildSection | SandboxSection) -> dict[str, Any]:
    """The values of a section by the names of the settings: without the unit, sizes in bytes."""
    return {
        name.removesuffix("_mib"): value * MIB if name.endswith("_mib") else value
        for name, value in vars(section).items()
    }
