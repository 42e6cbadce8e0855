"""The referee: plays one match, from the first question to the last answer. The only room that waits for bots.

`turns` is the course of a match; `hall` steps all matches of a process; `lines` moves bytes between them and the players;
`place` is a seat at the table. `arena.match.faults` lists what bots can do wrong, `arena.match.clock.judge` rules on late
seats, and `arena.match.composer` composes the questions.

The transport is close to a bare epoll loop. The rest of its cost is rules, view, record and clocks in Python, in many small
parts: framing in C would gain 8 %, too little for a compiler in the package.
"""
