"""Displays of a ladder: tables and live pictures, full screens, a static site, and the same alive on the web.

Its rooms draw facts of the store and the standings, and know neither run nor referee.
"""
