"""What readers read, and the program that makes those parts of it that follow from the code (`python -m docs.generate`).

Nothing here is needed to play: arena, protocol and ladder never import it.
"""
