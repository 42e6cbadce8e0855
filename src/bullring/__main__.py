"""`python -m bullring`: run the command. From here on nothing is imported from the working folder, which may hold anything."""

import os
import sys

if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109  # pathlib would be imported from there
    del sys.path[0]

from bullring.cli.entry import main  # only now

main()
