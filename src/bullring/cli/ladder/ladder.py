"""`bullring ladder`: the group of commands; they share `chosen` and `runs`."""

from bullring.cli.program import Commands

command = Commands(
    "ladder",
    {
        "Play": {
            "bullring.cli.ladder.home": {"init": "Make a home for a ladder in an empty or new folder."},
            "bullring.cli.bots.submit": {"add": "Add bots to the ladder, without the check that `submit` makes."},
            "bullring.cli.ladder": {"run": "Play until a limit is reached, or until Ctrl-C."},
        },
        "Results": {
            "bullring.cli.ladder": {
                "table": "Print the standings.",
                "compare": "Say how much stronger one bot is than another, in a sentence for each pair.",
                "company": "Print how each bot's presence changes the results of each other one,"
                " and which seem to help each other.",
                "report": "Write the home as a static site for any web server.",
            },
            "bullring.cli.ladder.plots": {
                "history": "Plot the course of ratings, or print it.",
                "pairs": "Show the results of each pair of bots as a map, or print them.",
            },
            "bullring.cli.study.habits": {"analyse": "Find out what the decisions of a bot cost in its last matches."},
        },
        "Matches": {
            "bullring.cli.ladder.matches": {
                "matches": "List matches with their ids, newest last.",
                "record": "Print the record of a match, to share it: `bullring replay` and `verify` read it anywhere.",
                "export": "Export all matches of a list, as JSON lines, CSV or Parquet.",
            },
        },
        "Keep and repair": {
            "bullring.cli.ladder.home": {
                "backup": "Write all of a home to one FILE, also while a ladder runs.",
                "restore": "Make a home in an empty or new FOLDER from the backup FILE, on this machine or another one.",
                "scrub": "Look for damage in a home, before somebody needs what is damaged.",
                "rebuild": "Rebuild all results from the records.",
                "key": "Print the public key that signs the records of the ladder.",
            },
        },
    },
    help="Rate bots against each other.",
)
