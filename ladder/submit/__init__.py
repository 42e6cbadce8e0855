"""Submitting a bot: from what a person has (a folder, an archive, a repository, an image) to a version on the ladder, step by step.

A bot that is refused leaves nothing behind, whenever that happens, and its author is told exactly why.
"""
