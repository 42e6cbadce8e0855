"""A bot before it runs: its name, its program, and the caps it asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.program import Program

MAX_NAME = 64
"""Characters of a bot's name."""

MANIFEST = "bot.toml"
"""The file that makes a folder a bot."""


AS_IT_IS = ("true",)
"""The build that makes nothing: of a bot that is copied, with what is fetched for it."""


@dataclass(frozen=True)
class Contents:
    """The files that a bot consists of, as far as they are known, so that it can be proved what was rated."""

    hash: str = ""
    """As in `arena.cells.files.hash`: of its folder, or of the program that its command line names; empty if it is not known."""
    whole: bool = False
    """Whether these are all its files: a folder of its own. A command line may use other files as well."""
    image: str = ""
    """The container image that it names or builds, if it runs in one: its id, or its name made of hashes."""
    built: str = ""
    """The hash of the folder that its build made, which is the one it plays from; empty if it has none."""
    commit: str = ""
    """The full hash of the commit that its files are of, if it was submitted as one."""

    def facts(self) -> dict[str, Any]:
        """The known fields as JSON values, for the head of a record."""
        return {key: value for key, value in asdict(self).items() if value or key == "whole"}


NOT_KNOWN = Contents()


@dataclass(frozen=True)
class Bot:
    """A bot, ready to be started."""

    name: str
    program: Program
    restart: Literal["never", "match"] = "never"
    asks: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Fields of `Caps` that the bot asks for, with values in bytes, processes or cores; the others keep their defaults."""
    contents: Contents = NOT_KNOWN
    build: tuple[str, ...] = ()
    """The command that makes it ready to be started; empty if it is ready."""
    lacks: bool = False
    """Whether it declares packages that it does not bring."""

    def __hash__(self) -> int:
        return hash(self.name)  # the pool looks bots up several times a match

    def facts(self) -> dict[str, Any]:
        """The bot as JSON values, for other processes and for the home of a ladder."""
        program = self.program
        return {
            "name": self.name,
            "restart": self.restart,
            "wishes": dict(self.asks),
            "command": program.command,
            "folder": str(program.folder),
            "caps": asdict(program.caps),
            "reads": [str(path) for path in program.reads],
            "image": program.image,
            "image_run": program.image_run,
            "contents": self.contents.facts(),
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Bot":
        """Rebuild the bot from its `facts`."""
        program = Program(
            command=tuple(facts["command"]),
            folder=Path(facts["folder"]),
            caps=Caps(**facts["caps"]),
            reads=tuple(map(Path, facts["reads"])),
            image=facts["image"],
            image_run=tuple(facts["image_run"]),
        )
        return cls(facts["name"], program, facts["restart"], facts["wishes"], Contents(**facts["contents"]))


def told_apart(bots: Sequence[Bot]) -> list[Bot]:
    """Number the bots that share a name: "greedy #1", "greedy #2". The others keep their names."""
    names = [bot.name for bot in bots]
    return [
        replace(bot, name=f"{bot.name} #{names[: at + 1].count(bot.name)}") if names.count(bot.name) > 1 else bot
        for at, bot in enumerate(bots)
    ]
