"""Calls itself what terminals obey and browsers run, and writes more of it to its log. Bound: 64 characters, three lines."""

import os

from hostile import HELLO, held, play

NAME = "\x1b[2J\x1b]0;owned\x07\r\n<script>alert(1)</script>\u202e\x9b31m[red]"
os.write(2, NAME.encode() + b"\n\x1b[31m\xff\xfe\x00\n::error::owned\n")
held("has an odd name")
play(hello=HELLO | {"name": NAME[:64], "version": "\x1b[1m\n"})
