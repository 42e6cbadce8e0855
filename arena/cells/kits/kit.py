"""`kit.toml`, the declaration of a kit, and the walk over all kits."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bullring.arena.cells.bots.manifest import CapsSection, Word, read_declaration
from bullring.errors import BotError
from bullring.installation import FOLDER

DECLARATION = "kit.toml"

KITS = FOLDER / "sample_bots" / "kits"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Need(_Section):
    """`[[needs]]`: a program of the machine that the kit needs, to fetch, to build, to run or to test."""

    program: Annotated[Word, Field(min_length=1, description="Its name. {python} is the Python that runs bullring.")]
    version: Annotated[list[Word], Field(min_length=1, description="The command that prints its version.")]
    files: Annotated[list[Word], Field(description="Files that come with it or in addition, such as headers.")] = []
    debian: Annotated[list[Word], Field(description="The Debian packages that bring all of it.")] = []
    elsewhere: Annotated[str, Field(description="Where to get it if Debian does not have it.")] = ""


class Kit(_Section):
    """The contents of `kit.toml`."""

    title: Annotated[str, Field(min_length=1, max_length=64, description="The language, for people.")]
    dialect: Annotated[
        Literal["json", "msgpack", "frames"], Field(description="Of the wire; frames is msgpack with lengths.")
    ]
    library: Annotated[
        str, Field(max_length=64, description="The msgpack library, and where it comes from; empty if there is none.")
    ] = ""
    strategy: Annotated[str, Field(min_length=1, description="The file whose one function is the strategy.")]
    clock: Annotated[
        str, Field(description="The call that tells the processor time of the process; empty if there is none.")
    ] = ""
    fetch: Annotated[list[Word], Field(description="The command that gets the libraries, with the network.")] = []
    build: Annotated[list[Word], Field(description="Goes into `bot.toml`.")] = []
    run: Annotated[list[Word], Field(min_length=1, description="Goes into `bot.toml`.")]
    test: Annotated[list[Word], Field(description="The command that runs the kit's own tests.")] = []
    vectors: Annotated[
        bool, Field(description="Whether the tests need `vectors/`, the golden vectors of the protocol.")
    ] = False
    ignore: Annotated[
        list[str],
        Field(description="What is made from the sources: not copied from the kit, and listed in `.bullringignore`."),
    ] = []
    needs: Annotated[list[Need], Field(min_length=1)]
    limits: CapsSection = CapsSection()


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
