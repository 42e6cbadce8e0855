"""Links in a stranger's folder: they may lead to something inside it, and nowhere else."""

from collections.abc import Mapping

from bullring.arena.cells.files.read import shown
from bullring.errors import FilesError

MOST_LINKS = 40
"""Most links followed on one path, as in the kernel."""


MOST_STEPS = 1_000_000
"""Most parts of paths that are followed for all links of a folder together: less than a second. Honest links have a few each."""


def refuse_outward(links: Mapping[bytes, bytes], label: str) -> None:
    """Raise `FilesError` if a link leads out of the folder `label` or round in a circle. Nothing is looked up on the disk.

    `links` are the targets of all links in the folder, by path.
    """
    left = MOST_STEPS
    for path in links:
        left -= _follow(path, links, f"{label}/{shown(path)}")
        if left < 0:
            raise FilesError(
                f"{label} has links that lead through too many folders; link to files and folders directly"
            )


def _follow(path: bytes, links: Mapping[bytes, bytes], label: str) -> int:
    """Follow a link, and return the number of steps."""
    left = path.split(b"/")[::-1]
    place: list[bytes] = []
    followed = steps = 0
    while left:
        part = left.pop()
        steps += 1
        if part == b"..":
            if not place:
                break
            place.pop()
        elif part not in (b"", b"."):
            place.append(part)
            if (target := links.get(b"/".join(place))) is not None:
                followed += 1
                if followed > MOST_LINKS:
                    raise FilesError(f"{label} leads through more than {MOST_LINKS} links; link to a file or folder")
                if target.startswith(b"/"):
                    break
                place.pop()
                left += target.split(b"/")[::-1]
    else:
        return steps
    raise FilesError(f"{label} is a link that leads out of the bot's folder; replace it with a copy of its target")
