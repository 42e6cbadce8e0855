"""Load settings: the defaults, overridden by a TOML file, overridden by the command line."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bullring.arena.cells.files.toml import read_toml
from bullring.arena.settings.file import checked
from bullring.arena.settings.limits import LEAST, MAX_DURATION, parse_duration
from bullring.arena.settings.settings import Settings
from bullring.errors import DurationError, FilesError, SettingsError


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
    return checked(path, data)


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
