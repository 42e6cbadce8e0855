"""`bullring completion`: print the completion script for a shell."""

import click
from click.shell_completion import BashComplete, get_completion_class


class _Bash(BashComplete):
    """Bash splits words at `@` and `=`, as in `@greedy` and `--game=nifty`, and replaces only the part after the last of them.

    So join the words that touch in the line, complete the result, and offer only the rest.
    """

    source_template = (
        BashComplete.source_template
        + """
%(complete_func)s_joined() {
    local line=$COMP_LINE at=-1 word words=()
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if ((at >= 0)) && [[ $line != [[:space:]]* ]]; then
            words[at]+=$word
        else
            words[++at]=$word
        fi
        line=${line#"${line%%%%[![:space:]]*}"}
        line=${line#"$word"}
    done
    local COMP_WORDS=("${words[@]}") COMP_CWORD=$at
    %(complete_func)s "$@"
    local kept=${words[at]%%"$2"}
    [[ $kept == -*=* ]] && kept=${kept#*=}
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}

complete -o nosort -F %(complete_func)s_joined %(prog_name)s
"""
    )


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that makes a shell complete commands, games and bots.

    \b
    bash: mkdir -p ~/.local/share/bash-completion/completions
          bullring completion bash > ~/.local/share/bash-completion/completions/bullring
    zsh:  mkdir -p ~/.zfunc     (with fpath+=~/.zfunc before compinit in ~/.zshrc)
          bullring completion zsh > ~/.zfunc/_bullring
    fish: mkdir -p ~/.config/fish/completions
          bullring completion fish > ~/.config/fish/completions/bullring.fish
    """
    from bullring.cli.program import program

    kind = _Bash if shell == "bash" else get_completion_class(shell)
    assert kind is not None
    click.echo(kind(program, {}, "bullring", "_BULLRING_COMPLETE").source())
