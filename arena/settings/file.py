"""The file with the settings of an arena, as models that define, document and check it."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.tiers import AUTO, TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.settings.durations import MAX_DURATION, parse_duration
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.settings import Settings
from bullring.errors import SettingsError
from bullring.validation import first_mistake

_USUAL = Settings()

if TYPE_CHECKING:
    TierName = str
else:
    TierName = Literal[(AUTO, *TIERS)]


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

    memory_mib: Annotated[int, Field(ge=16, le=1 << 20, strict=True)] = _USUAL.most.memory // MIB
    processes: Annotated[int, Field(ge=2, le=4096, strict=True)] = _USUAL.most.processes
    file_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = _USUAL.most.file // MIB
    box_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = _USUAL.most.box // MIB
    output_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = _USUAL.most.output // MIB
    open_files: Annotated[int, Field(ge=16, le=65_536, strict=True)] = _USUAL.most.open_files
    folder_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = _USUAL.bounds.size // MIB
    folder_files: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = _USUAL.bounds.files
    versions: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = _USUAL.versions
    restart: Literal["never", "match"] | None = None


class BuildSection(_Section):
    """`[build]`: what a build may take; see `building.limits`."""

    time: Positive = _USUAL.build.time
    memory_mib: Annotated[int, Field(ge=16, le=1 << 20, strict=True)] = _USUAL.build.memory // MIB
    processes: Annotated[int, Field(ge=2, le=4096, strict=True)] = _USUAL.build.processes
    disk_mib: Annotated[int, Field(ge=1, le=1 << 20, strict=True)] = _USUAL.build.disk // MIB
    network: Annotated[bool, Field(strict=True)] = False


class SandboxSection(_Section):
    """`[sandbox]`: how bots are confined."""

    tier: TierName = AUTO
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


def checked(path: Path, data: Mapping[str, Any]) -> Settings:
    """The settings that a file holds. Raises `SettingsError` with its first mistake."""
    try:
        file = SettingsFile.model_validate(data)
    except ValidationError as error:
        raise SettingsError(f"{path}: {first_mistake(error, SettingsFile)}") from None
    limits = {name: value for name, value in file.time.model_dump().items() if value is not None}
    bounds = Bounds(file.bots.folder_mib * MIB, file.bots.folder_files)
    return Settings(
        limits=Limits.seconds(**limits),
        most=_most(file.bots),
        sandbox=_wish(file.sandbox),
        restart=file.bots.restart,
        bounds=bounds,
        versions=file.bots.versions,
        build=_build(file.build, bounds),
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


def _wish(section: SandboxSection) -> Wish:
    # Only containers have a runtime, so naming one implies their tier.
    containers = next(name for name, tier in TIERS.items() if tier.takes_images)
    tier = containers if section.runtime and section.tier == AUTO else section.tier
    return Wish(
        tier=tier,
        allow_unsandboxed=section.allow_unsandboxed,
        freeze=section.freeze is not False,
        runtime=section.runtime,
        images=tuple(section.images),
    )
