"""A ladder for viewers in browsers: what `arena.watching.web` serves of a home.

    maker       the program that keeps the site fresh in a folder of its own, with the facts for programs (`facts`)
    analyst     the program that makes an analysis that a reader asked for
    feed        the program that follows the matches being played, and tells what is new (`news`)

They read the home; the server does not.
"""
