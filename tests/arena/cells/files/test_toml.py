"""TOML of strangers: whatever it says, reading it takes a moment."""

import os
from pathlib import Path

import pytest

from bullring.arena.cells.files.toml import MOST_BYTES, read_toml
from bullring.errors import FilesError

BOMBS: dict[str, tuple[str | bytes, str]] = {
    "parts": ("a" + ".a" * 30_000 + "=1", "a key of more than 8 parts"),
    "parts of a table": (f"[{'.'.join('a' * 30_000)}]", "a key of more than 8 parts"),
    "quoted parts": ('."a"' * 9 + "=1", "a key of more than 8 parts"),
    "arrays": (f"x = {'[' * 30_000}{']' * 30_000}", "nested more than 8 deep"),
    "tables": (f"x = {'{a=' * 15_000}1{'}' * 15_000}", "nested more than 8 deep"),
    "after a comment": ("# '''\nx = [[[[[[[[[1]]]]]]]]]", "nested more than 8 deep"),
    "after a string": ('x = """a\\""""\ny = [[[[[[[[[1]]]]]]]]]', "nested more than 8 deep"),
    "keys": ("".join(f"k{number} = 1\n" for number in range(5_000)), "more than 1000 keys and tables"),
    "table headers": ("[[a]]\n" * 5_000, "more than 1000 keys and tables"),
    "entries": (f"x = [{'1,' * 20_000}]", "10000 entries"),
    "digits": (f"x = {'1' * 60_000}", "more than 100 characters outside of quotes"),
    "hexadecimal digits": (f"x = 0x{'f' * 60_000}", "more than 100 characters outside of quotes"),
    "escaped quotes": ('x = "\\' + '"\\' * 30_000, "not valid TOML"),
    "open strings": ("x = '''" + "''a" * 20_000, "not valid TOML"),
    "not UTF-8": (b"x = '\xff'", "cannot be read"),
    "bytes": (b"#" * (MOST_BYTES + 1), f"more than {MOST_BYTES} bytes"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    text, why = BOMBS[name]
    path = tmp_path / "bot.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(FilesError, match=why):
        read_toml(path)


def test_what_looks_like_a_bomb_in_a_string_is_none(tmp_path: Path) -> None:
    path = tmp_path / "bot.toml"
    text = "[" * 20 + ". " * 20 + "=," * 20
    path.write_text(
        f"a = '{text}'\nb = \"{text}\\\"{text}\"\nc = '''\n{text}\n{text}'''  # {text}\nd = [1.5, {{e.f.g = 2.5}}]\n"
    )
    assert read_toml(path) == {
        "a": text,
        "b": f'{text}"{text}',
        "c": f"{text}\n{text}",
        "d": [1.5, {"e": {"f": {"g": 2.5}}}],
    }


def test_neither_links_nor_pipes_are_read(tmp_path: Path) -> None:
    path, link = tmp_path / "bot.toml", tmp_path / "link.toml"
    path.write_text("a = 1")
    link.symlink_to("bot.toml")
    with pytest.raises(FilesError, match="is a link"):
        read_toml(link)
    assert read_toml(link, follow=True) == {"a": 1}
    path.unlink()
    os.mkfifo(path)
    for follow in (False, True):
        with pytest.raises(FilesError, match="is not a plain file"):
            read_toml(link if follow else path, follow=follow)
