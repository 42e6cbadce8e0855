"""`python -m bullring`: run the command."""

from bullring.cli.program import main

main()
