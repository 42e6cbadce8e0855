"""Dask workers for a run, and its scheduler where all are on this machine.

`python -m bullring.ladder.run.cluster.dask_workers` is one worker. Its first message says how it serves (`Serving`).
"""

import asyncio
import contextlib
import logging
import os
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dask
import distributed
from distributed.comm.core import connect

from bullring.arena.cells.processes.kinds import DASK_WORKER
from bullring.arena.cells.processes.with_asyncio import AsyncioChild, heard, reader
from bullring.errors import LadderError
from bullring.ladder.run.cluster.cluster import local_workers

CONNECT = 10.0
"""Seconds to connect to a scheduler."""

REST = 1.0
"""Seconds before a worker of this machine that has ended is started again."""

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
"""The settings of Dask that a run relies on. A user's own settings hold for everything else, TLS among it."""


def pin() -> None:
    """Use `SETTINGS` in this process."""
    dask.config.set(SETTINGS)
    # A run and `bullring worker` tell people what they need to know of nodes.
    for name in (distributed.__name__, "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class Serving:
    """The settings of a worker."""

    address: str
    """Of the scheduler."""
    tls: Mapping[str, str]
    """Arguments of Dask's `Security`."""
    threads: int
    """The number of referee processes for which it has room."""
    name: str | None = None
    nanny: bool = False
    """Whether it is started again when it dies."""
    host: str | None = None
    """The address at which it listens; None: that from which it reaches the scheduler."""
    port: int = 0
    """The port; 0: any that is free."""


def security_of(tls: Mapping[str, str]) -> distributed.Security:
    """Dask's security with these files, else as the user has set Dask up."""
    return distributed.Security(**tls, require_encryption=True) if tls else distributed.Security()


async def serve(serving: Serving, tell: Callable[[str], None] = lambda _: None) -> None:
    """Serve as a worker until the scheduler is gone or this is cancelled; waits for the scheduler. Raises `LadderError`."""
    security = security_of(serving.tls)
    await _reached(serving, security, tell)
    kind = distributed.Nanny if serving.nanny else distributed.Worker
    port: dict[str, Any] = {"worker_port" if serving.nanny else "port": serving.port}
    try:
        async with kind(
            serving.address,
            **port,
            nthreads=serving.threads,
            name=serving.name,
            memory_limit=0,
            security=security,
            host=serving.host,
            dashboard=False,
            death_timeout=60,
            silence_logs=logging.CRITICAL,
        ) as worker:
            tell(
                f"joined {serving.address} as {worker.worker_address if serving.nanny else worker.address}; Ctrl-C ends it"
            )
            await worker.finished()
    except (OSError, TimeoutError, RuntimeError, ValueError) as error:
        raise LadderError(f"the worker cannot join {serving.address}: {_reason(error):.300}") from None


async def _reached(serving: Serving, security: distributed.Security, tell: Callable[[str], None]) -> None:
    """Wait for the scheduler. Raises `LadderError` if it is there and does not let us in."""
    told = False
    while True:
        try:
            comm = await connect(serving.address, timeout=CONNECT, **security.get_connection_args("worker"))
        except (OSError, TimeoutError) as error:
            if _is_of_tls(error):
                raise LadderError(unreachable(serving.address, serving.tls, error)) from None
            if not told:
                tell(f"waiting for the scheduler {serving.address} ...")
                told = True
            await asyncio.sleep(REST)
        except (ValueError, TypeError, RuntimeError) as error:
            raise LadderError(unreachable(serving.address, serving.tls, error)) from None
        else:
            await comm.close()
            return


def _reason(error: BaseException) -> str:
    """The cause of an error of Dask, which often only says that something has failed."""
    while (behind := error.__cause__ or error.__context__) is not None:
        error = behind
    return f"{error}".strip() or type(error).__name__


def _is_of_tls(error: BaseException | None) -> bool:
    """Whether certificates are the reason."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False


@contextlib.asynccontextmanager
async def scheduler(
    address: str, tls: Mapping[str, str], workers: Sequence[AsyncioChild]
) -> AsyncIterator[tuple[str, distributed.Security]]:
    """The address of the scheduler and how to reach it. It is started if it is to be on this machine, with these workers."""
    if local_workers(address) is None:
        yield address, security_of(tls)
        return
    # Others on this machine can reach the port, too, and whoever speaks with a scheduler can run programs.
    security = distributed.Security.temporary()
    own = {
        name: getattr(security, name)
        for name in ("tls_ca_file", "tls_worker_cert", "tls_worker_key", "tls_client_cert", "tls_client_key")
    }
    async with distributed.Scheduler(
        host="127.0.0.1", port=0, protocol="tls", security=security, dashboard=False, dashboard_address="127.0.0.1:0"
    ) as here:
        tasks = [
            asyncio.create_task(_keep(worker, Serving(here.address, own, 1, f"local-{number}", host="127.0.0.1")))
            for number, worker in enumerate(workers)
        ]
        try:
            yield here.address, security
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _keep(child: AsyncioChild, serving: Serving) -> None:
    """Let this process serve as a worker, and another one whenever it has ended."""
    while True:
        await child.connect()
        try:
            await child.send("serve", vars(serving))
            while child.status is None:
                await asyncio.sleep(REST)
        finally:
            await child.close()
        child = AsyncioChild(DASK_WORKER, stdout=subprocess.DEVNULL)


def unreachable(address: str, tls: Mapping[str, str], error: Exception) -> str:
    """The reason why a scheduler cannot be used, in words."""
    text = f"{error}".strip() or type(error).__name__
    where = f"the scheduler {address} cannot be reached: {text:.300}"
    if "ssl_context" in text and not tls:  # Dask's way of saying that it has no certificates
        return f"the scheduler {address} is encrypted; say who you are with: --tls-ca CA.pem --tls-cert CERT.pem --tls-key KEY.pem"
    if address.startswith("tls"):
        return f"{where}; check the address, and that --tls-ca, --tls-cert and --tls-key are those of this cluster"
    return (
        f"{where}; check the address, and start a scheduler with: dask scheduler. If it uses TLS, say tls:// instead of tcp://,"
        " with --tls-ca, --tls-cert and --tls-key"
    )


async def _main() -> None:
    pin()
    stream, _ = await reader(os.dup(0))
    messages = heard(stream)
    async for _, facts in messages:
        worker = asyncio.create_task(serve(Serving(**facts)))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.cancel)
        ended = asyncio.create_task(anext(messages, None))
        await asyncio.wait([worker, ended], return_when=asyncio.FIRST_COMPLETED)
        worker.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await worker
        os._exit(0)  # threads of Dask may still run


if __name__ == "__main__":
    asyncio.run(_main())
