"""A small bot in JSON lines that starts quickly: `python -I -S tiny.py WAY [PATH]`. Its ways are the methods of `WAYS`."""

from __future__ import annotations

import json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Message = dict[str, Any]

PATH = sys.argv[2] if len(sys.argv) > 2 else ""
rows_seen: set[str] = set()
free = False
steps = 0


def say(message: Message) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def tell(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def keep(message: Message) -> None:
    """Write what was heard into the folder at PATH, into a file of this process."""
    with open(f"{PATH}/{os.getpid()}.jsonl", "a", encoding="ascii") as file:  # noqa: PTH123  # pathlib is slow to import
        file.write(json.dumps(message) + "\n")


def first(message: Message) -> Any:
    return message["options"][0]


def last(message: Message) -> Any:
    return message["options"][-1]


def memory(message: Message) -> Any:
    """Remembers the rows of every deal it ever saw, and tells when they come again."""
    for event in message["events"]:
        if event["type"] == "deal":
            rows = json.dumps(event["rows"])
            tell(f"deals = {len(rows_seen) + 1}")
            if rows in rows_seen:
                tell("seen_before = 1")
            rows_seen.add(rows)
    return first(message)


def diary(message: Message) -> Any:
    """Writes down the hand it is dealt."""
    if message["view"]["turn"] == 1 and message["kind"] == "card":
        keep({"hand": message["view"]["hand"]})
    return first(message)


def crash(message: Message) -> Any:
    """Ends at its first question."""
    tell("there is a hole in me")
    sys.exit(3)


def illegal(message: Message) -> Any:
    """Answers what nobody has offered."""
    return -7


def gate(message: Message) -> Any:
    """Plays one match, the first of all its processes; in all others it waits until there is something at PATH.

    It is slow enough to be given a referee process for itself.
    """
    global free
    time.sleep(0.004)
    if not free:
        try:
            os.close(os.open(f"{PATH}.first", os.O_CREAT | os.O_EXCL))
            free = True
        except FileExistsError:
            pass
    while not free and not os.path.exists(PATH):  # noqa: PTH110
        time.sleep(0.002)
    return first(message)


def step(message: Message) -> Any:
    """Decides as often as there are bytes in PATH, and waits for more."""
    global steps
    steps += 1
    while os.stat(PATH).st_size < steps:  # noqa: PTH116
        time.sleep(0.05)
    return first(message)


def mute(message: Message) -> Any:
    """Says no hello."""


def absent(message: Message) -> Any:
    """Ends before it says hello."""


WAYS: dict[str, Callable[[Message], Any]] = {
    way.__name__: way for way in (first, last, memory, diary, crash, illegal, gate, step, mute, absent)
}


def main() -> None:
    global free
    way = WAYS[sys.argv[1]]
    if way is absent:
        sys.exit(1)
    if way is mute:
        sys.stdin.read()
    say({"type": "hello", "protocol": 1, "name": "tiny"})
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            say({"type": "choice", "id": message["id"], "option": way(message)})
        elif message["type"] == "welcome" and way is diary:
            keep({key: message[key] for key in ("commitment", "seed", "seat")})
        elif message["type"] == "match_over":
            free = False
        elif message["type"] == "bye":
            break


if __name__ == "__main__":
    main()
