"""Answers what it was not asked: guesses an id before the question, says the same again after it. Bound: four answers."""

from hostile import HELLO, answer, messages, say

say(HELLO)
number = 0
for message in messages():
    if message["type"] == "welcome":
        say({"type": "choice", "id": 1, "option": 104})
    elif message["type"] == "decide":
        number += 1
        answer(message)
        if number <= 3:
            say({"type": "choice", "id": message["id"] + (number == 2), "option": message["options"][-1]})
    elif message["type"] == "bye":
        break
