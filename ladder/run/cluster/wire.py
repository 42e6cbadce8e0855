"""The messages between the programs of a cluster's run, framed like those in `workers.messages`.

From the run to its bridge:

============================= ==========================================================================================
begin, facts                  the first message (`bridge.Beginning`)
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
beat                          it lives
failed, text                  the node cannot play
============================= ==========================================================================================

Referee processes have numbers: each its own in a run, and each its own on a node.
"""
