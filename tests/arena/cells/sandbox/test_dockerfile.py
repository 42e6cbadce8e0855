"""The base images of a Dockerfile."""

import pytest

from bullring.arena.cells.sandbox.container.dockerfile import bases, has_commands
from bullring.errors import CellError


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("FROM scratch\nCOPY bot /bot", []),
        ("FROM debian:12", ["debian:12"]),
        (
            "from --platform=linux/amd64 gcc:13 as build\nRUN make\nFROM debian:12\nCOPY --from=build /x /x",
            ["gcc:13", "debian:12"],
        ),
        ("FROM a AS one\nFROM one\nFROM ONE AS two", ["a"]),
        ("ARG V=12\nARG NAME=debian\nFROM $NAME:${V}", ["debian:12"]),
        ("FROM ${BASE:-alpine:3}", ["alpine:3"]),
        ("FROM a\nCOPY --chown=1:1 --from=busybox:1 /bin/sh /sh\nCOPY --from=0 /x /x", ["a", "busybox:1"]),
        ("FROM a\nRUN --mount=type=bind,from=b,target=/x true", ["a", "b"]),
        ("# FROM x\nFROM \\\n  # between\n  a", ["a"]),
        ("# escape=`\nFROM `\n a", ["a"]),
        ("FROM a\nRUN echo \\\n FROM b", ["a"]),
        ("FROM a\nFROM\tb\r\nCOPY\t--link\t--from=c\t/x /x\n", ["a", "b", "c"]),
        ("FROM a\nCOPY --fr\\\nom=b /x /x", ["a", "b"]),
        ("FROM a\nCOPY --from=1 /x /x", ["a", "1"]),
        ("FROM a\nRUN --mount=type=bind,from=b,target=/from=a --network=none true", ["a", "b"]),
        ("# syntax=x\n# escape=`\nFROM `\n a", ["a"]),
        ("# foo=bar\n# escape=`\nFROM a\nLABEL x=`\nFROM b", ["a", "b"]),
        ('FROM a\nADD --chown=1:1 ["x", "/x"]', ["a"]),
    ],
)
def test_base_images(text: str, found: list[str]) -> None:
    assert bases(text) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("FROM a\nADD https://example.org/x /x", "may fetch"),
        ('FROM a\nENV U=http\nADD ["$U", "/x"]', "may fetch"),
        ("FROM a\nADD\thttp://example.org/x /x", "may fetch"),
        ("FROM a\nADD ht\\\ntp://example.org/x /x", "may fetch"),
        ("FROM a\nADD 'http:'//example.org/x /x", "may fetch"),
        ('FROM a\nADD ["http\\u003a//example.org/x", "/x"]', "may fetch"),
        ("FROM a\nONBUILD ADD http://example.org/x /x\nFROM a", "ONBUILD"),
        ("FROM a\nonbuild\tRUN id", "ONBUILD"),
        ("FROM a\nVOLUME /data", "VOLUME /data"),
        ("FROM a\nNONSENSE", "unknown instruction"),
        ("FROM a\nRUN <<E\nADD x\nE", "heredoc"),
        ('FROM a\nCOPY --fr"om"=b /x /x', "flag"),
        ("FROM a\nCOPY --from=\\b /x /x", "flag"),
        ("FROM a\nLABEL x=y\\\\\nADD http://example.org/x /x", "not all engines"),
        ("FROM a\nLABEL x=y \\\n\x1c#\nADD http://example.org/x /x", "white space"),
        ("# escape=x\nFROM a", "escape"),
        ("RUN true", "no FROM"),
        ("ARG B\nFROM $B", "no ARG .* gives \\$B"),
        ("FROM", "without an image"),
    ],
)
def test_what_cannot_be_told(text: str, why: str) -> None:
    with pytest.raises(CellError, match=why):
        bases(text)


def test_commands_are_seen() -> None:
    assert has_commands("FROM a\n  run x")
    assert has_commands("FROM a\nRUN\tid")
    assert has_commands("FROM a\nRU\\\nN id")
    assert not has_commands("FROM a\nCMD RUN\n# RUN x")
