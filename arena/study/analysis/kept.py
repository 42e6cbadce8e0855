"""Kept analyses: one JSON file for each record, the last one that was made."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bullring.arena.cells.files.read import read_file
from bullring.arena.games.rules.registry import GAMES
from bullring.errors import FilesError, WriteError

if TYPE_CHECKING:
    from bullring.arena.match.records.reader import Lines
    from bullring.arena.study.analysis.result import Analysis, Method

SUFFIX = ".analysis.json"

MOST = 256 << 20
"""Largest file read, in bytes."""

_START = b'{"bullring_analysis":'


def beside(record: Path) -> Path:
    """The file for the analysis of a record: match.analysis.json for match.jsonl."""
    return record.parent / (record.stem + SUFFIX)  # also for a path without a name


def kept(path: Path, seal: str) -> "Analysis | None":
    """The analysis in this file if it is one of the record with this seal; None if not, or if there is no such file."""
    try:
        data = read_file(path, MOST)
    except (OSError, FilesError):
        return None  # it can be made again
    from pydantic import ValidationError  # it takes time to import, and most records have no analysis

    from bullring.arena.study.analysis.result import FORMAT, Analysis

    try:
        found = Analysis.model_validate_json(data)
    except (ValidationError, RecursionError):
        return None
    return found if found.record == seal and found.bullring_analysis == FORMAT and _fits(found) else None


def current(path: Path, lines: "Lines", method: "Method") -> "Analysis | None":
    """The analysis in this file if making it anew, by this method, would give the same. Raises `RecordError`."""
    from bullring.arena.games.playouts.simulated import used
    from bullring.arena.study.analysis.questions import opened

    found = kept(path, opened(lines))
    return (
        found if found is not None and found.method == method and found.simulated >= used(GAMES[found.game]) else None
    )


def _fits(found: "Analysis") -> bool:
    """Whether its parts belong together: a file may be damaged, or somebody else's."""
    game, seats = GAMES.get(found.game), len(found.accounts)
    return game is not None and all(
        choice.kind in {decision.kind for decision in game.decisions}
        and 0 <= choice.seat < seats
        and 0 <= min(choice.chosen, choice.best) <= max(choice.chosen, choice.best) < len(choice.options)
        and len(choice.options) == len(choice.heads) == len(choice.errors)
        for choice in found.choices
    )


def keep(path: Path, analysis: "Analysis") -> None:
    """Write an analysis to this file, in place of an older one. Raises `WriteError`."""
    text = analysis.model_dump_json().encode()
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not read_file(path, MOST).startswith(_START):
            raise WriteError(f"{path} exists and is not an analysis, so it is not overwritten; move it away")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(text)
            temporary.replace(path)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise
    except FilesError as error:
        raise WriteError(str(error)) from None
    except OSError as error:
        raise WriteError(f"{path} cannot be written: {error.strerror or error}") from None
