"""A run of a ladder: gives matches to a crew (`ladder.run.workers`) and collects the results.

`run` is the main loop; `dispatch` gives out matches, `intake` takes in results, `roster` knows which bots may play and `paces` how
quick they are. `happenings` is for telling people.
"""
