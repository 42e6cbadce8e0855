"""`bullring completion`: print the completion script for a shell."""

import click
from click.shell_completion import get_completion_class


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that makes a shell complete commands, games and bots.

    \b
    bash: bullring completion bash > ~/.local/share/bash-completion/completions/bullring
    zsh:  bullring completion zsh > ~/.zfunc/_bullring     (with fpath+=~/.zfunc before compinit in ~/.zshrc)
    fish: bullring completion fish > ~/.config/fish/completions/bullring.fish
    """
    from bullring.cli.program import program

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(program, {}, "bullring", "_BULLRING_COMPLETE").source())
