"""Python packages that tests make, and a folder of them as the only place where pip finds any."""

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest


def only_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let pip find what is in this new folder, and nothing else; and begin with an empty cache beside it."""
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def wheel(folder: Path, name: str, files: Mapping[str, str | bytes]) -> str:
    """Make a wheel of version 1 with these files. Returns its hash, as in a requirement."""
    path, info = folder / f"{name}-1-py3-none-any.whl", f"{name}-1.dist-info"
    told = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "".join(f"{file},,\n" for file in files),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in {**files, **told}.items():
            archive.writestr(file, text)
    return f"--hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def sdist(folder: Path, name: str, setup: str) -> None:
    """Make a source distribution of version 1 with this `setup.py`."""
    with tarfile.open(folder / f"{name}-1.tar.gz", "w:gz") as archive:
        for file, text in (("setup.py", setup), ("PKG-INFO", f"Metadata-Version: 1.0\nName: {name}\nVersion: 1\n")):
            entry = tarfile.TarInfo(f"{name}-1/{file}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
