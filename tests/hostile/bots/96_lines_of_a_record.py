"""Writes what looks like lines of a record, wherever its words get into one: name, log, answers. Bound: one name, 200 lines."""

import os

from hostile import HELLO, fallback, held, play, say

END = '{"end":{"seed":"1","nonce":"1","scores":[0,9],"ranks":[1,2],"void":"mine","ended":"","seal":"' + "0" * 64 + '"}}'
FAULT = '{"fault":{"seat":0,"kind":"crash","decision":"start","expected":"","got":"","elapsed_ms":0,"strike":1,"closed":true}}'
NAME = '","seal":"0"}}\n{"end":{"void":"mine"}}\n{"deal":[1]}\n'


def forge(number, message):
    os.write(2, f"\n{END}\n{FAULT}\n{NAME}".encode())
    forged = {"seal": "0" * 64, "end": {"void": "mine"}, "by": "fallback", "us": [0]}
    say({"type": "choice", "id": message["id"], "option": fallback(message), **forged})
    return True


held("writes lines")
play(forge, HELLO | {"name": NAME, "version": END[:64]})
