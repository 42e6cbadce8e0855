"""A folder with a file of 3 GiB that is all holes, 10,100 files, 200 levels, or links that go round in a circle or take detours.

Bound: no real bytes, 10,100 entries. Run as: FOLDER WAY SECRET.
"""

import os
import sys

folder, way, _ = sys.argv[1:]
os.chdir(folder)
if way == "sparse":
    with open("large", "w") as file:
        file.truncate(3 << 30)
elif way == "many":
    for number in range(10_100):
        os.symlink("bot.py", f"{number}")
elif way == "deep":
    for _ in range(200):
        os.mkdir("d")
        os.chdir("d")
elif way == "loop":
    os.symlink("b", "a")
    os.symlink("a", "b")
elif way == "detours":
    os.mkdir("d")
    for number in range(39):
        os.symlink("d/../" * 800 + f"l{number + 1}", f"l{number}")
    os.symlink("bot.py", "l39")
    for number in range(9000):
        os.symlink("d/../" * 800 + "l1", f"x{number}")
elif way == "long":
    for _ in range(20):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
elif way == "out":
    os.makedirs("x/y")
    os.symlink("../..", "x/y/up")
    os.symlink("x/y/up/..", "out")
print("ready", flush=True)
