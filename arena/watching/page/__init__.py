"""The page of a match: one HTML file with the board, its script and all frames, which needs no network.

`page` puts it together; its scripts unpack the frames and draw them, no more. The rules are not in it, and sentences come ready in
all languages.
"""
