"""A run of a ladder: sends matches to the referee processes and collects the results.

`run` is the main loop; `dispatch` gives out matches, `intake` takes in results, `roster` knows which bots may play and `paces` how
quick they are. `crew` manages the referee processes, and `troubles` says when too much goes wrong with them; `worker` is the
program of one, and `tables` says what it plays when; `messages` is the protocol between them. `happenings` is for telling people.
"""
