"""Go modules, by `go mod vendor`, from a proxy only: no version control is run, and nothing is compiled."""

import json
import os
from pathlib import Path

from bullring.arena.cells.dependencies.kind import MOST_TEXT, Command, Files, Kind, asked, from_environment, text_of
from bullring.arena.cells.files.read import read_file
from bullring.arena.cells.sandbox.installations import which
from bullring.errors import FilesError, HostError

_SKIPPED = {"vendor", "node_modules", ".git"}


def _declared(folder: Path) -> Files:
    sums = folder / "go.sum"
    if (
        not (folder / "go.mod").is_file()
        or not sums.is_file()
        or b"require" not in read_file(folder / "go.mod", MOST_TEXT)
    ):
        return {}
    for line in text_of(folder / "go.mod").splitlines():
        # A module in a folder would be copied with all that is beside it, and what fetches is there, with the user's settings.
        if "=>" in line and len(line.partition("=>")[2].partition("//")[0].split()) != 2:
            raise FilesError(
                f"go.mod replaces a module by a folder ({line.strip()[:100]}), which is not fetched; replace it by a module with"
                " a version, or bring the folder vendor"
            )
    given: dict[str, bytes] = {}
    for above, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        for name in files:
            if name.endswith(".go") or name in ("go.mod", "go.sum"):  # the imports say which packages are needed
                path = Path(above) / name
                given[str(path.relative_to(folder))] = read_file(path, MOST_TEXT)
    return given


def _command() -> Command:
    go = which("go")
    if go is None:
        raise HostError("Go modules are fetched by go, which is not on this machine; install it")
    told = json.loads(asked([go, "env", "-json", "GOPROXY", "GOSUMDB", "GONOSUMDB"]))
    proxies = ",".join(one for one in told["GOPROXY"].replace("|", ",").split(",") if one not in ("direct", "off"))
    return Command(
        ("go", "mod", "vendor"),
        {
            "GOPROXY": proxies or "off",
            "GOSUMDB": told["GOSUMDB"],
            "GONOSUMDB": told["GONOSUMDB"],
            "GOVCS": "*:off",
            "GOTOOLCHAIN": "local",
            "GOFLAGS": "-mod=readonly",
            "GOWORK": "off",
            "GOENV": "off",
        }
        | from_environment(),
    )


GO = Kind("Go", "go", _declared, "vendor", _command)
