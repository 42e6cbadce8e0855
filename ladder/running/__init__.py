"""A run of a ladder: sends matches to the referee processes and collects the results.

`run` is the main loop; `dispatch` gives out matches, `intake` takes in results, `roster` knows which bots may play. `crew` manages
the referee processes, `worker` is the program of one, `messages` is the protocol between them. `happenings` is for telling people.
"""
