"""What is installed: its version, and where its files lie."""

from pathlib import Path

VERSION = "0.1.0"

FOLDER = Path(__file__).parent
"""Of the package: sample bots and documents lie in it, too."""
