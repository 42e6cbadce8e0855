"""Archives of strangers: unpacked within bounds, or refused with everything that a bot may not have."""

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bullring.arena.cells.files.walk import Bounds
from bullring.errors import FilesError
from bullring.ladder.submit.archives import is_archive, unpack

SMALL = Bounds(size=1 << 20, files=50)


def unpacked(tmp_path: Path, data: bytes, bounds: Bounds = SMALL) -> Path:
    archive, target = tmp_path / "archive", tmp_path / "target"
    archive.write_bytes(data)
    target.mkdir()
    unpack(archive, target, bounds, "it.tar")
    return target


def tar(*entries: tarfile.TarInfo | tuple[str, bytes], format: int = tarfile.GNU_FORMAT) -> bytes:
    """A tar of entries as they are, or of names and contents."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as archive:
        for entry in entries:
            info = entry if isinstance(entry, tarfile.TarInfo) else tarfile.TarInfo(entry[0])
            data = b"" if isinstance(entry, tarfile.TarInfo) else entry[1]
            info.size = info.size or len(data)
            archive.addfile(info, io.BytesIO(data or bytes(info.size)))
    return out.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def zipped(*entries: tuple[str, bytes, int]) -> bytes:
    """A zip of names, contents and modes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in entries:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr, info.compress_type = 3, mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()


@pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
@pytest.mark.parametrize("packed", [lambda data: data, gzip.compress], ids=["tar", "tar.gz"])
def test_what_tar_packs_is_unpacked(tmp_path: Path, format: int, packed: Callable[[bytes], bytes]) -> None:
    program = tarfile.TarInfo("bot/run.sh")
    program.mode = 0o4755
    long = f"bot/{'d' * 60}/{'f' * 80}"
    odd = "bot/\udcff" if format != tarfile.PAX_FORMAT else "bot/ö"
    data = tar(
        ("./bot/a", b"one"),
        program,
        (long, b"two"),
        special("bot/link", tarfile.SYMTYPE, "a"),
        (odd, b""),
        format=format,
    )
    target = unpacked(tmp_path, packed(data))
    assert (target / "bot" / "a").read_bytes() == b"one"
    assert (target / long).read_bytes() == b"two"
    assert (target / "bot" / "run.sh").stat().st_mode & 0o7777 == 0o755
    assert os.readlink(target / "bot" / "link") == "a"  # noqa: PTH115
    assert os.path.lexists(target / odd)


def test_what_zip_packs_is_unpacked(tmp_path: Path) -> None:
    data = zipped(
        ("bot/", b"", 0o40755), ("bot/a", b"one" * 99, 0o100644), ("bot/run", b"", 0o100755), ("bot/l", b"a", 0o120777)
    )
    target = unpacked(tmp_path, data)
    assert (target / "bot" / "a").read_bytes() == b"one" * 99
    assert (target / "bot" / "run").stat().st_mode & 0o111
    assert (target / "bot" / "l").is_symlink()


HOSTILE = {
    "upwards": (tar(("../x", b"")), "a path that leads upwards"),
    "upwards in the middle": (tar(("a/../../x", b"")), "a path that leads upwards"),
    "absolute": (tar(special("/etc/x", tarfile.REGTYPE)), "an absolute path"),
    "twice": (tar(("a", b"1"), ("a", b"2")), "came twice"),
    "file and folder": (tar(("a", b"1"), ("a/b", b"2")), "came twice"),
    "through a link": (tar(special("a", tarfile.SYMTYPE, "/tmp"), ("a/b", b"2")), "came twice"),
    "link outward": (tar(special("a", tarfile.SYMTYPE, "../../etc")), "leads out"),
    "link to the root": (tar(special("a", tarfile.SYMTYPE, "/etc/passwd")), "leads out"),
    "hard link": (tar(("a", b""), special("b", tarfile.LNKTYPE, "a")), "a hard link"),
    "device": (tar(special("a", tarfile.CHRTYPE)), "neither a file nor a folder"),
    "pipe": (tar(special("a", tarfile.FIFOTYPE)), "neither a file nor a folder"),
    "many": (tar(*((f"{n}", b"") for n in range(51))), "more than 50 entries"),
    "many folders": (tar(*((f"{n}/{n}/a", b"") for n in range(30))), "more than 50 entries"),
    "deep": (tar(("/".join("ab" * 20), b"")), "folders deep"),
    "large": (tar(("a", bytes((1 << 20) + 1))), "unpacks to more than 1 MiB"),
    "bomb": (gzip.compress(tar(("a", bytes(9 << 20)))), "unpacks to more than 1 MiB"),
    "half a header": (tar(("a", b""))[:124], "ends within an entry"),
    "no end": (tar(("a", bytes(4000)))[:2000], "ends within an entry"),
    "gzip without an end": (gzip.compress(tar(("a", os.urandom(4000))))[:-900], "is not a whole archive"),
    "no archive": (b"hello" * 1000, "is not a whole tar"),
    "zip upwards": (zipped(("../x", b"", 0o100644)), "a path that leads upwards"),
    "zip twice": (zipped(("x", b"", 0o100644), ("./x", b"", 0o100644)), "came twice"),
    "zip link outward": (zipped(("x", b"/etc", 0o120777)), "leads out"),
    "zip device": (zipped(("x", b"", stat.S_IFCHR)), "neither a file nor a folder"),
    "zip bomb": (zipped(("x", bytes(9 << 20), 0o100644)), "unpacks to more than 1 MiB"),
    "zip of many": (zipped(*((f"{n}", b"", 0o100644) for n in range(51))), "more than 50 entries"),
    "zip with an endless directory": (
        zipped(*((f"{n}" * 50, b"", 0o100644) for n in range(400))),
        "more than 50 entries",
    ),
    "zip cut short": (zipped(("x", os.urandom(4000), 0o100644))[40:], "is not a whole|Bad magic|pack it again"),
    "zip64": (b"PK\3\4" + bytes(80) + b"PK\6\7" + bytes(16) + b"PK\5\6" + bytes(18), "more than 4 GiB"),
    "no zip": (b"PK\3\4" + bytes(200), "is not a whole zip"),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_refused(name: str, tmp_path: Path) -> None:
    data, says = HOSTILE[name]
    with pytest.raises(FilesError, match=says):
        unpacked(tmp_path, data)
    assert {path.name for path in tmp_path.iterdir()} == {"archive", "target"}
    held = sum(path.lstat().st_size for path in (tmp_path / "target").rglob("*") if path.is_file())
    assert held <= SMALL.size + (1 << 16)


def test_a_header_that_claims_gigabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    header = special("a", b"x")
    header.size = 8 << 30
    data = header.tobuf(tarfile.GNU_FORMAT) + bytes(1024)
    with pytest.raises(FilesError, match="has a header of 8589934592 bytes"):
        unpacked(tmp_path, data)


@pytest.mark.parametrize("record", [b"99 path=a\n", b"x path=a\n", b"0 path=a\n", b"11 size=-1\n", b"13 size=9e99\n"])
def test_records_that_make_no_sense_are_refused(tmp_path: Path, record: bytes) -> None:
    header = special("a", b"x")
    header.size = len(record)
    data = header.tobuf(tarfile.USTAR_FORMAT) + record.ljust(512, b"\0") + tar(("b", b""))
    with pytest.raises(FilesError, match="pack it again"):
        unpacked(tmp_path, data)


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped(("x", b"secret", 0o100644)))
    at = data.index(b"PK\1\2")
    struct.pack_into("<H", data, 6, 1)
    struct.pack_into("<H", data, at + 8, 1)
    with pytest.raises(FilesError, match="encrypted"):
        unpacked(tmp_path, bytes(data))


def test_names_of_archives() -> None:
    assert all(is_archive(Path(f"bot{end}")) for end in (".tar", ".tar.gz", ".tgz", ".ZIP"))
    assert not any(is_archive(Path(f"bot{end}")) for end in ("", ".tar.xz", ".gz", ".py"))
