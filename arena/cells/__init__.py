"""Strangers' programs and files: sandbox, files, bots, building, kits, and untrusted text.

This wing knows nothing of games, messages or matches, and imports no other wing. Begin with `sandbox/cell.py` (a running program),
`sandbox/choice.py` (which tier confines it) and `bots/load.py` (a bot by its name, folder or command line).
"""
