"""Leaves what a careless cleaner dies of: a tree 3000 deep, folders nobody may read, links to the root. Bound: 3000 folders."""

import os

from hostile import HOME, held, name_of, play

depth = 0
try:
    os.chdir(HOME)
    os.symlink("/", "root")
    os.symlink("..", "up")
    os.mkdir("unreadable")
    os.mkdir("unreadable/inside")
    os.chmod("unreadable", 0)
    while depth < 3000:
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
        depth += 1
except OSError as error:
    held(f"{depth} deep, then {name_of(error)}")
else:
    held(f"{depth} deep; whoever tidies up must stand it")
play()
