"""The referee: one match, from the first question to the last answer. The only room that waits for bots.

`turns` is the course of a match; `lines` moves bytes between it and the players; `place` is a seat at the table; `faults` is what
bots can do wrong. Who is late is judged in `arena.clock.judge`, what a question looks like in `protocol.journal`.
"""
