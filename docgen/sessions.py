"""The recorded sessions of `docs/sessions` as text: what a terminal shows in the end, with everything that scrolled away."""

import json
from pathlib import Path

import pyte

SESSIONS = Path(__file__).parents[1] / "docs" / "sessions"
_LINES = 2000


def blocks() -> dict[str, str]:
    """A block for each recording, by its name."""
    return {f"session-{path.stem}": _fenced(path) for path in sorted(SESSIONS.glob("*.cast"))}


def _fenced(path: Path) -> str:
    head, *events = map(json.loads, path.read_text("utf-8").splitlines())
    screen = pyte.Screen(head["width"], _LINES)
    screen.set_mode(pyte.modes.LNM)
    stream = pyte.Stream(screen)
    for _, _, text in events:
        stream.feed(text)
    lines = [line.rstrip() for line in screen.display]
    while not lines[-1]:
        lines.pop()
    return "\n".join(("```console", *lines, "```"))
