"""Copying a stranger's folder: only plain files, folders, and links that stay inside it.

Of a file's mode only the executable bit is kept; its owner is not. The copy is ours, and it is what is rated.
"""

import os
import shutil
from pathlib import Path

from bullring.errors import BotError


def copy_bot(source: Path, target: Path) -> None:
    """Copy the folder. Raises `BotError` if it holds something a bot may not have, and `OSError`."""
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
                        f"{path} is a link that leads out of the bot's folder; replace it with a copy of its target"
                    )
                (here / name).symlink_to(path.readlink())
            elif path.is_dir():
                (here / name).mkdir()
                (here / name).chmod(0o755)
            elif path.is_file():
                shutil.copyfile(path, here / name, follow_symlinks=False)
                (here / name).chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)
            else:
                raise BotError(f"{path} is neither a file nor a folder; remove it from the bot's folder")
