"""`python -m docgen`: see `docgen.generate`."""

from docgen.generate import main

main()
