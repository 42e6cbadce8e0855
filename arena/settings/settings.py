"""Settings of an arena, and their defaults."""

from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.settings.limits import Limits
from bullring.errors import BotError

MOST = Caps(memory=1024 * MIB, processes=256, file=256 * MIB, box=256 * MIB, output=64 * MIB, open_files=1024)
"""The highest caps that a bot may ask for, unless the settings say otherwise."""


@dataclass(frozen=True)
class Settings:
    """Settings that apply to all matches of a run."""

    limits: Limits = field(default_factory=Limits)
    most: Caps = MOST
    """The highest caps that a bot may ask for."""
    sandbox: Wish = field(default_factory=Wish)
    """The sandbox of the bots."""
    restart: Literal["never", "match"] | None = None
    """Overrides `restart` of all manifests, unless None."""
    bounds: Bounds = field(default_factory=Bounds)
    """The largest folder of a bot that is copied."""
    build: BuildLimits = field(default_factory=BuildLimits)
    """The limits of a build."""
    active: int = 1
    """The newest versions of one bot that play on a ladder; the older ones wait."""
    ladder_name: str | None = None
    """How a ladder is called where people read of it; None: like its folder."""

    def wish(self, tier: str | None, allow: bool, freeze: bool | None) -> Wish:
        """Combine the sandbox options: arguments override the settings."""
        usual = self.sandbox
        return replace(
            usual,
            tier=tier or usual.tier,
            allow_unsandboxed=allow or usual.allow_unsandboxed,
            freeze=usual.freeze if freeze is None else freeze,
        )

    def admit(self, bot: Bot) -> Bot:
        """Return the bot with the caps it gets: those it asks for, or the defaults. Raises `BotError` if it asks for too much."""
        most = asdict(self.most)
        caps = {name: min(usual, most[name]) for name, usual in asdict(Caps()).items()}
        for name, asked in bot.asks.items():
            if asked > most[name]:
                key, size = (f"{name}_mib", MIB) if name in ("memory", "file", "box") else (name, 1)
                raise BotError(
                    f"{bot.name} asks for {key} = {asked / size:g}, but at most {most[name] / size:g} is allowed here;"
                    f" to allow more, raise {key} under [bots] in the settings file"
                )
            caps[name] = asked
        program = replace(bot.program, caps=Caps(**caps))
        return replace(bot, program=program, restart=self.restart or bot.restart)
