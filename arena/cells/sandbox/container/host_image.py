"""The image of bots that bring none. It is empty: the machine's own folders are mounted into its containers.

It holds the links that the machine has among its system's folders (`/bin` is `usr/bin` on most), and places for the others. So one
image, of a few kilobytes, serves all bots and all languages of a machine, and its name says what is in it.

An image with copies of the runtimes lacks their modules, settings and data, takes seconds and 100 MB for each, and is outdated
by each update.
"""

import hashlib
import io
import tarfile

from bullring.arena.cells.sandbox.installations import system_folders
from bullring.arena.cells.sandbox.visible import BOT

REPOSITORY = "bullring/host"


def contents() -> bytes:
    """The image as a tar: the same bytes for the same folders."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for place, link in sorted({**system_folders(), BOT: ""}.items()):
            info = tarfile.TarInfo(place.lstrip("/"))
            info.type, info.linkname, info.mode = tarfile.SYMTYPE if link else tarfile.DIRTYPE, link, 0o755
            tar.addfile(info)
    return file.getvalue()


def tag(data: bytes) -> str:
    """The name of the image with these contents."""
    return f"{REPOSITORY}:{hashlib.sha256(data).hexdigest()[:16]}"
