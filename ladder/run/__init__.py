"""A run of a ladder: gives matches to a crew (`ladder.run.workers`) and collects the results.

`run` is the main loop; `dispatch` gives out matches, `intake` takes in results, `roster` knows which bots may play and `paces` how
quick they are. `happenings` is for telling people.

A ladder plays each deal once: processes of one bot can pass each other notes through channels that no sandbox closes, and a deal
that is played again tells its hands. Playing it again would also gain next to nothing between different programs. Seats are
assigned before a deal is drawn, and what is lost with a worker is played with new deals, so a bot cannot choose its hand.

Where deals are played again on purpose (duels, ``--duplicate``), an order is a whole group: one worker plays it and seals its
records in the end, so nothing else has to know of open groups.
"""
