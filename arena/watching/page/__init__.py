"""The page of a match: one HTML file with the board, its script and all frames, which needs no network.

`page` puts it together; its scripts unpack the frames and draw them, no more. `jinja` has what any page is made with, the site of a
ladder too: one head, and text that is escaped unless it says otherwise. The rules are not in the page, so no game is written twice,
and sentences come ready in all languages, with signs in place of names. A Content-Security-Policy with hashes makes sure that a
mistake runs nothing.
"""

WIDTH, HEIGHT = 800, 420
"""The size of a preview in pixels; nearly the shape that is asked for, 1.91 to 1."""
