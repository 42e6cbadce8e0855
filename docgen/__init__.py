"""Makes those parts of the documents that follow from the code: `python -m docgen`.

Nothing here is needed to play, so nothing in the package imports it.
"""
