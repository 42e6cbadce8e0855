"""The installed package: its version and its folder."""

from pathlib import Path

VERSION = "0.1.0"

FOLDER = Path(__file__).parent
"""The folder of the package, which also holds the sample bots and documents."""
