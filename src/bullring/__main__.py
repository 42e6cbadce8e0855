"""`python -m bullring`: the command."""

from bullring.cli.program import main

main()
