"""`python -m tests.kits.missing`: the Debian packages that kits need and this machine lacks, for `.ci/tools`."""

from bullring.arena.kits.kit import kits
from bullring.arena.kits.toolchains import missing


def main() -> None:
    """Prints them in one line."""
    lacking = [need for declared in kits().values() for need in missing(declared.kit)]
    print(*dict.fromkeys(package for need in lacking for package in need.debian))


if __name__ == "__main__":
    main()
