"""Step hello: another version of the protocol."""

import right

right.play(hello=lambda: right.send(type="hello", protocol=2, name="old"))
