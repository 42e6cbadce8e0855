"""Answers with the id of an old question, with one that never was, with one beyond all ids. Bound: three answers."""

from hostile import answer, play, say

ids = []


def question(number, message):
    ids.append(message["id"])
    if number == 1:
        answer(message)
    else:
        wrong = {2: ids[0], 3: (message["id"] + 1) % (1 << 31), 4: message["id"] + (1 << 31)}
        say({"type": "choice", "id": wrong[number], "option": message["options"][-1]})
    return True


play(question)
