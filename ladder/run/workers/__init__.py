"""The workers of a ladder, which play its matches: referee processes, on this machine or on others.

`crew` is a run's view of them; `local` are processes of this machine. `messages` are their orders and answers, `worker` is the
program of one, with its tables in `lanes` and its answers in `outbox`. `failures` ends a run in which too much goes wrong.
"""
