"""Displays of a ladder: tables and live pictures, full screens, and a static site.

Its rooms draw facts of the store and the standings, and know neither run nor referee. A web server would read what they read.
"""
