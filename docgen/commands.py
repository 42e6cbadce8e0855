"""The command line reference in Markdown and the manual page bullring(1), both generated from the commands."""

from collections import Counter
from collections.abc import Iterator, Mapping
from inspect import cleandoc

import click

from bullring.installation import VERSION

WIDTH = 100

SEVERAL = 2
"""Commands from which on an option that is the same in all of them is described once."""

Words = list[str]
Record = tuple[str, str]
"""An option with its values, and its help."""

_EXITS = (
    ("0", "Success."),
    ("1", "The machine failed (for example, a full disk or a broken container engine), or all matches were void."),
    ("2", "Invalid input: a name, an option or a file."),
    ("3", "A match was played, and a bot was at fault."),
    ("130", "Interrupted."),
)

_ENVIRONMENT = (
    ("BULLRING_HOME", "The home of the ladder, for commands run without --home."),
    ("BULLRING_SANDBOX", "The same as --sandbox."),
    ("BULLRING_ALLOW_UNSANDBOXED", "If set to 1, the same as --allow-unsandboxed."),
)


def commands(command: click.Command, words: Words) -> Iterator[tuple[Words, click.Command]]:
    """Yield a command and all its subcommands, each with the words that call it."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, [*words, name])


def options(command: click.Command) -> Iterator[Record]:
    """Yield the options of a command except --help."""
    context = click.Context(command)
    for param in command.get_params(context):
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record is not None and "--help" not in param.opts:
            yield record


def _usage(words: Words, command: click.Command) -> str:
    context = click.Context(command, info_name=" ".join(words))
    return " ".join(command.collect_usage_pieces(context))


def reference(program: click.Command) -> str:
    """The reference: options of several commands once, then a chapter for each command."""
    found = list(commands(program, ["bullring"]))
    common: dict[str, Record] = {}
    for record, count in Counter(record for _, command in found for record in options(command)).most_common():
        if count >= SEVERAL:
            common.setdefault(_name(record), record)
    parts = [
        "Every command has `--help`. An option that several commands share is described here, and only named with them.",
        "What takes longer than half a second is told on stderr; with `BULLRING_PROGRESS=never` in the environment, nothing is.",
        "## Options of several commands",
        _fenced(_listed(sorted(common.values()))),
    ]
    for words, command in found:
        parts += [f"{'#' * (len(words) + 1)} {' '.join(words)}", *_chapter(words, command, common)]
    return "\n\n".join(parts)


def _chapter(words: Words, command: click.Command, common: Mapping[str, Record]) -> Iterator[str]:
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_usage(" ".join(words), _usage(words, command))
    command.format_help_text(click.Context(command), formatter)
    own = [record for record in options(command) if common.get(_name(record)) != record]
    if own:
        with formatter.section("Options"):
            formatter.write_dl(own)
    yield _fenced(formatter.getvalue())
    shared = [f"`{_name(record)}`" for record in options(command) if common.get(_name(record)) == record]
    if shared:
        yield f"Also: {', '.join(shared)}"


def _name(record: Record) -> str:
    return record[0].split()[0]


def _listed(records: list[Record]) -> str:
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_dl(records)
    return formatter.getvalue()


def _fenced(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def manual(program: click.Command) -> str:
    """The manual page in roff."""
    return "\n".join(_manual(program)) + "\n"


def _manual(program: click.Command) -> Iterator[str]:
    yield f'.TH BULLRING 1 "" "bullring {VERSION}" "User Commands"'
    yield ".SH NAME"
    yield r"bullring \- an arena for programs that play 6 nimmt! (Take 6!) and its family"
    yield ".SH SYNOPSIS"
    yield r".B bullring"
    yield r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]"
    yield ".SH DESCRIPTION"
    yield _text(program.help or "")
    yield ".SH COMMANDS"
    for words, command in commands(program, ["bullring"]):
        if not isinstance(command, click.Group):
            yield from _section(words, command)
    for title, rows in (("EXIT STATUS", _EXITS), ("ENVIRONMENT", _ENVIRONMENT)):
        yield f".SH {title}"
        yield from _items(rows)
    yield ".SH SEE ALSO"
    yield _text(
        "bullring docs lists the documents that come with the program: the protocol, ladders, the sandbox, settings."
    )


def _section(words: Words, command: click.Command) -> Iterator[str]:
    yield f".SS {_text(' '.join(words))} {_text(_usage(words, command))}"
    for paragraph in cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("\b"):
            yield ".nf"
            yield from map(_text, paragraph.splitlines()[1:])
            yield ".fi"
        else:
            yield ".PP"
            yield _text(" ".join(paragraph.split()))
    yield from _items(options(command))


def _items(records: Iterator[Record] | tuple[Record, ...]) -> Iterator[str]:
    for name, meaning in records:
        yield ".TP"
        yield rf"\fB{_text(name)}\fR"
        yield _text(meaning)


def _text(text: str) -> str:
    """Escape text for roff, so that backslashes, hyphens and leading dots or quotes print literally."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
