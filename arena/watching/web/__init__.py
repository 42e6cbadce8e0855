"""Matches for viewers in browsers: a small web server, and what it is told. It serves files and events, and nothing else.

Take the door by what you want:

    serving     the processes of `bullring serve`: started together, watched over, ended together
    feed        the program that follows a record and tells the server public frames of it (`following`)
    replays     the pages of matches that are over, beside a site
    server      the program that serves: it holds what may be shown, and Landlock keeps every other file from it
    topics      what viewers follow: a match frame by frame, or the front, of which the newest counts
    viewers     one viewer: bytes that are made once for all of them, written without waiting
    connections how Hypercorn is given connections: how many, how fast, how long; `http` is what is spoken on one
    app         addresses, headers, and requests that are refused (`refusals`); files are found by `files`
    analyses    analyses that readers ask for: a short queue, and how far each is

The server imports nothing that reads a record. What reaches it came through the pipe, or lies in its folder; both are made by
processes that speak with nobody outside. Of a ladder, `ladder.watching.web` makes them.
"""

REFUSALS = "refusals"
"""The folder of the pages that say why there is nothing to see, by status (`page.refusals`)."""
