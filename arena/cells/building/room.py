"""What is said of a build that cannot be written."""

import errno
from pathlib import Path

from bullring.arena.cells.sandbox.python import cache_folder
from bullring.errors import HostError, NoRoom


def unwritable(error: OSError, path: Path) -> HostError:
    """The error for `path`, or a file in it, that a build cannot write."""
    place = Path(error.filename if isinstance(error.filename, str) and error.filename.startswith("/") else path)
    why = f"{place}: {error.strerror or error}"
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return HostError(f"{why}; a build needs to write there")
    if place.is_relative_to(cache_folder()):
        return NoRoom(
            f"{why}; to make room, remove builds that are kept there: bullring cache clear (bullring cache lists them)"
        )
    return NoRoom(f"{why}; make room on that disk, and try again")
