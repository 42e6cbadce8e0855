"""Tables with people in browsers: the processes beside a web server that hold their seats.

    wish        what somebody wants to have made, and whether that is possible
    steward     the program that starts tables, and passes connections on to them; it holds nothing that a seat may see
    table       the program of one table: the seats of its people, and nothing else
    match       the match of a table, which the referee process of `arena.watching.people` plays
    seat        a seat: its token, its question, its clock, its browser
    line        the connection of a browser: a WebSocket

The server reads the head of a request for a seat, takes the connection away from HTTP, and hands its descriptor to the steward,
who hands it to the table. So no byte between a table and its people passes through the process that serves viewers, and a table
does not notice when that is killed. Of a table the server gets the public frames, from the same feed as those of other matches.
"""
