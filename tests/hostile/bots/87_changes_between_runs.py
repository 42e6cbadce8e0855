"""Its files change after it was rated: somebody who can write to the copy makes another bot of it under the same name.

Bound: one change. Run as: FOLDER WAY SECRET, once on the folder that is added and once on its copy.
"""

import os
import sys

folder, way, _ = sys.argv[1:]
os.chdir(folder)
if not os.path.exists("added"):
    open("added", "w").close()
elif way == "contents":
    with open("bot.py", "a") as file:
        file.write("# stronger\n")
elif way == "name":
    os.rename("added", "renamed")
elif way == "mode":
    os.chmod("bot.py", 0o755)
elif way == "link":
    os.unlink("added")
    os.symlink("bot.py", "added")
print("ready", flush=True)
