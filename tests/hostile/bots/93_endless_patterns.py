"""A .dockerignore whose patterns would take longer to match than the universe is old, or a Dockerfile of megabytes.

Bound: 1 MB. Run as: FOLDER WAY SECRET.
"""

import sys

folder, way, _ = sys.argv[1:]
with open(f"{folder}/{'a' * 200}", "w"):
    pass
with open(f"{folder}/.dockerignore", "w") as file:
    if way == "stars":
        file.write("*a" * 60 + "b\n" + "**/" * 60 + "b\n" + "**a" * 60 + "b\n")
    elif way == "patterns":
        file.write("**/*a*a*a*b\n" * 5_000)
with open(f"{folder}/Dockerfile", "w") as file:
    file.write("FROM nothing-of-that-name\n" + "# nothing\n" * (100_000 if way == "dockerfile" else 0))
print("ready", flush=True)
