"""The channels between cells that nobody promises to close, and the bits a second that `python -m tests.channels` measured."""

import json
from pathlib import Path

from bullring.arena.cells.sandbox.tiers import TIERS
from docgen.tables import table
from tests.channels.named import NAMED

FOUND = Path(__file__).with_name("channels.json")


def block() -> str:
    """The table of SECURITY.md."""
    found = json.loads(FOUND.read_text("utf-8"))
    tiers = [name for name, tier in TIERS.items() if tier.confines]
    rows = [[named.what, *(f"{found[tier].get(named.name, '')}" for tier in tiers)] for named in NAMED]
    return table(("what a bot reads", *(f"`{tier}`" for tier in tiers)), rows)
