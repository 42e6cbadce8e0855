"""What a Dockerfile builds upon: read ahead, so that nothing is ever pulled and errors name what is missing."""

import re
from collections.abc import Iterator

from arena.sandbox.cell import CellError

_VARIABLE = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<name>\w+)(?::(?P<how>[-+])(?P<word>[^}]*))?\})")
_OPTION = re.compile(r"--(?P<name>[\w-]+)=(?P<value>\S+)\s*")
_MOUNTS_FROM = re.compile(r"--mount=\S*\bfrom=(?P<image>[^,\s]+)")
_ESCAPE = re.compile(r"#\s*escape\s*=\s*(?P<character>\S)\s*$", re.IGNORECASE)
_MAY_FETCH = re.compile(r"://|\$|@")
"""In an ADD: an address, or what may stand for one. The engine itself would fetch it, whatever network the build has."""
_DIRECTIVE = re.compile(r"#\s*\w+\s*=")


def bases(text: str) -> list[str]:
    """The images that must be there before a Dockerfile can be built, each once. Raises `CellError`."""
    given: dict[str, str] = {}
    stages: set[str] = set()
    found: dict[str, None] = {}
    in_stage = False
    for word, rest in _instructions(text):
        if word == "ARG" and not in_stage:
            name, has_value, value = rest.strip().partition("=")
            if has_value:
                given[name] = _resolve(value.strip("\"'"), given, "ARG")
        elif word == "FROM":
            in_stage = True
            while option := _OPTION.match(rest):
                rest = rest[option.end() :]
            image, *alias = rest.split()[:3] or [""]
            image = _resolve(image.strip("\"'"), given, "FROM")
            if not image:
                raise CellError("the Dockerfile has a FROM without an image")
            if image.lower() != "scratch" and image.lower() not in stages:
                found[image] = None
            if len(alias) == 2 and alias[0].upper() == "AS":
                stages.add(alias[1].lower())
        elif word in ("COPY", "ADD", "RUN"):
            if word == "ADD" and _MAY_FETCH.search(rest):
                raise CellError(
                    f"the Dockerfile's ADD {rest} may fetch something, and builds have no network: COPY a file"
                )
            for image in _taken_from(rest):
                if not image.isdigit() and image.lower() not in stages:
                    found[_resolve(image, given, f"{word} from")] = None
    if not in_stage:
        raise CellError("the Dockerfile has no FROM")
    return list(found)


def has_commands(text: str) -> bool:
    """Whether something is run when it is built."""
    return any(word == "RUN" for word, _ in _instructions(text))


def _taken_from(rest: str) -> Iterator[str]:
    while option := _OPTION.match(rest):
        if option["name"] == "from":
            yield option["value"]
        if mount := _MOUNTS_FROM.match(option.group()):
            yield mount["image"]
        rest = rest[option.end() :]


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction, in upper case, and what follows it, on one line."""
    escape = "\\"
    lines = text.lstrip("\ufeff").splitlines()
    while lines and _DIRECTIVE.match(lines[0]):
        if match := _ESCAPE.match(lines[0]):
            escape = match["character"]
        del lines[0]
    whole = ""
    for line in lines:
        if line.lstrip().startswith("#") or not line.strip():
            continue
        whole += line.strip() if not whole else " " + line.strip()
        if whole.endswith(escape):
            whole = whole[:-1].rstrip()
            continue
        yield _cut(whole)
        whole = ""
    if whole:
        yield _cut(whole)


def _cut(line: str) -> tuple[str, str]:
    word, _, rest = line.partition(" ")
    return word.upper(), rest.strip()


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
                f"the Dockerfile's {where} takes {text!r}, and no ARG before the first FROM gives ${name} a value"
            )
        return known

    return _VARIABLE.sub(value, text)
