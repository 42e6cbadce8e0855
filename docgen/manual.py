"""The manual page bullring(1), generated from the commands."""

from collections.abc import Iterator
from inspect import cleandoc

import click

from bullring.installation import VERSION

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


def page(program: click.Command) -> str:
    """The page in roff."""
    return "\n".join(_lines(program)) + "\n"


def _lines(program: click.Command) -> Iterator[str]:
    yield f'.TH BULLRING 1 "" "bullring {VERSION}" "User Commands"'
    yield ".SH NAME"
    yield r"bullring \- an arena for programs that play 6 nimmt! (Take 6!) and its family"
    yield ".SH SYNOPSIS"
    yield r".B bullring"
    yield r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]"
    yield ".SH DESCRIPTION"
    yield _text(program.help or "")
    yield ".SH COMMANDS"
    for words, command in _commands(program, ["bullring"]):
        yield from _command(words, command)
    for title, rows in (("EXIT STATUS", _EXITS), ("ENVIRONMENT", _ENVIRONMENT)):
        yield f".SH {title}"
        for name, meaning in rows:
            yield ".TP"
            yield rf"\fB{_text(name)}\fR"
            yield _text(meaning)
    yield ".SH SEE ALSO"
    yield _text(
        "bullring docs lists the documents that come with the program: the protocol, ladders, the sandbox, settings."
    )


def _commands(command: click.Command, words: list[str]) -> Iterator[tuple[list[str], click.Command]]:
    """Yield all commands except groups, each with the words that call it."""
    if not isinstance(command, click.Group):
        yield words, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        assert below is not None
        yield from _commands(below, [*words, name])


def _command(words: list[str], command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=" ".join(words))
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_text(' '.join(words))} {_text(usage)}"
    for paragraph in cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("\b"):
            yield ".nf"
            yield from map(_text, paragraph.splitlines()[1:])
            yield ".fi"
        else:
            yield ".PP"
            yield _text(" ".join(paragraph.split()))
    for param in command.get_params(context):
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record is not None and "--help" not in param.opts:
            yield ".TP"
            yield rf"\fB{_text(record[0])}\fR"
            yield _text(record[1])


def _text(text: str) -> str:
    """Escape text for roff, so that backslashes, hyphens and leading dots or quotes print literally."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
