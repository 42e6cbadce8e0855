"""Rating many bots: who plays whom, what came of it, and how strong that shows them to be.

    pairing/    who plays whom, and who sits where
    running/    a run: matches out to the referee processes, results in
    keeping/    the home of a ladder: bots, store, records
    knowing/    what is known of the bots: standings, conduct, duels
    rating/     numbers only
    display/    what people see

May import `arena` and `protocol`; nothing there may import this.
"""
