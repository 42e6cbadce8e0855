"""A tier: a way to confine bots, as the folder that implements it declares it."""

from dataclasses import dataclass

from bullring.arena.cells.sandbox.promises import Gap


@dataclass(frozen=True, eq=False)
class Tier:
    """The declaration of a tier. The registry `sandbox.tiers` finds it by its name."""

    package: str
    """The folder, as a package. Its module `sandbox` has the function `open_tier`, which takes an `Opener` and a `Wish`."""
    name: str
    """The name in options, settings and records."""
    title: str
    """A short description for people."""
    gaps: tuple[Gap, ...] = ()
    """The parts of promises that it does not keep, or only with some means."""
    for_strangers: bool = True
    """Whether it is meant for unreviewed programs."""
    confines: bool = True
    """Whether it confines at all. Otherwise people must allow it by an option of its own, even where they name it."""
    has_box: bool = True
    """Whether its cells have a box, a folder to write to. Otherwise a build is lent a folder of the machine."""
    takes_images: bool = False
    """Whether a bot may bring a container image, by name or as a Dockerfile."""
    rests_on: tuple[str, ...] | None = None
    """The programs of the machine that confine, where they, the kernel and this package are all that a proof rests on; None where
    there is more, such as an engine: then nothing is `remembered`."""
    needs: str = ""
    """The requirements on a machine, for the documents, as Markdown."""
    advice: str = ""
    """Advice on installing it, for machines without a tier that is fit for strangers."""

    def __str__(self) -> str:
        return self.name
