"""A table of runtimes: for each a small program that needs more of its runtime than the one file that is started.

All that this machine has must play in all tiers. To add one, add a line. Larger runtimes use threads, timers, and a file in their
home if they have one.
"""

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.arena.cells.sandbox.program import OURS, PYTHON

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
    """The command that builds it in its folder."""

    def missing(self) -> list[str]:
        """The programs that this machine lacks for it."""
        return [name for name in (*self.needs, *self.made_by[:1]) if shutil.which(name) is None]

    def make(self, folder: Path) -> None:
        """Write its files to a new folder and, if need be, build it there."""
        folder.mkdir()
        for name, text in self.files.items():
            (folder / name).write_text(text + "\n")
            (folder / name).chmod(0o755)
        if self.made_by:
            subprocess.run(self.made_by, cwd=folder, check=True, capture_output=True)


def _run(name: str, *words: str, **files: str) -> Runtime:
    return Runtime((name, *words), {key.replace("__", "."): text for key, text in files.items()}, (name,))


_NODE = """
const fs = require('fs');
const { Worker } = require('worker_threads');
const home = process.env.HOME;
if (fs.existsSync(home)) fs.writeFileSync(home + '/note', 'a note');
const worker = new Worker("require('worker_threads').parentPort.postMessage('hel')", { eval: true });
worker.on('message', part => setTimeout(() => { console.log(part + 'lo'); process.exit(0); }, 5));
"""

_JAVA = """
import java.nio.file.*;
import java.util.concurrent.*;
class Bot {
    public static void main(String[] words) throws Exception {
        Path home = Path.of(System.getenv("HOME"));
        if (Files.isDirectory(home)) Files.writeString(home.resolve("note"), "a note");
        var clock = Executors.newScheduledThreadPool(2);
        var parts = clock.schedule(() -> "hel", 5, TimeUnit.MILLISECONDS);
        System.out.println(parts.get() + CompletableFuture.supplyAsync(() -> "lo").get());
        clock.shutdown();
    }
}
"""

_CSHARP = """
using System; using System.IO; using System.Threading; using System.Threading.Tasks;
class Bot {
    static void Main() {
        var home = Environment.GetEnvironmentVariable("HOME");
        if (Directory.Exists(home)) File.WriteAllText(Path.Combine(home, "note"), "a note");
        var rung = new ManualResetEvent(false);
        using (new Timer(_ => rung.Set(), null, 5, Timeout.Infinite)) rung.WaitOne();
        Console.Write(Task.Run(() => "hel").Result + "lo\\n");
    }
}
"""

_ELIXIR = """
home = System.get_env("HOME")
if File.dir?(home), do: File.write!(Path.join(home, "note"), "a note")
Process.send_after(self(), "lo", 5)
start = Task.await(Task.async(fn -> "hel" end))
receive do: (rest -> IO.puts(start <> rest))
"""

_R = """
writeLines("a note", tempfile())
Sys.sleep(0.005)
parts <- parallel::mclapply(c("hel", "lo"), identity, mc.cores = 2)
write(paste(unlist(parts), collapse = ""), stdout())
"""

_PHP = """<?php
usleep(5000);
if (is_dir(getenv('HOME'))) file_put_contents(getenv('HOME') . '/note', 'a note');
echo php_ini_scanned_files() && !extension_loaded('posix') ? 'no extensions' : 'hello', "\\n";
"""

_RUBY = """
require 'json'
require 'timeout'
File.write(ENV['HOME'] + '/note', 'a note') if Dir.exist?(ENV['HOME'])
puts Timeout.timeout(60) { Thread.new { sleep 0.005; JSON.parse('["hello"]')[0] }.value }
"""

_GO = """
package main

import ("fmt"; "os"; "time")

func main() {
	if home := os.Getenv("HOME"); home != "/nonexistent" { os.WriteFile(home + "/note", []byte("a note"), 0600) }
	parts := make(chan string)
	go func() { <-time.After(5 * time.Millisecond); parts <- "hel" }()
	fmt.Println(<-parts + "lo")
}
"""

RUNTIMES = {
    "python": Runtime(
        (PYTHON, "bot.py"),
        {"bot.py": "import json, lzma, sqlite3, ssl\nprint(json.loads('\"hello\"'))"},
    ),
    "python with numba": Runtime(
        (OURS, "bot.py"), {"bot.py": "import msgpack, numba\nprint({2: 'hello'}[numba.njit(lambda x: x + 1)(1)])"}
    ),
    "python behind env": _run("env", "python3", "bot.py", bot__py="import json\nprint(json.loads('\"hello\"'))"),
    "bash as a script": Runtime(
        ("./bot.sh",), {"bot.sh": '#!/usr/bin/env bash\nprintf "%s\\n" hello | cat'}, ("bash",)
    ),
    "bash -c": _run("bash", "-c", "echo hello | tr a-z a-z"),
    "perl": _run("perl", "bot.pl", bot__pl='use JSON::PP; print decode_json(\'["hello"]\')->[0], "\\n";'),
    "ruby": _run("ruby", "bot.rb", bot__rb=_RUBY),
    "php": _run("php", "bot.php", bot__php=_PHP),
    "lua": _run("lua5.4", "bot.lua", bot__lua='print(table.concat({"hel", "lo"}))'),
    "tcl": _run("tclsh", "bot.tcl", bot__tcl='puts [clock format 0 -format "hello"]'),
    "awk": _run("awk", 'BEGIN { print "hello" }'),
    "node": _run("node", "bot.js", bot__js=_NODE),
    "node with WebAssembly": _run(
        "node", "bot.js", bot__js="new WebAssembly.Memory({initial: 1, maximum: 1000});" + _NODE
    ),
    "java": _run(
        "java",
        "-Xmx128m",
        "Bot.java",
        Bot__java=_JAVA,
    ),
    "R": _run("Rscript", "bot.R", bot__R=_R),
    "erlang": _run(
        "escript", "bot", bot='#!/usr/bin/env escript\nmain(_) -> io:put_chars([lists:reverse("olleh"), 10]).'
    ),
    "elixir": _run("elixir", "bot.exs", bot__exs=_ELIXIR),
    "ocaml": _run("ocaml", "bot.ml", bot__ml='print_endline (String.concat "" ["hel"; "lo"])'),
    "mono": Runtime(
        ("mono", "bot.exe"),
        {"bot.cs": _CSHARP},
        ("mono",),
        ("mcs", "bot.cs"),
    ),
    "go": Runtime(
        ("./bot",),
        {"bot.go": _GO},
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
    "bun": _run("bun", "bot.js", bot__js=_NODE),
    "dotnet": Runtime(
        ("dotnet", "bot.exe"),
        {
            "bot.cs": _CSHARP,
            "bot.runtimeconfig.json": """{"runtimeOptions": {
                "rollForward": "LatestMajor",
                "framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"},
                "configProperties": {"System.Globalization.Invariant": true}
            }}""",
        },
        ("dotnet",),
        ("mcs", "bot.cs"),
    ),
}

QUICK = ("python", "python with numba", "bash as a script", "node")
"""One of each sort, of which it is quickly known whether they play; `make slow` tries all."""
