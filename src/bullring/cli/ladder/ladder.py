"""`bullring ladder`: one module per command; they share `chosen` and `playing`."""

from bullring.cli.program import Commands

command = Commands(
    "ladder",
    {
        "bullring.cli.ladder": {
            "add": "Add bots to the ladder, without the check that `submit` makes.",
            "analyse": "Find out what the decisions of a bot cost in its last matches.",
            "company": "Print what each bot's presence does to the results of each other one.",
            "export": "Export all matches of a list, as JSON lines, CSV or Parquet.",
            "history": "Plot how ratings went, or print them.",
            "init": "Make a home for a ladder in an empty or new folder.",
            "key": "Print the public key that the records of the ladder are signed with.",
            "matches": "List matches with their ids, newest last.",
            "pairs": "Show the results of each pair of bots as a map, or print them.",
            "rebuild": "Rebuild all results from the records.",
            "record": "Print the record of a match, to share it: `bullring replay` and `verify` read it anywhere.",
            "report": "Write the home as a static site, which can be laid on any web server.",
            "run": "Play until a limit is reached, or until Ctrl-C.",
            "table": "Print the standings.",
        }
    },
    help="Rate bots against each other.",
)
