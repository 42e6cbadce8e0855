"""Options shared by several commands. Each is declared once; related options are passed to the command as one value."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from bullring.arena.cells.sandbox.tiers import AUTO, TIERS
from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES, VARIABLE, asked, speak, spoken
from bullring.cli.values import GAME, Duration, Number
from bullring.errors import LadderError, OptionError

if TYPE_CHECKING:
    from bullring.arena.cells.sandbox.wish import Wish
    from bullring.arena.games.rules.game import Game
    from bullring.arena.settings.settings import Settings
    from bullring.ladder.run.cluster.cluster import Cluster

F = TypeVar("F", bound=Callable[..., Any])


def together(name: str, kind: type[Any], *options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Add options to a command, which gets their values as one `kind` (with fields of the same names) in parameter `name`."""

    def add(command: F) -> F:
        @wraps(command)
        def gather(**given: Any) -> Any:
            own = {field.name: given.pop(field.name) for field in fields(kind)}
            return command(**given, **{name: kind(**own)})

        decorated: Any = gather
        for option in reversed(options):
            decorated = option(decorated)
        result: F = decorated
        return result

    return add


PATH = click.Path(path_type=Path)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

home_option = click.option(
    "--home",
    type=PATH,
    help="The home of the ladder. Default: $BULLRING_HOME, else the first home in this folder or those above.",
)

run_option = click.option(
    "--run", default="", metavar="COMMAND", help="The command of the bot in its image, for image:NAME."
)

config_option = click.option("--config", type=PATH, help="A TOML file with settings: bullring docs settings.")

time_option = click.option(
    "--time",
    "times",
    multiple=True,
    metavar="[KIND=]DURATION",
    help="Time limit for each decision (200ms), or for one KIND: start, card, row, other (all other decisions), bank, tick."
    " May be repeated.",
)

metrics_option = click.option(
    "--metric", "metrics", multiple=True, metavar="KEY", help="Show what bots print on stderr as `KEY = number`."
)

seed_option = click.option(
    "--seed", metavar="TEXT", help="Make the deals from this text, the same every time. Default: random."
)

matches_option = click.option("--matches", type=click.IntRange(1), help="Stop after this many matches.")
for_option = click.option("--for", "seconds", type=Duration(), help="Stop after this time: 90s, 10m.")
jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 64), help="Number of referee processes. Default: one per core."
)


def _speak(context: click.Context, option: click.Parameter, code: str | None) -> None:
    """Let this process speak the language until the command ends."""
    context.call_on_close(partial(speak, spoken().code, asked=asked() is not None))
    given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    speak(code or _user_language(), asked=given)


def _user_language() -> str:
    """The language of the user's locale, from the first of the variables that is set."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    code = locale[:2].lower()
    return code if code in LANGUAGES and not locale[2:3].isalpha() else DEFAULT


def checked_address(context: click.Context, option: click.Parameter, address: str | None) -> str | None:
    """The address that a page or a site will have."""
    if address is not None and not re.fullmatch(r"https?://[^/\s]+(/\S*)?", address):
        raise click.BadParameter("expected an address such as https://example.org/matches/match.html")
    return address


language_option = click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    envvar=VARIABLE,
    show_envvar=True,
    expose_value=False,
    callback=_speak,
    help="The language of what is shown. Default: that of LC_ALL, LC_MESSAGES or LANG if it is one of these, else en.",
)
"""For commands that show matches and standings to people. Messages for authors and operators are in English."""


@dataclass(frozen=True)
class TableWish:
    """The requested game, number of seats and options; None: left open."""

    game: str | None
    seats: int | None
    options: tuple[str, ...]

    @property
    def given(self) -> dict[str, object]:
        """``--option KEY=VALUE`` as a map. Raises `OptionError`."""
        given: dict[str, object] = {}
        for text in self.options:
            key, equals, value = text.partition("=")
            if not equals or not key:
                raise OptionError(f"--option must be KEY=VALUE, such as deals=3, not {text[:40]!r}")
            given[key] = value
        return given

    def lasting(self, **short: str | None) -> dict[str, object]:
        """`given` together with --deals and --target. Raises `OptionError`."""
        given = self.given
        for key, value in short.items():
            if value is not None:
                if key in given:
                    raise OptionError(f"duplicate option {key}; leave out either --{key} or --option {key}=...")
                given[key] = value
        return given

    def kind(self) -> "type[Game[Any]]":
        """The game. Raises `UnknownGame`."""
        from bullring.arena.games.rules.registry import find

        return find(self.game or "standard")


game_option = click.option("--game", type=GAME, help="The game; `bullring games` lists them.  [default: standard]")
_seats = click.option("--seats", type=click.IntRange(2, 10), help="The number of seats at a table.")
option_option = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game. May be repeated."
)
deals_option = click.option("--deals", metavar="N", help="Play N deals; short for --option deals=N.")
target_option = click.option(
    "--target", metavar="N", help="Play until a score passes N heads; short for --option target=N."
)
table_options = together("table", TableWish, game_option, _seats, option_option)


@dataclass(frozen=True)
class SandboxWish:
    """The requested sandbox; None: not given."""

    tier: str | None
    allow_unsandboxed: bool
    freeze: bool | None

    def over(self, settings: "Settings") -> "Wish":
        """The settings, overridden by the command line."""
        return settings.wish(self.tier, self.allow_unsandboxed, self.freeze)


sandbox_options = together(
    "sandbox",
    SandboxWish,
    click.option(
        "--sandbox",
        "tier",
        type=click.Choice([AUTO, *TIERS]),
        envvar="BULLRING_SANDBOX",
        show_envvar=True,
        help="The tier that confines bots. Default: as set in the settings, else auto, the first of"
        f" {' and '.join(name for name, tier in TIERS.items() if tier.for_strangers)} that is proven.",
    ),
    click.option(
        "--allow-unsandboxed",
        is_flag=True,
        envvar="BULLRING_ALLOW_UNSANDBOXED",
        show_envvar=True,
        help="Start bots even if nothing keeps them from doing harm. Only for bots you trust.",
    ),
    click.option(
        "--freeze/--no-freeze",
        default=None,
        help="Freeze bots while they have nothing to decide, and let slow ones think one after another. Default: if the"
        " sandbox can do it.",
    ),
)


@dataclass(frozen=True)
class RunWish:
    """The limits of a run, and the number of referee processes."""

    matches: int | None
    seconds: float | None
    jobs: int | None

    @property
    def processes(self) -> int:
        """The number of referee processes."""
        from bullring.arena.cells.sandbox.cores import cores

        return self.jobs or len(cores())


run_options = together("wish", RunWish, matches_option, for_option, jobs_option)


@dataclass(frozen=True)
class TlsWish:
    """The files with which to join an encrypted cluster."""

    tls_ca: Path | None
    tls_cert: Path | None
    tls_key: Path | None

    @property
    def files(self) -> dict[str, str]:
        """The files as arguments of Dask's `Security`; empty if none are given. Raises `LadderError` if only some are."""
        from bullring.ladder.run.cluster.cluster import tls_of

        return tls_of(self.tls_ca, self.tls_cert, self.tls_key)


_tls_options = (
    click.option(
        "--tls-ca", type=_FILE, help="The certificate of the authority that signs those of the cluster (PEM)."
    ),
    click.option("--tls-cert", type=_FILE, help="The certificate with which to join the cluster (PEM)."),
    click.option("--tls-key", type=_FILE, help="The private key of --tls-cert (PEM)."),
)
tls_options = together("tls", TlsWish, *_tls_options)


@dataclass(frozen=True)
class ClusterWish(TlsWish):
    """The cluster to play on, and how to reach it."""

    cluster: str | None
    lease: float | None
    mix_speeds: float | None

    def chosen(self, wish: RunWish) -> "Cluster | None":
        """The cluster; None: this machine alone. Raises `LadderError`."""
        from bullring.ladder.run.cluster.cluster import LEASE, MIX, Cluster, address_of

        given = {"--lease": self.lease, "--mix-speeds": self.mix_speeds, "--tls-ca": self.files or None}
        if self.cluster is None:
            for name, value in given.items():
                if value is not None:
                    raise LadderError(f"{name} is for a cluster; name it with: --cluster ADDRESS")
            return None
        if wish.jobs is not None:
            raise LadderError(
                "--jobs is for this machine alone; workers of a cluster have their own (bullring worker --jobs), and local:N has N"
            )
        lease, mix = self.lease or LEASE, self.mix_speeds or MIX
        return Cluster(address_of(self.cluster, tls=bool(self.files)), self.files, lease, mix)


cluster_options = together(
    "cluster",
    ClusterWish,
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the workers of this Dask scheduler (tcp://HOST:8786), or on local:N workers here. See: bullring docs cluster",
    ),
    click.option(
        "--lease",
        type=Duration(1.0, 3600.0, among="from 1s to 1h"),
        help="Give up a node of the cluster that sends no heartbeat for this time; others play in its place. Default: 30s.",
    ),
    click.option(
        "--mix-speeds",
        type=Number(min=1.0),
        metavar="FACTOR",
        help="Use nodes that differ in speed by at most this factor. Default: 1.25.",
    ),
    *_tls_options,
)
