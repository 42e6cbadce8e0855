"""Writes where only the host may: at the top, among programs, in its own folder and in others'. Bound: nine empty files."""

from pathlib import Path

from hostile import HERE, TARGETS, play, refused

PLACES = [
    "/",
    "/usr",
    "/usr/bin",
    "/etc",
    "/var/tmp",
    "/proc",
    HERE,
    TARGETS["rival_folder"],
    Path(TARGETS["store"]).parent,
]

for place in PLACES:
    file = Path(place) / "a-bot-was-here"
    if not refused(f"write to {place}", lambda file=file: file.write_bytes(b"")):
        file.unlink()
play()
