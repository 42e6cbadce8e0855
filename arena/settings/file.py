"""The file with the settings of an arena, as models that define, document and check it."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.tiers import AUTO, TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.settings.limits import MAX_DURATION, Limits, parse_duration
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
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(ge=1, le=1 << 20, strict=True)]
Memory = Annotated[int, Field(ge=16, le=1 << 20, strict=True)]
Processes = Annotated[int, Field(ge=2, le=4096, strict=True)]
OpenFiles = Annotated[int, Field(ge=16, le=65_536, strict=True)]


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

    memory_mib: Memory = _USUAL.most.memory // MIB
    processes: Processes = _USUAL.most.processes
    file_mib: Count = _USUAL.most.file // MIB
    box_mib: Count = _USUAL.most.box // MIB
    output_mib: Count = _USUAL.most.output // MIB
    open_files: OpenFiles = _USUAL.most.open_files
    folder_mib: Count = _USUAL.bounds.size // MIB
    folder_files: Count = _USUAL.bounds.files
    restart: Literal["never", "match"] | None = None


class BuildSection(_Section):
    """`[build]`: what a build may take; see `building.limits`."""

    time: Positive = _USUAL.build.time
    memory_mib: Memory = _USUAL.build.memory // MIB
    processes: Processes = _USUAL.build.processes
    disk_mib: Count = _USUAL.build.disk // MIB
    network: Flag = False
    fetch: Flag | None = None


class SandboxSection(_Section):
    """`[sandbox]`: how bots are confined."""

    tier: TierName = AUTO
    allow_unsandboxed: Flag = False
    freeze: Flag | None = None
    runtime: Annotated[str, Field(max_length=64)] | None = None
    images: Annotated[list[Annotated[str, Field(max_length=256)]], Field(max_length=100)] = []


class LadderSection(_Section):
    """`[ladder]`: who plays on a ladder, and how it is called."""

    active: Count = _USUAL.active
    name: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class SettingsFile(_Section):
    """The contents of a settings file."""

    time: TimeSection = TimeSection()
    bots: BotsSection = BotsSection()
    sandbox: SandboxSection = SandboxSection()
    build: BuildSection = BuildSection()
    ladder: LadderSection = LadderSection()


def checked(path: Path, data: Mapping[str, Any]) -> Settings:
    """The settings that a file holds. Raises `SettingsError` with its first mistake."""
    try:
        file = SettingsFile.model_validate(data)
    except ValidationError as error:
        raise SettingsError(f"{path}: {first_mistake(error, SettingsFile)}") from None
    limits = {name: value for name, value in file.time.model_dump().items() if value is not None}
    bots, build, sandbox = map(_in_bytes, (file.bots, file.build, file.sandbox))
    bounds = Bounds(bots["folder"], bots["folder_files"])
    # Only containers have a runtime, so naming one implies their tier.
    if sandbox["runtime"] and sandbox["tier"] == AUTO:
        sandbox["tier"] = next(name for name, tier in TIERS.items() if tier.takes_images)
    return Settings(
        limits=Limits.seconds(**limits),
        most=Caps(**{cap.name: bots[cap.name] for cap in fields(Caps)}),
        sandbox=Wish(**sandbox | {"freeze": sandbox["freeze"] is not False, "images": tuple(sandbox["images"])}),
        restart=bots["restart"],
        bounds=bounds,
        build=BuildLimits(**build, folder=bounds),
        active=file.ladder.active,
        ladder_name=file.ladder.name,
    )


def _in_bytes(section: _Section) -> dict[str, Any]:
    """The values of a section by the names of the settings: without the unit, sizes in bytes."""
    values = section.model_dump()
    return {key.removesuffix("_mib"): value * MIB if key.endswith("_mib") else value for key, value in values.items()}
