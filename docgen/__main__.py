"""Run `docgen.generate` as `python -m docgen`."""

from docgen.generate import main

main()
