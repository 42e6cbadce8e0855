"""The command `bullring`: one file for each command, named like it; those of `bullring ladder` are in a folder of that name.

What the commands share: `program` (lazy loading, errors, exit codes), `options`, `values` (types that complete), `signals`.
Nothing outside this room knows of the command line.
"""
