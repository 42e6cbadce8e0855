"""The crew of a Dask cluster: referee processes on its nodes.

A match of a cluster passes through five programs, each of which hands bytes on to the next::

    run (trio) -- bridge (asyncio) ==Dask== node (an actor) -- host (trio) -- referee processes

`crew` is what a run sees. `bridge`, whose program is `bridge_process`, is a child of the run: it alone speaks with Dask there, and
checks what nodes send (`result_checks`). `node` is the actor on a Dask worker: a pump of bytes for the `host`, a program on the
node that keeps a crew of referee processes like the one of a single machine. `parcels` takes bots to a node, `speed` measures it,
`checkers` are the processes that check, `cluster` is the user's choice. Only `bridge`, `session` and `dask_workers` import Dask.

Dask is in a child process because trio and asyncio do not share one, a single machine does not need it, and a node that misbehaves
must not stall a run. Each referee process of a node is a worker of its own, so lanes, shards and warm bots are as on one machine.

What a node says is recomputed from the records that it sends; the rest has bounds. Seeds travel to nodes, the private key does
not: records are signed after the check. The workers of ``local:N`` belong to the user of the run, so they sign for themselves.

The messages between these programs are frames (`arena.cells.processes.frames`). From the run to its bridge:

============================= ==========================================================================================
begin, facts                  the first message (`session.Beginning`)
orders, referee, body         orders for a referee process, as an `OrderWriter` encodes them
============================= ==========================================================================================

From the bridge to the run:

============================= ==========================================================================================
joined, referee, name, speed  a referee process takes orders from now on
gone, referee, why            it is lost, with all orders that it has not answered
unable, referee, bot          it cannot play the bot of this name; its orders with it come back as dropped
answer, referee, body         an answer of a referee process, encoded
told, kind, text, facts       something worth telling people
failed, text                  the bridge cannot go on, by a mistake of the user or of the machine
============================= ==========================================================================================

From the bridge to the host of a node:

============================= ==========================================================================================
begin, facts                  the first message (`host.Beginning`)
parcel, hash, data            a part of a bot's files
orders, referee, body         orders for a referee process
============================= ==========================================================================================

From the host to the bridge:

============================= ==========================================================================================
ready, facts                  what the node is (`host.About`)
joined, referee               it has a new referee process
gone, referee, why            one has died
answer, referee, body         an answer
wants, hash                   it needs the files of a bot
unable, bot, why              the bot of this name cannot be run or built there; orders with it come back as dropped
beat                          a heartbeat, while there is nothing else to say
failed, text                  the node cannot play
============================= ==========================================================================================

Referee processes have numbers: each its own in a run, and each its own on a node.
"""
