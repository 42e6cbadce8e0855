"""Find the base images of a Dockerfile before it is built, so that nothing is pulled and errors name what is missing.

Engines pull missing images without asking, and fetch addresses in ADD. The text must be the one that was packed for the engine,
because the owner of the folder may exchange the file in between.
"""

import re
from collections.abc import Iterator

from bullring.errors import CellError

_VARIABLE = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<name>\w+)(?::(?P<how>[-+])(?P<word>[^}]*))?\})")
_FLAG = re.compile(r"--(?P<name>[\w-]+)(?:=(?P<value>[^\s\"'\\`]*))?(?:\s+|$)")
_DIRECTIVE = re.compile(r"\s*#\s*(?P<name>syntax|escape|check)\s*=\s*(?P<value>.+?)\s*", re.IGNORECASE)
_MAY_FETCH = re.compile(r"://|[$@\\`]")
"""In an ADD: a URL, or a variable or escape that may hide one. The engine would fetch it even if the build has no network."""
_ODD_SPACE = re.compile(r"[^\S \t\n]")
_KNOWN = re.compile(
    "FROM|ARG|ENV|LABEL|WORKDIR|COPY|ADD|RUN|USER|CMD|ENTRYPOINT|EXPOSE|STOPSIGNAL|HEALTHCHECK|SHELL|MAINTAINER"
)
"""The accepted instructions. All others are refused; ONBUILD, for example, would hide instructions from this parser."""


def bases(text: str) -> list[str]:
    """List the images that a Dockerfile needs, without duplicates. Raises `CellError`."""
    given: dict[str, str] = {}
    stages: set[str] = set()
    found: dict[str, None] = {}
    started = 0
    for word, rest in _instructions(text):
        if word == "ARG" and not started:
            name, has_value, value = rest.strip().partition("=")
            if has_value:
                given[name] = _resolve(value.strip("\"'"), given, "ARG")
        elif word == "FROM":
            started += 1
            _, rest = _flags(word, rest)
            image, *alias = rest.split()[:3] or [""]
            image = _resolve(image.strip("\"'"), given, "FROM")
            if not image:
                raise CellError("the Dockerfile has a FROM without an image")
            if image.lower() != "scratch" and image.lower() not in stages:
                found[image] = None
            if len(alias) == 2 and alias[0].upper() == "AS":
                stages.add(alias[1].lower())
        elif word in ("COPY", "ADD", "RUN"):
            flags, rest = _flags(word, rest)
            if word == "ADD" and _MAY_FETCH.search(re.sub("[\"']", "", rest)):
                raise CellError(
                    f"the Dockerfile's ADD {rest} may fetch something, but builds have no network; use COPY with a file"
                )
            for image in _taken_from(flags):
                is_number = image.isdigit() and int(image) < started
                if not is_number and image.lower() not in stages:
                    found[_resolve(image, given, f"{word} from")] = None
    if not started:
        raise CellError("the Dockerfile has no FROM")
    return list(found)


def has_commands(text: str) -> bool:
    """Whether the build runs commands."""
    return any(word == "RUN" for word, _ in _instructions(text))


def _flags(word: str, rest: str) -> tuple[list[tuple[str, str]], str]:
    """Split the flags of an instruction, with their values, from the rest."""
    found = []
    while rest.startswith("--"):
        flag = _FLAG.match(rest)
        if flag is None:
            raise CellError(
                f"the Dockerfile's {word} {rest} has a flag that bullring cannot parse; write it without quotes and escapes"
            )
        found.append((flag["name"].lower(), flag["value"] or ""))
        rest = rest[flag.end() :]
    return found, rest


def _taken_from(flags: list[tuple[str, str]]) -> Iterator[str]:
    for name, value in flags:
        if name == "from":
            yield value
        elif name == "mount":
            for field in value.split(","):
                key, _, image = field.partition("=")
                if key.lower() == "from":
                    yield image


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield each instruction, in upper case, and its arguments, joined to one line.

    Syntax that engines read differently, or may, is refused: a line that an engine takes for an instruction must not count as the
    continuation of another one here.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if odd := _ODD_SPACE.search(text):
        raise CellError(f"the Dockerfile has the white space {odd[0]!r}; use only spaces, tabs and newlines")
    escape = "\\"
    lines = text.split("\n")
    while lines and (directive := _DIRECTIVE.fullmatch(lines[0])):
        if directive["name"].lower() == "escape":
            escape = directive["value"]
            if escape not in ("\\", "`"):
                raise CellError(f"the Dockerfile's escape must be \\ or `, not {escape!r}")
        del lines[0]
    whole = ""
    for line in lines:
        if line.lstrip().startswith("#") or not line.strip():
            continue
        whole += line
        ended = whole.rstrip()
        if ended.endswith(escape * 2):
            raise CellError(
                f"the Dockerfile has a line that ends in {escape * 2}, which not all engines read alike; rewrite it"
            )
        if ended.endswith(escape):
            whole = ended[:-1]
            continue
        yield _cut(whole)
        whole = ""
    if whole.strip():
        yield _cut(whole)


def _cut(line: str) -> tuple[str, str]:
    word, rest = (*line.split(maxsplit=1), "")[:2]
    word, rest = word.upper(), rest.strip()
    if not _KNOWN.fullmatch(word):
        raise CellError(
            f"the Dockerfile's {word} {rest} is refused: it is an unknown instruction, or one that bots may not use"
        )
    if "<<" in rest:
        raise CellError(
            f"the Dockerfile's {word} has a heredoc (<<), which not all engines read alike; use COPY with a file"
        )
    return word, rest


def _resolve(text: str, given: dict[str, str], where: str) -> str:
    def value(match: "re.Match[str]") -> str:
        name = match["plain"] or match["name"]
        known = given.get(name, "")
        if match["how"] == "-":
            known = known or match["word"]
        elif match["how"] == "+":
            known = known and match["word"]
        elif not known:
            raise CellError(
                f"the Dockerfile's {where} uses {text!r}, but no ARG before the first FROM gives ${name} a value"
            )
        return known

    return _VARIABLE.sub(value, text)
