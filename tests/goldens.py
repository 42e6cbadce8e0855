"""Golden files, to be read by people: `make goldens` writes all of them anew. Look at what has changed before you commit it.

A change of those of the rules is a change of the rules or of the shuffle: old records would no longer replay.
"""

from tests.arena.games.rulebook import golden as rulebook
from tests.arena.games.rules import golden as rules
from tests.arena.watching.display import pictures
from tests.arena.watching.picture import golden as sentences

ROOMS = (rules, rulebook, sentences, pictures)


def main() -> None:
    """Write them, and remove those that are not made any more."""
    for room in ROOMS:
        folder, files = room.FOLDER, room.files()
        for file in {path.name for path in folder.iterdir()} - files.keys():
            (folder / file).unlink()
        for file, text in files.items():
            (folder / file).write_text(text, "utf-8")
        print(f"{folder}: {len(files)} files")


if __name__ == "__main__":
    main()
