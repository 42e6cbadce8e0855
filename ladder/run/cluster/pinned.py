"""What of Dask's settings a run relies on. A user's own settings hold for everything else, TLS among it."""

import logging

import dask
import distributed

SETTINGS = {
    # Actors are where their processes are.
    "distributed.scheduler.work-stealing": False,
    # A node that dies with an actor on it is given up by the run; the scheduler must not try it elsewhere.
    "distributed.scheduler.allowed-failures": 0,
    # Nothing is spilled or paused: what plays are other processes, whose memory the referee keeps within bounds.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    # A sampling profiler, and counting open files twice a second, beside matches would cost their bots time.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.diagnostics.nvml": False,
    # Every member opens a port for a web server, which would tell anybody on the machine about it, encrypted or not.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


def pin() -> None:
    """Set them for this process."""
    dask.config.set(SETTINGS)
    # What people need to know of nodes, a run and `bullring worker` tell them.
    for name in (distributed.__name__, "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
