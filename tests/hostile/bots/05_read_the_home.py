"""Reads what is not its business: the store of the ladder, the arena's own folder, a rival's code, keys. Bound: 4 KiB of each."""

from pathlib import Path

from hostile import TARGETS, play, refused


def read(path):
    with Path(path).open("rb") as file:
        return file.read(4096)


for path in (TARGETS["store"], TARGETS["arena"], TARGETS["rival_code"], "/etc/shadow"):
    refused(f"read {path}", lambda path=path: read(path))
for path in (Path(TARGETS["store"]).parent, TARGETS["rival_folder"]):
    refused(f"list {path}", lambda path=path: [entry.name for entry in Path(path).iterdir()])
play()
