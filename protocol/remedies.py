"""Probable causes of a broken contract, and their remedies: for the messages to a bot's author.

All texts are ASCII, printable and short, whatever the bot has sent. A hint is a guess from the bytes: it never decides anything.
"""

import re
from collections.abc import Mapping, Sequence
from json import dumps
from typing import Any

from bullring.errors import Unexpected
from bullring.protocol.said import Index, Option, Said

QUOTED = 300
"""Characters of a bot's bytes that a message quotes."""

KEPT = 500
"""Bytes of what came that an error keeps, for the record."""

BEGINNING = 8
"""Bytes of a session's beginning that `length_hint` wants to see."""

STDERR = "a bot's stdout belongs to the protocol: print to stderr"
_PHP = f"{STDERR}; PHP prints its warnings to stdout unless display_errors = stderr"
FLUSH = "did it flush? Flush stdout after each message: SPEC.md#traps"
EVERY = "answer each decide, whatever its kind: the first option is always legal"
HELLO = f"{FLUSH}; and say hello before reading anything"
LINE_FEED = "end each message with a line feed, and flush: SPEC.md#traps"
ONE_LINE = "write each message on one line, without indentation"
_BOM = "write without a byte order mark: SPEC.md#traps"
_UTF_16 = "this is UTF-16: write UTF-8"
_BIG_ENDIAN = "lengths have their highest byte first (big-endian)"
_A_MAP = "a message is a map with text keys; some libraries pack structs as arrays unless told otherwise"
_JSON = "write JSON: keys and texts in double quotes, true, false and null in lower case"
_EMPTY = "an empty list became an empty map, as happens in Lua and PHP: answer by index, SPEC.md#decisions-and-options"
MEMORY = "use less, or ask for more with memory_mib in [limits] of bot.toml: SPEC.md#where-it-runs"
_UNASKED = "send one choice for each decide, and nothing else"
_ITS_ID = "repeat the id of the decide"
_NO_SHELL = "no shell reads this command; for one, write: "
STAY = 'a bot that plays one match and ends has restart = "match" in its bot.toml; others wait for bye'


def quote(data: bytes, most: int = QUOTED) -> str:
    """The beginning of `data`, readable and safe to print, in at most `most` characters and an ellipsis."""
    shown = ascii(bytes(data[:most]))[1:]
    return shown if len(data) <= most and len(shown) <= most else shown[:most] + "..."


def stranger(data: bytes) -> tuple[str, str]:
    """A description of bytes that begin no message, and the remedy."""
    if data.startswith(b"\xef\xbb\xbf"):
        return f"a byte order mark (ef bb bf) before {quote(data[3:], 60)}", _BOM
    if _is_utf_16(data):
        return f"UTF-16: {data[:24].hex(' ')}", _UTF_16
    if _is_little_endian(data):
        return f"a length with its lowest byte first: {data[:8].hex(' ')}", _BIG_ENDIAN
    text = _TEXT(data)
    assert text is not None
    if text.end() == len(data) > 1 or text.end() >= 4:
        return f"the text {quote(text[0])}", _stderr(data)
    hint = _A_MAP if 0x90 <= data[0] <= 0x9F or data[0] in (0xDC, 0xDD) else ""
    return f"the byte{'s' if len(data) > 1 else ''} {data[:24].hex(' ')}", hint


def length_hint(beginning: bytes) -> str:
    """The remedy if the first bytes of a session are a length with its lowest byte first.

    As its first byte may be any, it may have been taken for white space, a map or JSON.
    """
    return _BIG_ENDIAN if _is_little_endian(beginning) else ""


def bad_line(line: bytes) -> str:
    """The remedy for a line that is not a JSON object."""
    if b"\0" in line:
        return _UTF_16
    inner = line.strip()
    if inner.startswith(b"\xef\xbb\xbf"):
        return _BOM
    if not inner.startswith(b"{"):
        # The further lines of an object that began on a line of its own.
        return ONE_LINE if re.match(rb'"\w+"\s*:|[}\]],?$', inner) else _stderr(inner)
    if inner.startswith((b"{'", b"{ '")) or re.search(rb":\s*(True|False|None)\b", inner):
        return _JSON
    if b"}{" in inner or b"} {" in inner:
        return "end each message with a line feed"
    return "" if inner.endswith(b"}") else ONE_LINE


def silence(data: bytes, framed: bool, json: bool, new: bool) -> tuple[str, str]:
    """The received part of a message that is late, and the remedy. `new` if it is the hello."""
    if not data:
        return "nothing", HELLO if new else FLUSH
    size = len(data)
    part = f"only {size} byte{'s' if size > 1 else ''} of an unfinished message: {quote(data, 200)}"
    if json:
        hint = LINE_FEED if data.rstrip().endswith(b"}") else ONE_LINE if b"\n" in data else LINE_FEED
        return part, _UTF_16 if b"\0" in data else hint
    if framed and size >= 4:
        length = int.from_bytes(data[:4], "big")
        return part, f"its length says {length}, and {size - 4} came after it; flush after each message"
    return part, FLUSH


def illegal(answer: Said, options: Sequence[Any], raw: bytes = b"") -> Unexpected:
    """The mistake of an answer that is not one of the options; it came as `raw`."""
    if isinstance(answer, Index):
        last = len(options) - 1
        expected = f"an index from 0 to {last}, for {last + 1} option{'s' if last else ''}"
        hint = "the first option has the index 0" if answer.position == last + 1 else ""
        return Unexpected(expected, f"the index {answer.position}", hint, raw=raw)
    shown = ", ".join(map(str, options[:20])) + (", ..." if len(options) > 20 else "")
    return Unexpected(f"one of the options {shown}", ascii(answer)[:80], _unlike(answer, options), raw=raw)


def _unlike(answer: Option, options: Sequence[Any]) -> str:
    if isinstance(answer, str):
        if answer.strip() in {str(option) for option in options if type(option) is int}:
            return f"write the number {answer.strip()} without quotes, or answer by index"
        if answer.strip('"') in options:
            return "the text has quotes of its own in it"
    elif isinstance(answer, list):
        if len(answer) == 1 and answer[0] in options:
            return f"write {answer[0]}, not a list of it"
        if any(isinstance(option, list | tuple) and sorted(option) == sorted(answer) for option in options):
            return "the numbers of an option keep their order"
    elif any(isinstance(option, list | tuple) and list(option) == [answer] for option in options):
        return f"write the list [{answer}]"
    return ""


def bad_message(message: Mapping[str, Any], key: str) -> str:
    """The remedy for a wrong `key` of a message."""
    value = message.get(key)
    if key == "option":
        if value == {}:
            return _EMPTY
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**31:
            return f"write {int(value)} without a fraction, or answer by index"
    if key in ("id", "index", "protocol") and isinstance(value, str | float):
        return "write it as a whole number, without quotes or a fraction"
    return ""


def unasked(pending: bool) -> str:
    """The remedy for a choice with a wrong id."""
    return _ITS_ID if pending else _UNASKED


def last_words(stderr: str) -> str:
    """The line of a program's stderr that says why it ended: the last one of an error, for some say what they are after that."""
    lines = [line.strip() for line in stderr[-4000:].splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.search(line)]
    return (errors or lines or [""])[-1]


_ERROR = re.compile(
    r"^\w*(?:error|exception)\b|\b(?:error|exception|panic)(?:\s*\[\w+\])?:|Error \[|^Exception in ", re.IGNORECASE
)


def no_shell(key: str, command: Sequence[str]) -> str:
    """The remedy for a command with shell operators among its words; empty if it has none."""
    if not {"|", "||", "&&", ";", ">", "<"}.intersection(command):
        return ""
    return f"{_NO_SHELL}{key} = {dumps(['sh', '-c', ' '.join(command)])}"


def program_said(stderr: str, exit: str) -> str:
    """The remedy for a program that ended before its hello, from its stderr and its exit."""
    if missing := _MISSING.search(stderr[-2000:]):
        module = missing[1].partition(".")[0]
        return (
            f"it imports {module}, which it does not bring: write `{_PACKAGES.get(module, module)}` into requirements.txt beside"
            " bot.toml, or put the module into the bot's folder"
        )
    if missing := _MISSING_PACKAGE.search(stderr[-4000:]):
        package = "/".join(missing[1].split("/")[: 2 if missing[1].startswith("@") else 1])
        return (
            f"it imports {package}, which it does not bring: run `npm install --package-lock-only --ignore-scripts {package}` in"
            " the bot's folder, or bring its node_modules with the line !node_modules/ in .bullringignore"
        )
    said = f"{stderr[-2000:].lower()}\n{exit}"
    return next((remedy for pattern, remedy in _LAST_WORDS.items() if re.search(pattern, said, re.DOTALL)), "")


_MISSING = re.compile(r"No module named '([A-Za-z_][\w.]{0,99})'")
"""The last words of a Python program without a module."""

_MISSING_PACKAGE = re.compile(
    r"Cannot find (?:package|module) '((?:@[\w.-]{1,99}/)?[A-Za-z_][\w.-]{0,99}(?:/[\w./-]{0,200})?)'"
)
"""What Node.js says of a package that is not there. A path begins with a dot or a slash."""

_PACKAGES = {"PIL": "pillow", "sklearn": "scikit-learn", "yaml": "pyyaml", "cv2": "opencv-python-headless"}
"""Packages by their modules, where the names differ."""

_LAST_WORDS = {
    "exec format error|cannot execute binary|invalid elf": "the program is not for this kind of machine, or lacks a #! line",
    "word unexpected|error: unterminated quoted string": "a shell ran it: it is for another kind of machine, or lacks a #! line",
    "glibc_.*not found": "it was built for another system: link it statically, or build it here",
    "error while loading shared libraries": "link the library statically, or put it into the bot's folder",
    "no module named|cannot find module": "put the module into the bot's folder: nothing of your home is shown to it",
    "read-only file system": "its folder is read-only; write to the folder named by HOME: SPEC.md#where-it-runs",
    "name resolution|resolve host|network is unreachable|getaddrinfo|eai_again": "a bot has no network: bring what it needs",
    "permission denied": "make the program executable: chmod +x",
    "exited with status 12[67]": "a program it starts is missing here, or may not be run",
    "(can't|cannot) open|no such file|enoent": "is its path relative to the bot's folder? Other folders are not shown to it",
}
"""Remedies by patterns in the last words of a program, in lower case, or in its exit. The first that fits counts."""

_TEXT = re.compile(
    rb"(?:[\t\n\r\x20-\x7e]|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\xc2-\xf4][\x80-\xbf]{1,3})*"
).match
"""Finds the text at the beginning of bytes, with what terminals take for colours, the cursor and titles."""

_MAPS = frozenset({*range(0x80, 0x90), 0xDE, 0xDF})


def _stderr(data: bytes) -> str:
    php = re.match(rb"\s*(?:PHP |<br|(?:Warning|Notice|Deprecated|Fatal error|Parse error): )", data)
    return _PHP if php else STDERR


def _is_utf_16(data: bytes) -> bool:
    return data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:4] in (b'\0{\0"', b'{\0"\0')


def _is_little_endian(data: bytes) -> bool:
    return len(data) > 4 and data[2:4] == b"\0\0" and 0 < data[0] + 256 * data[1] <= 4096 and data[4] in _MAPS
