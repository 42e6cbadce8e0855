"""Copying a stranger's folder: plain files and folders, and nothing else of what a file system can hold.

No bit of a mode but whether it is a program, no owner, and no link that leads out: the copy is ours, and what it is rated by.
"""

import os
import shutil
from pathlib import Path

from bullring.errors import BotError


def copy_bot(source: Path, target: Path) -> None:
    """Copy the folder. Raises `BotError` for what a bot may not have in it, and `OSError`."""
    top = source.resolve()
    target.mkdir(mode=0o755)
    target.chmod(0o755)
    for folder, folders, files in os.walk(top):  # it does not follow links
        here = target / Path(folder).relative_to(top)
        for name in folders + files:
            path = Path(folder, name)
            if path.is_symlink():
                if Path(os.readlink(path)).is_absolute() or not path.resolve().is_relative_to(top):  # noqa: PTH115
                    raise BotError(
                        f"{path} is a link that leads out of the bot's folder; put what it means into the folder"
                    )
                (here / name).symlink_to(path.readlink())
            elif path.is_dir():
                (here / name).mkdir()
                (here / name).chmod(0o755)
            elif path.is_file():
                shutil.copyfile(path, here / name, follow_symlinks=False)
                (here / name).chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)
            else:
                raise BotError(f"{path} is neither a file nor a folder, and a bot's folder holds nothing else")
