"""`bullring ladder`: one file for each of its commands. `chosen` and `playing` are what several of them share."""

from bullring.cli.program import Commands

command = Commands(
    "ladder",
    "bullring.cli.ladder",
    {
        "add": "Add bots to the ladder.",
        "bots": "List the bots of the ladder, and why one of them is benched.",
        "export": "Write all matches of a list as JSON lines, for programs of your own.",
        "history": "Print the course of a bot's rating.",
        "init": "Make a new home in an empty folder.",
        "matches": "List matches, the newest last, each with its id.",
        "pairs": "Print who beats whom.",
        "rebuild": "Make all results again from the records.",
        "reinstate": "Let a benched or removed bot play again.",
        "remove": "Take a bot off the ladder.",
        "run": "Play until a stop is reached, or until Ctrl-C.",
        "table": "Print the standings.",
    },
    help="Rate bots against each other.",
)
