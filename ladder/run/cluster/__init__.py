"""The crew of a Dask cluster: referee processes on its nodes.

A match of a cluster passes through five programs, each of which hands bytes on to the next::

    run (trio) -- bridge (asyncio) ==Dask== node (an actor) -- host (trio) -- referee processes

`crew` is what a run sees. `bridge` is a child of the run: it alone speaks with Dask there, and checks what nodes send
(`result_checks`). `node` is the actor on a Dask worker: a pump of bytes for the `host`, a program on the node that keeps a crew
of referee processes like the one of a single machine. `wire` has their messages, `parcels` the way of a bot to a node, `speed`
how quick a node is, `cluster` what users say of all this. Only `bridge`, `pinned` and `dask_workers` import Dask.

Dask is in a child process because trio and asyncio do not share one, a single machine does not need it, and a node that misbehaves
must not stall a run. Each referee process of a node is a worker of its own, so lanes, shards and warm bots are as on one machine.

What a node says is recomputed from the records that it sends; the rest has bounds. Seeds travel to nodes, the private key does
not: records are signed after the check. The workers of ``local:N`` belong to the user of the run, so they sign for themselves.
"""
