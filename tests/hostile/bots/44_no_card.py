"""Answers with what might pass for a card: true, 1.0, NaN, numbers of 64 bits, two options at once. Bound: three answers."""

from hostile import WAY, play, say_bytes

OPTIONS = {
    "floats": ["{}.0", "NaN", "1e2"],
    "types": ["true", '"{}"', "null"],
    "sizes": ["18446744073709551616", "-1", '{},"option":{}'],
    "lists": ["[{}]", '{{"card":{}}}', "[" + "0," * 300 + "0]"],
}


def question(number, message):
    option = OPTIONS[WAY][number - 1].format(message["options"][0], message["options"][-1])
    say_bytes(f'{{"type":"choice","id":{message["id"]},"option":{option}}}\n'.encode())
    return True


play(question)
