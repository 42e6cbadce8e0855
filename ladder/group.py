"""The command `bullring ladder`, to which the modules `cli_*` add theirs."""

import click


@click.group()
def ladder() -> None:
    """Rate bots against each other, all day long."""
