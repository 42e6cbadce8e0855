"""Changes its own program, and leaves word for itself in the next match. Bound: one small file in each place.

Played twice, with a fresh process for the second match.
"""

from pathlib import Path

from hostile import HERE, HOME, escaped, held, name_of, play, refused

for place in {HERE, HOME, Path("/tmp"), Path("/dev/shm"), Path("/var/tmp")}:
    word = place / "word-to-myself"
    if word.exists():
        escaped(f"a word from the last match in {place}")
        word.unlink()
        continue
    try:
        word.write_text("the rival plays its highest card")
    except OSError as error:
        held(f"a word in {place}: {name_of(error)}")


def overwrite():
    with Path(__file__).open("r+b") as file:
        file.write(file.read(0))
    return "its own program is open for writing"


refused("change the program", overwrite)
refused("replace the program", lambda: Path(__file__).rename(HERE / "old.py"))
held("what is in the box goes with it")
play()
