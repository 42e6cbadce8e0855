"""A run of a ladder: gives matches to a crew (`ladder.run.workers`) and collects the results.

`run` is the main loop, and `hired` starts its processes ahead; `dispatch` gives out matches, `results` stores what comes back,
`unfinished` has the pairings in between. `roster` knows which bots may play and `bot_speeds` how quick they are. `live_ratings`
rates meanwhile, with a `clerk` once there is much to rate, and `progress` is told to people.
"""
