"""A folder full of traps: files named like modules that might be imported from the working folder."""

from pathlib import Path

NAMES = (
    *("arena", "bullring", "cli", "docs", "errors", "ladder", "protocol", "sample_bots", "tests", "validation"),
    *("click", "docker", "msgpack", "numpy", "pydantic", "rich", "trio"),
    *(
        "asyncio",
        "dataclasses",
        "functools",
        "json",
        "logging",
        "random",
        "signal",
        "sqlite3",
        "statistics",
        "subprocess",
    ),
)


def lay_traps(folder: Path) -> Path:
    """Fill the folder. Returns the file that exists once a trap was imported."""
    caught = folder / "caught"
    code = f"open({str(caught)!r}, 'a').write(__name__ + '\\n')\nraise SystemExit('caught by a trap')\n"
    for number, name in enumerate(NAMES):
        if number % 2:
            (folder / f"{name}.py").write_text(code)
        else:
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text(code)
            (folder / name / "__main__.py").write_text(code)
    return caught
