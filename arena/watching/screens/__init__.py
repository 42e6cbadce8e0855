"""Full screens on a terminal, made with Textual.

`shell` is the application that all share. `replay` steps through a record, also one that is being written (`stepper` is where
it stands); `live_screen` follows `match --watch` in a process of its own, which `live_client` starts. `evening` is `bullring
play`: `start`, `table/screen`, `result`.
"""

PACE = 0.4
"""Seconds of one step where nothing else is said."""
