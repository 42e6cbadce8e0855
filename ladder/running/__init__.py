"""A run of a ladder: matches go out to the referee processes, results come in.

`run` is the loop; `dispatch` gives matches out, `intake` takes results in, `roster` knows who may play; `crew` are the referee
processes, `worker` is one of them, `messages` is what the two say to each other; `happenings` is what people are told.
"""
