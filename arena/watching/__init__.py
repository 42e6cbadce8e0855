"""Games and matches as people see them: the picture, text and `rich` tables, full screens, the page, playing at a terminal.

It may import every other wing, but rooms that draw know neither referee nor seats. Take the door by what you want:

    picture/   entries of a record become frames: a step, and the picture of the table after it (begin with `reducer`)
    display/   frames, results and rules in text and with `rich`; `columns` declares columns, `blocks` draws to the cell
    screens/   full screens (Textual): replay, live, start page, the table at which people play
    page/      a match as one HTML file, and the Jinja2 templates of all pages
    people/    a person at the table, whose match a process of its own plays
    web/       matches for viewers in browsers: a small server, and the feeds that tell it

A new viewer of matches takes two files. One draws: `picture.record_frames.Feed(path).more()` gives frames, also while the match
is played; draw `frame.picture`, say a frame with `picture.sentences.told`, and derive nothing from the rules. Put it into the room
of its medium. The other is the command that offers it: an option in `cli/play/replay.py`. `more` never waits: a viewer that only
prints sleeps `match.records.reader.POLL` seconds when nothing came, until the feed is `finished` or `gone` or has an `error`.
Pictures hold no strangers' text that could do harm, and no hidden card unless hands are opened.
"""
