"""The page of a match: one HTML file with the board, its script and all frames, which needs no network.

`making` puts it together, `packing` makes frames small: the first picture, and then what each step changes. The rules are not
in the page. Its script (`page.js`) applies the changes and draws, no more; sentences come ready in both languages.
"""
