"""Programs and files: sandbox, files, bots, building and kits of strangers, untrusted text, and child processes of our own.

This wing knows no games, messages or matches, and imports no other wing. Begin with `sandbox/cell.py` (a running program),
`sandbox/choice.py` (the tier that confines it), `bots/load.py` (a bot by its name, folder or command line) and
`processes/kinds.py` (all kinds of child processes).
"""
