"""The command `bullring`: one module per command, of the same name; those of `bullring ladder` are in a folder of that name.

Shared modules: `program` (lazy loading, errors, exit codes), `options`, `values` (types with completion), `signals`.
Nothing outside this package knows about the command line.
"""
