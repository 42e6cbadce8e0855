"""`bullring ladder`: the group of commands; they share `chosen` and `runs`."""

from bullring.cli.program import Commands

command = Commands(
    "ladder",
    {
        "bullring.cli.ladder": {
            "company": "Print how each bot's presence changes the results of each other one, and which seem to help each other.",
            "compare": "Say how much stronger one bot is than another, in a sentence for each pair.",
            "report": "Write the home as a static site for any web server.",
            "run": "Play until a limit is reached, or until Ctrl-C.",
            "table": "Print the standings.",
        },
        "bullring.cli.ladder.home": {
            "init": "Make a home for a ladder in an empty or new folder.",
            "key": "Print the public key that signs the records of the ladder.",
            "rebuild": "Rebuild all results from the records.",
            "backup": "Write all of a home to one FILE, also while a ladder runs.",
            "restore": "Make a home in an empty or new FOLDER from the backup FILE, on this machine or another one.",
            "scrub": "Look for damage in a home, before somebody needs what is damaged.",
        },
        "bullring.cli.ladder.matches": {
            "export": "Export all matches of a list, as JSON lines, CSV or Parquet.",
            "matches": "List matches with their ids, newest last.",
            "record": "Print the record of a match, to share it: `bullring replay` and `verify` read it anywhere.",
        },
        "bullring.cli.ladder.plots": {
            "history": "Plot the course of ratings, or print it.",
            "pairs": "Show the results of each pair of bots as a map, or print them.",
        },
        "bullring.cli.study.habits": {"analyse": "Find out what the decisions of a bot cost in its last matches."},
        "bullring.cli.bots.submit": {"add": "Add bots to the ladder, without the check that `submit` makes."},
    },
    help="Rate bots against each other.",
)
