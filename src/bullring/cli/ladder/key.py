"""`bullring ladder key`: the key that signs records."""

import json
from contextlib import closing
from pathlib import Path

import click

from bullring.cli.ladder.chosen import home_flag
from bullring.cli.options import home_option, json_option
from bullring.errors import LadderError
from bullring.ladder.store.cleanup import changing
from bullring.ladder.store.home import Home
from bullring.ladder.store.keys import new_key


@click.command(name="key")
@click.option("--new", is_flag=True, help="Make a new key; records are signed with it from now on.")
@json_option
@home_option
def command(home: Path | None, new: bool, as_json: bool) -> None:
    """Print the public key that the records of the ladder are signed with.

    Publish it: whoever has it can check a record with `bullring verify FILE --key PUBLIC`. Public keys of the past follow,
    newest first. The private key is the file `signing.pem` in the home. A new one takes its place; what it has signed
    stays signed.
    """
    place = Home.find(home)
    if new:
        with changing(place) as store, place.locked():
            new_key(place, store)
    with closing(place.store(read_only=True)) as store:
        keys = store.keys()[::-1]
    if as_json:
        click.echo(json.dumps(keys))
    elif not keys:
        raise LadderError(
            f"this ladder does not sign its records; make a key with: bullring ladder key --new{home_flag(place)}"
        )
    else:
        click.echo("\n".join(keys))
