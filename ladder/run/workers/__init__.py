"""Those who play the matches of a ladder: referee processes, on this machine or on others.

`crew` is what a run sees of them; `local` are processes of this machine. `messages` is what they are told and answer, `worker` the
program of one, and `lanes` says what it plays when. `troubles` says when too much goes wrong with them.
"""
