"""The tier `bwrap`: each bot in namespaces made by bubblewrap, under a filter of system calls."""

from bullring.arena.cells.sandbox.promises import CLOCKS, FREEZING, OF_OTHERS, RUN_DELAYS, WATCHDOG
from bullring.arena.cells.sandbox.tier import Tier

TIER = Tier(
    __name__,
    name="bwrap",
    title="bubblewrap: namespaces and a system call filter",
    gaps=(FREEZING, CLOCKS, RUN_DELAYS, WATCHDOG, OF_OTHERS),
    rests_on=("bwrap", "setpriv", "sh"),
    needs="bubblewrap 0.8 or newer (`apt install bubblewrap`), and user namespaces",
    advice="On Debian and Ubuntu: apt install bubblewrap.",
)
