"""A table of runtimes: for each a small program that needs more of its runtime than the one file that is started.

All that this machine has must play in all tiers. To add one, add a line.
"""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from bullring.arena.sandbox.caps import MIB, Caps
from bullring.arena.sandbox.program import PYTHON, Program

CAPS = Caps(memory=768 * MIB, processes=128)
"""Enough for all of them; what each needs at least is not what is tried here."""


@dataclass(frozen=True)
class Runtime:
    """A program that writes "hello" and a line feed to its stdout."""

    command: tuple[str, ...]
    files: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    """Programs of the machine, without which this cannot be tried; without any, the first word of the command."""
    made_by: tuple[str, ...] = ()
    """What builds it in its folder, before it is started."""

    def missing(self) -> list[str]:
        """What this machine lacks for it."""
        return [name for name in (*self.needs, *self.made_by[:1]) if shutil.which(name) is None]

    def program(self, folder: Path) -> Program:
        """How to start it in this folder, after its files are written and, if need be, built."""
        return Program(self.command, folder, CAPS)


def _run(name: str, *words: str, **files: str) -> Runtime:
    return Runtime((name, *words), {key.replace("__", "."): text for key, text in files.items()}, (name,))


RUNTIMES = {
    "python": Runtime(
        (PYTHON, "bot.py"),
        {"bot.py": "import json, lzma, msgpack, sqlite3, ssl\nprint(msgpack.unpackb(b'\\xa5hello'))"},
    ),
    "python behind env": _run("env", "python3", "bot.py", bot__py="import json\nprint(json.loads('\"hello\"'))"),
    "bash as a script": Runtime(
        ("./bot.sh",), {"bot.sh": '#!/usr/bin/env bash\nprintf "%s\\n" hello | cat'}, ("bash",)
    ),
    "bash -c": _run("bash", "-c", "echo hello | tr a-z a-z"),
    "perl": _run("perl", "bot.pl", bot__pl='use JSON::PP; print decode_json(\'["hello"]\')->[0], "\\n";'),
    "ruby": _run("ruby", "bot.rb", bot__rb="require 'json'\nputs JSON.parse('[\"hello\"]')[0]"),
    "php": _run("php", "bot.php", bot__php='<?php echo json_decode(\'["hello"]\')[0], "\\n";'),
    "lua": _run("lua5.4", "bot.lua", bot__lua='print(table.concat({"hel", "lo"}))'),
    "tcl": _run("tclsh", "bot.tcl", bot__tcl='puts [clock format 0 -format "hello"]'),
    "awk": _run("awk", 'BEGIN { print "hello" }'),
    "node": _run("node", "bot.js", bot__js="console.log(require('path').basename('/x/hello'))"),
    "java": _run(
        "java",
        "-Xmx128m",
        "Bot.java",
        Bot__java='class Bot { public static void main(String[] a) { System.out.println(java.util.List.of("hello").get(0)); } }',
    ),
    "R": _run("Rscript", "bot.R", bot__R="write(jsonlite::fromJSON('[\"hello\"]'), stdout())")
    if Path("/usr/lib/R/site-library/jsonlite").exists()
    else _run("Rscript", "bot.R", bot__R='stopifnot(stats::median(1:3) == 2); write("hello", stdout())'),
    "erlang": _run(
        "escript", "bot", bot='#!/usr/bin/env escript\nmain(_) -> io:put_chars([lists:reverse("olleh"), 10]).'
    ),
    "elixir": _run("elixir", "bot.exs", bot__exs='IO.puts(Enum.join(["hel", "lo"]))'),
    "ocaml": _run("ocaml", "bot.ml", bot__ml='print_endline (String.concat "" ["hel"; "lo"])'),
    "mono": Runtime(
        ("mono", "bot.exe"),
        {
            "bot.cs": 'class Bot { static void Main() { System.Console.Write(string.Join("", new[] {"hel", "lo\\n"})); } }'
        },
        ("mono",),
        ("mcs", "bot.cs"),
    ),
    "go": Runtime(
        ("./bot",),
        {"bot.go": 'package main\nimport "fmt"\nfunc main() { fmt.Println("hello") }'},
        (),
        ("go", "build", "-o", "bot", "bot.go"),
    ),
    "julia": _run("julia", "bot.jl", bot__jl='using Dates; println("hello")'),
    "swipl": _run("swipl", "-g", "writeln(hello)", "-t", "halt"),
    "sbcl": _run("sbcl", "--script", "bot.lisp", bot__lisp='(format t "hello~%")'),
    "guile": _run(
        "guile", "--no-auto-compile", "bot.scm", bot__scm='(use-modules (ice-9 format)) (display "hello\\n")'
    ),
    "deno": _run("deno", "run", "bot.js", bot__js="console.log('hello')"),
    "bun": _run("bun", "bot.js", bot__js="console.log('hello')"),
}
