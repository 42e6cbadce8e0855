"""The referee: plays one match, from the first question to the last answer. The only room that waits for bots.

`turns` runs the match; `lines` moves bytes between it and the players; `place` is a seat at the table. `arena.faults` lists what
bots can do wrong, `arena.clock.judge` rules on late seats, and `protocol.journal` composes the questions.
"""
