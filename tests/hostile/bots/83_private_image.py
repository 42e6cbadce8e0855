"""Names a container image that is none of its business: the operator's, or one built from a rival's folder.

Bound: one file. Run as: FOLDER WAY SECRET.
"""

import sys

folder, way, _ = sys.argv[1:]
PRIVATE = "operators-private-image:latest"
WAYS = {
    "from": f"FROM {PRIVATE}\n",
    "argument": f"ARG NAME={PRIVATE}\nFROM ${{NAME}}\n",
    "copy": f"FROM scratch\nCOPY --from={PRIVATE} / /\n",
    "mount": f"FROM scratch\nRUN --mount=type=bind,from={PRIVATE},target=/x true\n",
    "rival": "FROM bullring/bot:0123456789abcdef\n",
}
if way == "image":
    with open(f"{folder}/bot.toml", "a") as file:
        file.write(f'image = "{PRIVATE}"\n')
else:
    with open(f"{folder}/Dockerfile", "w") as file:
        file.write(WAYS[way])
print("ready", flush=True)
