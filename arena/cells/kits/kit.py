"""`kit.toml`, the declaration of a kit, and the walk over all kits."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Literal

from bullring.arena.cells.bots.manifest import WORD, CapsSection, read_declaration
from bullring.errors import BotError
from bullring.installation import FOLDER
from bullring.validation import Flag, Many, OneOf, Table, Text, key

DECLARATION = "kit.toml"

KITS = FOLDER / "sample_bots" / "kits"


@dataclass(frozen=True, kw_only=True)
class Need:
    """`[[needs]]`: a program of the machine that the kit needs, to fetch, to build, to run or to test."""

    program: str = key(replace(WORD, least=1), "Its name. {python} is the Python that runs bullring.")
    version: tuple[str, ...] = key(Many(WORD, 1), "The command that prints its version.")
    files: tuple[str, ...] = key(Many(WORD), "Files that come with it or in addition, such as headers.", ())
    debian: tuple[str, ...] = key(Many(WORD), "The Debian packages that bring all of it.", ())
    elsewhere: str = key(Text(), "Where to get it if Debian does not have it.", "")


@dataclass(frozen=True, kw_only=True)
class Kit:
    """The contents of `kit.toml`."""

    title: str = key(Text(1, 64), "The language, for people.")
    dialect: Literal["json", "msgpack", "frames"] = key(
        OneOf(("json", "msgpack", "frames")), "Of the wire; frames is msgpack with lengths."
    )
    library: str = key(Text(most=64), "The msgpack library, and where it comes from; empty if there is none.", "")
    strategy: str = key(Text(1), "The file whose one function is the strategy.")
    clock: str = key(Text(), "The call that tells the processor time of the process; empty if there is none.", "")
    fetch: tuple[str, ...] = key(Many(WORD), "The command that gets the libraries, with the network.", ())
    build: tuple[str, ...] = key(Many(WORD), "Goes into `bot.toml`.", ())
    run: tuple[str, ...] = key(Many(WORD, 1), "Goes into `bot.toml`.")
    test: tuple[str, ...] = key(Many(WORD), "The command that runs the kit's own tests.", ())
    vectors: bool = key(Flag(), "Whether the tests need `vectors/`, the golden vectors of the protocol.", default=False)
    ignore: tuple[str, ...] = key(
        Many(Text()),
        "What is made from the sources: not copied from the kit, and listed in `.bullringignore`.",
        (),
    )
    needs: tuple[Need, ...] = key(Many(Table(Need), 1))
    limits: CapsSection = key(Table(CapsSection), default=CapsSection())


@dataclass(frozen=True)
class Declared:
    """A kit and its folder."""

    folder: Path
    kit: Kit

    @property
    def language(self) -> str:
        """The name to ask for it by."""
        return self.folder.name


def read_kit(folder: Path) -> Declared:
    """Read the declaration of the kit in a folder. Raises `BotError`."""
    return Declared(folder, read_declaration(folder / DECLARATION, Kit, "a kit"))


@cache
def kits() -> Mapping[str, Declared]:
    """All kits by language, sorted."""
    return {path.parent.name: read_kit(path.parent) for path in sorted(KITS.glob(f"*/{DECLARATION}"))}


def known(language: str) -> bool:
    """Whether there is a kit of this name."""
    return _named(language) is not None


def find(language: str) -> Declared:
    """The kit of a language, by the name of its folder or its title. Raises `BotError` if there is none."""
    declared = _named(language)
    if declared is not None:
        return declared
    close = get_close_matches(language.casefold(), kits(), 1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise BotError(
        f"there is no kit for {language[:40]!r}{hint}; there are: {', '.join(kits())}."
        " For another language: bullring docs adding-a-language"
    )


def _named(language: str) -> Declared | None:
    wanted = language.casefold()
    return next((one for name, one in kits().items() if wanted in (name, one.kit.title.casefold())), None)
