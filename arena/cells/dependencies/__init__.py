"""Packages that a bot declares and does not bring: fetched into its folder before it is built (`building.fetch`).

A fetch is a build with a network whose command is ours: the package manager runs in a cell of the same tier, sees nothing of the
user's home, and is given only what the kinds here have read and written anew from the bot's declarations. Nothing of the bot and
nothing of a package is run there. One folder of the result is taken, by the same strict parser as what a build makes.

What was fetched is part of a submitted bot: it has one hash with the other files, so a rated version stays as it is, needs no
network again, and moves to other machines with its home.
"""
