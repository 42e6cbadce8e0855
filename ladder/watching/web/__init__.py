"""A ladder for viewers in browsers: what `arena.watching.web` serves of a home.

    maker       the program that keeps the site fresh in a folder of its own, with the facts for programs (`facts`)
    feed        the program that follows the matches being played, and tells what is new (`news`)

Both read the home; the server does not.
"""
