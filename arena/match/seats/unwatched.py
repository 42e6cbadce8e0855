"""What cells have in common whose program is not the arena's: it runs elsewhere, without caps, and nothing of it is measured."""

from bullring.arena.cells.sandbox.cell import Breach


class Unwatched:
    """The part of a `Cell` about caps and measures, for programs that have neither. Their stderr is their own."""

    def condemn(self, breach: Breach, evidence: str) -> None:
        """Do nothing: no caps apply."""

    def breach(self) -> tuple[Breach, str] | None:
        return None

    def host_fault(self) -> str | None:
        return None

    def account(self) -> None:
        """Return None: nothing is counted."""

    def usage(self) -> tuple[float, int]:
        """Return zeros: nothing is measured."""
        return 0.0, 0

    def read_log(self) -> None:
        """Do nothing."""
