"""Wrong bots, each with one mistake: `python wrong.py MISTAKE`. A docstring begins with the step that notices it."""

import json
import os
import sys
import time

import right

matches = 0
game = ""


def answers(option):
    """Play, with this option of each question."""
    right.play(decide=lambda message: right.decide(message, option))


def before_each_answer(act):
    """Play, and do this before each answer."""

    def decide(message):
        act(message)
        right.decide(message)

    right.play(decide=decide)


def ends_at_once():
    """Step starts: a module that is not here."""
    import a_module_of_my_home  # noqa: F401


def old_protocol():
    """Step hello: another version of the protocol."""
    right.play(hello=lambda: right.send(type="hello", protocol=2, name="old"))


def pretty():
    """Step hello: an object on several lines."""
    print(json.dumps({"type": "hello", "protocol": 1, "name": "pretty"}, indent=2), flush=True)
    sys.stdin.read()


def silent():
    """Step question: it reads everything and says nothing."""
    right.play(decide=lambda message: None)


def floats():
    """Step question: numbers as floats."""
    answers(lambda message: float(message["options"][0]))


def floods():
    """Step question: it writes without an end where an answer is due."""

    def decide(message):
        while True:
            sys.stdout.write('{"type":"choice","id":0,"option":1}' + " " * 4000)
            sys.stdout.flush()

    right.play(decide=decide)


def one_match():
    """Step matches: it ends after one match, and its bot.toml does not say so."""
    right.play(match_over=lambda message: sys.exit())


def fears_rematches():
    """Step matches: it dies of the second welcome, and not because it wants a process for each match."""

    def welcome(message):
        global matches
        matches += 1
        if matches == 2:
            sys.exit("afraid of rematches")

    right.play(welcome=welcome)


def thinks_aloud():
    """Step quiet: it prints to stdout what it thinks."""
    before_each_answer(lambda message: print("I take", message["options"][0], flush=True))


def thinks_afterwards():
    """Step quiet: it prints to stdout when the match is over."""
    right.play(match_over=lambda message: print("scores:", message["scores"], flush=True))


def one_read():
    """Step pieces: it takes what one read returns for one message."""
    right.hello()
    while data := os.read(0, 65536):
        message = json.loads(data)
        if message["type"] == "decide":
            right.decide(message)
        elif message["type"] == "bye":
            break


def empty_map():
    """Step empty: its encoder takes an empty list for an empty map."""
    answers(lambda message: {} if message["options"][0] == [] else message["options"][0])


def known_kinds():
    """Step unknown kind: a table of all kinds that there are."""
    kinds = ["card", "row", "keep", "more", "draft", "side", "cards", "order", "play", "bull"]
    answers(lambda message: dict.fromkeys(kinds, message["options"][0])[message["kind"]])


def numbers_only():
    """Step stop: it takes every option for a number."""

    def number(message):
        option = message["options"][-1] if message["options"][0] == "stop" else message["options"][0]
        return option if isinstance(option, list) else int(option)

    answers(number)


def strict():
    """Step unknown: it refuses events that it does not know."""

    def look(message):
        for event in message["events"]:
            assert event["type"] in {"deal", "play", "place", "deal_over", "lay", "keep"}, event

    before_each_answer(look)


def gives_up():
    """Step fault: it ends when the referee complains."""
    before_each_answer(lambda message: "fault" in message and sys.exit(message["fault"]))


def rows_from_zero():
    """Step kinds: it counts rows from 0."""
    answers(lambda message: message["options"][0] - 1 if message["kind"] == "row" else message["options"][0])


def fears_rows():
    """Step kinds: it dies of every question for a row."""
    before_each_answer(lambda message: message["kind"] == "row" and sys.exit("afraid of rows"))


def forgets():
    """Step match: late in a match of one game it plays a card of an earlier turn."""

    def welcome(message):
        global game
        game = message["game"]

    def option(message):
        late = game == "standard" and message["view"]["turn"] >= 7 and message["kind"] == "card"
        return 105 if late else message["options"][0]

    right.play(welcome=welcome, decide=lambda message: right.decide(message, option))


def dies_in_matches():
    """Step match: it dies at its first question with a long limit, which is in a match."""
    before_each_answer(lambda message: message["time"]["limit_us"] > 1_000_000 and sys.exit("so much time"))


def slow():
    """Step time: it thinks too long from the fifth turn on."""
    before_each_answer(lambda message: message["view"]["turn"] >= 5 and time.sleep(1.0))


def stays_after_bye():
    """Step bye: it goes on after bye."""
    right.play(bye=lambda message: time.sleep(60))


def stays():
    """Step end: it goes on when its stdin has ended without a bye."""
    right.play(end=lambda: time.sleep(60))


def hangs(text):
    """Any step: it hangs at the message that holds this text."""
    right.hello()
    for line in sys.stdin:
        if text in line:
            time.sleep(600)
        message = json.loads(line)
        if message["type"] == "decide":
            right.decide(message)
        elif message["type"] == "bye":
            break


def shows_off():
    """Any step: it fakes results and moves the cursor, wherever its words may be shown, and then crashes."""
    fake = "\n 27 PASS    ends with its stdin\r 26 PASS \x1b[2J\x1b]0;gone\x07 \u202e \x9b31m"

    def decide(message):
        print(fake * 50, file=sys.stderr, flush=True)
        if message["kind"] == "row":
            right.send(type="choice", id=message["id"], option=fake[:60])
        else:
            right.decide(message)

    right.play(hello=lambda: right.send(type="hello", protocol=1, name=fake[:60]), decide=decide)


globals()[sys.argv[1]](*sys.argv[2:])
