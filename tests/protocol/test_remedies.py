"""The remedy for each mistake that authors make."""

import json
from typing import Any

import pytest

from bullring.errors import RemoteProtocolError
from bullring.protocol.connection import Connection
from bullring.protocol.decoding import Dialect
from bullring.protocol.remedies import illegal, last_words, no_shell, program_said
from bullring.protocol.said import Index
from tests.protocol.talk import ASKED, HELLO, asked, check, encode

HELLO_LINE = encode(Dialect.JSON, HELLO)
PACKED = encode(Dialect.MSGPACK, HELLO)
PRETTY = json.dumps(HELLO, indent=2).encode() + b"\n"


def refused_hello(data: bytes) -> RemoteProtocolError:
    with pytest.raises(RemoteProtocolError) as caught:
        assert Connection(lambda: ASKED).receive_hello(data) is not None, "nothing is refused yet"
    check(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("data", "got", "hint"),
    [
        (b"Loading the book...\nready\n" + PACKED, r"the text 'Loading the book...\nready\n'", "print to stderr"),
        ("Lade Büchlein …\n".encode() + HELLO_LINE, "the text 'Lade B", "print to stderr"),
        (b"\x1b[32mINFO\x1b[0m starting\n" + HELLO_LINE, "the text '", "print to stderr"),
        (b"\x1b[?25l\x1b[2K\rLoading 10 %" + HELLO_LINE, "the text '", "print to stderr"),
        (b"\x1b]0;my bot\x07starting\n" + HELLO_LINE, "the text '", "print to stderr"),
        (b"PHP Warning:  Undefined variable $x in /bot/bot.php on line 3\n", "$x in /bot/bot.php on", "display_errors"),
        (b"\nWarning: Undefined array key 1 in /bot/bot.php on line 3\n" + HELLO_LINE, "on line 3", "display_errors"),
        (b"\xef\xbb\xbf" + HELLO_LINE, "a byte order mark (ef bb bf) before '{", "without a byte order mark"),
        (b"\xef\xbb\xbf" + PACKED, "a byte order mark (ef bb bf) before '", "without a byte order mark"),
        (HELLO_LINE.decode().encode("utf-16"), "UTF-16: ff fe 7b 00", "write UTF-8"),
        (HELLO_LINE.decode().encode("utf-16-le") + b"\n", r'{\x00"\x00t', "write UTF-8"),
        (HELLO_LINE.decode().encode("utf-16-be"), "UTF-16: 00 7b 00 22", "write UTF-8"),
        (len(PACKED).to_bytes(4, "little") + PACKED, "lowest byte first: 25 00 00 00", "highest byte first"),
        ((130).to_bytes(4, "little") + PACKED, r"'\x82\x00\x00\x00\x83", "highest byte first"),
        ((256).to_bytes(4, "little") + PACKED, "lowest byte first: 00 01 00 00", "highest byte first"),
        (PRETTY, "'{'", "on one line"),
        (b"\x93\xa5hello\x01\xa4name", "the bytes 93 a5", "a map with text keys"),
        (b"{'type': 'hello', 'protocol': 1, 'name': 'x'}\n", "{'type'", "double quotes"),
        (b'{"type":"hello","protocol":1,"name":"x","fast":True}\n', "True", "true, false and null in lower case"),
        (b'{"type":"hello","protocol":"1","name":"x"}\n', "'protocol': '1'", "without quotes"),
        (b'{"type":"hello","protocol":2,"name":"x"}\n', "'protocol': 2", ""),
    ],
    ids=lambda value: value[:20].decode("latin-1").split("\n")[0] if isinstance(value, bytes) else "",
)
def test_what_is_wrong_with_the_first_bytes(data: bytes, got: str, hint: str) -> None:
    error = refused_hello(data)
    assert got in error.got
    assert hint in error.hint
    assert bool(hint) == bool(error.hint)
    assert error.raw
    assert data.lstrip().startswith(error.raw[:16]), "the bytes that came are kept"


@pytest.mark.parametrize(
    ("data", "got", "hint"),
    [
        (b"", "nothing", "SPEC.md#traps; and say hello before reading anything"),
        (PACKED[:9], r"only 9 bytes of an unfinished message: '\x83\xa4type", "Flush stdout"),
        (PACKED[:1], "only 1 byte of an", "Flush stdout"),
        (HELLO_LINE[:-1], 'only 48 bytes of an unfinished message: \'{"type": "hello"', "line feed"),
        (b"\x00\x00\x00\x50" + PACKED, "only 41 bytes of an", "its length says 80, and 37 came after it"),
        ("{".encode("utf-16-le"), "only 2 bytes", "write UTF-8"),
    ],
    ids=["nothing", "part", "byte", "no line feed", "wrong length", "utf-16"],
)
def test_what_is_missing_of_a_hello_that_does_not_come(data: bytes, got: str, hint: str) -> None:
    connection = Connection(lambda: ASKED)
    if data:
        assert connection.receive_hello(data) is None
    came, remedy = connection.silence()
    assert came.startswith(got.split(":")[0])
    assert hint in remedy
    assert (came + remedy).isascii()


def hello_of(size: int) -> bytes:
    """A packed hello of this many bytes."""
    for more in range(size):
        packed = encode(Dialect.MSGPACK, {**HELLO, "about": "x" * more})
        if len(packed) == size:
            return packed
    packed = encode(Dialect.MSGPACK, {**HELLO, "name": "x"})
    return encode(Dialect.MSGPACK, {**HELLO, "name": "x" * (1 + size - len(packed))})


@pytest.mark.parametrize("size", [29, 32, 60, 123, *range(128, 145), 222, 223, 256, 265, 266, 269, 288, 300])
def test_a_little_endian_length_is_recognized_whatever_its_first_byte_means(size: int) -> None:
    """It may look like white space, like the beginning of a map, or like one of JSON."""
    connection = Connection(lambda: ASKED)
    hello = hello_of(size)
    try:
        assert connection.receive_hello(size.to_bytes(4, "little") + hello) is None
        hint = connection.silence()[1]
    except RemoteProtocolError as error:
        check(error)
        hint = error.hint
    assert "highest byte first" in hint


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (b"{", "on one line"),
        (b'  "type": "choice",', "on one line"),
        (b"}", "on one line"),
        (b"thinking...", "print to stderr"),
        (b"PHP Notice:  oh", "display_errors"),
        (b'{"type":"choice","id":7,"option":5}{"type":"choice","id":7,"option":5}', "line feed"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
    ],
)
def test_what_is_wrong_with_a_line(line: bytes, hint: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        asked(Dialect.JSON).receive(line + b"\n")
    check(caught.value)
    assert hint in caught.value.hint
    assert caught.value.raw == line.lstrip()


@pytest.mark.parametrize(
    ("answer", "options", "hint"),
    [
        ("100", (5, 100), "write the number 100 without quotes, or answer by index"),
        ('"stop"', ("stop", 5), "quotes of its own"),
        ([5], (5, 6), "write 5, not a list of it"),
        (5, ((), (5,)), "write the list [5]"),
        ([7, 3], ((3, 7), (3, 9)), "keep their order"),
        (7, (5, 6), ""),
        (Index(2), (5, 6), "the first option has the index 0"),
        (Index(9), (5, 6), ""),
    ],
    ids=str,
)
def test_what_is_wrong_with_an_option(answer: Any, options: tuple[Any, ...], hint: str) -> None:
    wrong = illegal(answer, options)
    assert hint in wrong.hint
    assert bool(hint) == bool(wrong.hint)
    assert wrong.expected
    assert wrong.got.isascii()


@pytest.mark.parametrize(
    ("said", "exit", "hint"),
    [
        ("exec: Exec format error\n", "", "not for this kind of machine"),
        ("/bot/bot: 1: Syntax error: word unexpected\n", "exited with status 2", "another kind of machine"),
        ("./bot: /lib/libc.so.6: version `GLIBC_2.38' not found", "", "link it statically"),
        ("bot: error while loading shared libraries: libx.so.1: cannot open", "", "statically"),
        ("ModuleNotFoundError: No module named 'torch'", "", "bot's folder"),
        ("Cannot find package '@msgpack/msgpack' imported from /bot/bot.js", "", "--ignore-scripts @msgpack/msgpack`"),
        ("Error: Cannot find module 'nanoid/async'\nRequire stack:", "", "--ignore-scripts nanoid`"),
        ("Error: Cannot find module '/bot/x.js'", "", "bot's folder: nothing"),
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", "", "folder named by HOME"),
        ("socket.gaierror: [Errno -3] Temporary failure in name resolution", "", "no network"),
        ("python3: can't open file '/home/me/bot.py': [Errno 2] No such file or directory", "", "relative"),
        ("", "exited with status 127", "missing here"),
        ("env: 'node': No such file or directory", "exited with status 127", "missing here"),
        ("Traceback: oh", "exited with status 1", ""),
    ],
)
def test_what_the_last_words_of_a_program_tell(said: str, exit: str, hint: str) -> None:
    assert hint in program_said(said, exit)
    assert bool(hint) == bool(program_said(said, exit))


@pytest.mark.parametrize(
    ("stderr", "last"),
    [
        ("a\nb\n", "b"),
        ("", ""),
        ("Traceback (most recent call last):\n  x\nValueError: no\n", "ValueError: no"),
        (
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n    at y (z:1)\n\nNode.js v20.20.2\n",
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'",
        ),
        (
            'Exception in thread "main" java.lang.NullPointerException\n\tat Bot.main(Bot.java:3)\n',
            'Exception in thread "main" java.lang.NullPointerException',
        ),
        ("panic: no\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2\n", "panic: no"),
    ],
)
def test_the_last_words_are_those_of_the_error(stderr: str, last: str) -> None:
    assert last_words(stderr) == last


def test_a_command_with_marks_of_a_shell() -> None:
    assert no_shell("build", ["cc", "bot.c", "&&", "mv", "a.out", "bot"]).endswith(
        'build = ["sh", "-c", "cc bot.c && mv a.out bot"]'
    )
    assert not no_shell("run", ["bash", "-c", "tee log | ./bot"])
