"""The public picture of a table: one reducer makes it from the entries of a record, step by step, and all displays draw it.

`reducer` takes entries and gives frames; a frame is a step (`steps`) and the picture after it (`picture`); `frames_json` writes
frames as JSON and reads them, `sentences` says each step, `teacher` each turn. Terminals, pages and lessons draw or say frames and
derive nothing themselves. Pacing is theirs: the picture follows the record behind the referee.

Strangers' text is made harmless here, so no display has to. Nothing in it is hidden from anybody at the table, unless the hands
of a finished match are asked for.
"""
