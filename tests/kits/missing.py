"""`python -m tests.kits.missing`: the Debian packages that `make kits` needs and this machine lacks, for `.ci/tools`."""

import tempfile
from pathlib import Path

from bullring.arena.cells.kits.kit import kits
from bullring.arena.cells.kits.toolchains import missing
from tests.kits.page import typed_in


def main() -> None:
    """Print them in one line."""
    with tempfile.TemporaryDirectory() as folder:
        tested = [*kits().values(), typed_in(Path(folder))]
    lacking = [need for declared in tested for need in missing(declared.kit)]
    print(*dict.fromkeys(package for need in lacking for package in need.debian))


if __name__ == "__main__":
    main()
