"""The tree in the docstring of `bullring.errors` shows all errors, with their parents and exit codes."""

import re

from bullring import errors


def test_the_drawn_tree_is_the_real_one() -> None:
    branch: list[type[errors.BullringError]] = []
    drawn = re.findall(r"^    ([ │├└─]*)(\w+) +(?:(\d)(?: |$))?", errors.__doc__ or "", re.M)
    for indent, name, code in drawn:
        error = getattr(errors, name)
        del branch[len(indent) // 4 :]
        assert not branch or branch[-1] in error.__bases__, name
        assert error.exit_code == int(code or branch[-1].exit_code), name
        branch.append(error)
    kinds = {name for name, kind in vars(errors).items() if isinstance(kind, type)}
    assert {name for _, name, _ in drawn} == kinds
