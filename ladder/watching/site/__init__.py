"""A home as a static site: `templates` are its pages, filled by `pages`; `charts` draws, `folder` writes only changed files."""

REPLAYS = 50
"""The last matches of each list that have a page of their own, unless told otherwise."""

ANALYSE = 10
"""Seconds after which a report begins no analysis of a match any more, unless told otherwise."""
