"""`bullring worker`: let a ladder that runs elsewhere play its matches on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bullring.cli.late import late
from bullring.cli.options import SandboxWish, TlsWish, sandbox_options, tls_options
from bullring.errors import DONE, INTERRUPTED

with late():
    import asyncio

    import trio

    from bullring.arena.cells.kits.toolchains import languages
    from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
    from bullring.arena.cells.sandbox.cores import cores
    from bullring.arena.cells.sandbox.wish import Wish
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.settings.settings import Settings
    from bullring.cli.signals import heard
    from bullring.ladder.run.cluster.cluster import address_of
    from bullring.ladder.run.cluster.speed import measured


if TYPE_CHECKING:
    from bullring.ladder.run.cluster.dask_workers import Serving


@click.command(name="worker")
@click.argument("address")
@click.option("--jobs", type=click.IntRange(1, 256), help="Number of referee processes. Default: one per core.")
@click.option("--name", help="The name of this worker in the cluster. Default: its address.")
@click.option(
    "--host",
    metavar="HOST",
    help="The address of this machine at which the scheduler reaches it. Default: that from which it reaches the scheduler.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="The port at which the scheduler reaches it. Default: any that is free.",
)
@click.option("--no-restart", is_flag=True, help="Do not start the worker again when it dies.")
@tls_options
@sandbox_options
def worker(
    address: str,
    jobs: int | None,
    name: str | None,
    host: str | None,
    port: int | None,
    no_restart: bool,
    tls: TlsWish,
    sandbox: SandboxWish,
) -> int:
    """Play matches of a ladder on this machine, as a worker of the Dask scheduler at ADDRESS.

    Proves the sandbox, waits for the scheduler, and plays until Ctrl-C. Anyone who can reach the scheduler can run programs as you
    on this machine: read `bullring docs cluster` before you open its port.
    """
    place = address_of(address, tls=bool(tls.files), local=False)
    click.echo(trio.run(_proven, sandbox.over(Settings())))
    threads = jobs or len(cores())
    speed = measured()
    click.echo(
        f"{counted(threads, 'referee process', 'referee processes')}; speed {speed.figure:.2f}, {harmless(speed.kind)}"
    )
    click.echo(f"languages: {', '.join(languages())}")
    from bullring.ladder.run.cluster.dask_workers import Serving, pin  # only now, because Dask takes time to import

    pin()
    return asyncio.run(_serve(Serving(place, tls.files, threads, name, not no_restart, host, port or 0)))


async def _proven(wish: Wish) -> str:
    """Prove the sandbox, and say what it is. Raises `SandboxError`."""
    async with open_sandbox(wish) as sandbox:
        return told_of(sandbox)


async def _serve(serving: Serving) -> int:
    """Serve until Ctrl-C, or until the scheduler is gone. Returns the exit code."""
    from bullring.ladder.run.cluster.dask_workers import serve

    serve_it = asyncio.create_task(serve(serving, click.echo))
    for number in heard():
        asyncio.get_running_loop().add_signal_handler(number, serve_it.cancel)
    try:
        await serve_it
    except asyncio.CancelledError:
        return INTERRUPTED
    click.echo("the scheduler is gone")
    return DONE
