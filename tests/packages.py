"""`python -m tests.packages`: build the wheel and the sdist, install each as a user would, and try it outside the checkout."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.traps import lay_traps

ROOT = Path(__file__).parents[1]

ASIDE = ("BULLRING_HOME", "BULLRING_SANDBOX", "BULLRING_ALLOW_UNSANDBOXED", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
"""Variables that a stranger's environment does not have."""

SCRIPT = """
import bullring

report = bullring.play("@greedy", lambda message: message["options"][0], options={"deals": 1}, allow_unsandboxed=True)
assert sorted(report.ranks)[0] == 1, report.ranks
assert "nifty" in bullring.GAMES
"""

COMPLETED = {
    "bash": """
source <(bullring completion bash)
COMP_WORDS=(bullring rules nif) COMP_CWORD=2
_bullring_completion bullring nif rules
echo "${COMPREPLY[@]}"
""",
    "zsh": """
autoload -U compinit && compinit -u -d "$HOME/dump"
source <(bullring completion zsh)
print "$_comps[bullring]"
_BULLRING_COMPLETE=zsh_complete COMP_WORDS="bullring rules nif" COMP_CWORD=2 bullring
""",
    "fish": """
bullring completion fish | source
complete -C "bullring rules nif"
""",
}
"""The completion of a game's name in each shell."""


@dataclass
class Environment:
    """A fresh virtual environment, and a working folder full of traps."""

    folder: Path

    @property
    def prefix(self) -> Path:
        """The folder of the environment."""
        return self.folder / "environment"

    @property
    def working(self) -> Path:
        """The working folder."""
        return self.folder / "working"

    def run(self, *command: str | Path, stdin: str | None = None) -> str:
        """The output of a command that must succeed, and say nothing on stderr but the tier of its bots."""
        words = {name: value for name, value in os.environ.items() if name not in ASIDE}
        words |= {"PATH": f"{self.prefix}/bin:{words['PATH']}", "HOME": str(self.folder)}
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.working,
            env=words,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        said = " ".join(str(word) for word in command)
        assert done.returncode == 0, f"{said}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, f"{said}\n{done.stderr}"
        assert not self.caught.exists(), f"{said}: {self.caught.read_text()} was imported from the working folder"
        return done.stdout

    @property
    def caught(self) -> Path:
        """Exists once a trap was imported."""
        return self.working / "caught"


def build(into: Path) -> Sequence[Path]:
    """The wheel and the sdist of the checkout."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", into], cwd=ROOT, check=True, capture_output=True)
    wheel, sdist = (*into.glob("*.whl"), *into.glob("*.tar.gz"))
    return wheel, sdist


def install(package: Path, folder: Path) -> Environment:
    """A fresh environment with this package in it, and what it needs from the index."""
    environment = Environment(folder)
    environment.working.mkdir(parents=True)
    subprocess.run([sys.executable, "-m", "venv", environment.prefix], check=True)
    environment.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package)
    lay_traps(environment.working)
    return environment


def try_everything(environment: Environment) -> None:
    """Assert that everything that works in a checkout works here."""
    run = environment.run
    site = Path(run("python", "-P", "-c", "import bullring; print(bullring.__file__)").strip()).parents[1]
    assert environment.prefix in site.parents, f"bullring was imported from {site}"
    for name in ("arena", "protocol", "ladder", "sample_bots", "tests", "docs"):
        assert not (site / name).exists(), f"{name} is a package of its own"
    assert (site / "bullring" / "py.typed").exists()
    assert not list((site / "bullring").rglob("*.svg"))

    version = run("bullring", "--version")
    assert run("python", "-P", "-m", "bullring", "--version") == version
    builtin = {row["bot"] for row in json.loads(run("bullring", "bots", "--builtin", "--json"))}
    assert builtin >= {"@greedy", "@random", "@montecarlo"}, builtin
    for topic in ("spec", "sandbox", "ladder", "settings", "security", "samples"):
        assert len(run("bullring", "docs", topic)) > 1000
    assert "nifty" in run("bullring", "games")
    assert "Professional" in run("bullring", "rules", "professional")
    manual = environment.prefix / "share" / "man" / "man1" / "bullring.1"
    assert manual.read_text().startswith(".TH"), manual
    if shutil.which("man"):
        assert "bullring" in run("man", "-P", "cat", manual)

    played = run(
        *("bullring", "match", "@greedy", "@random", "@montecarlo", "--deals", "1", "--time", "30s"),
        *("--record", "match.jsonl", "--allow-unsandboxed"),
    )
    assert "montecarlo" in played
    languages = [row["language"] for row in json.loads(run("bullring", "new", "--json"))]
    assert len(languages) > 10
    for language in languages:
        run("bullring", "new", language, f"my-{language}", "--no-fetch")
    run("bullring", "check", "my-python", "--allow-unsandboxed")
    started = run("bullring", "match", "my-python", "@greedy", "--deals", "1", "--time", "30s", "--allow-unsandboxed")
    assert "my-python" in started
    assert "verified" in run("bullring", "verify", "match.jsonl")
    assert "takes row" in run("bullring", "replay", "match.jsonl")

    run("bullring", "ladder", "init", "home", "--time", "30s")
    run("bullring", "ladder", "add", "@greedy", "@random", "--home", "home", "--allow-unsandboxed")
    told = run(
        *("bullring", "ladder", "run", "--home", "home", "--seats", "2", "--matches", "4", "--jobs", "1"),
        "--allow-unsandboxed",
    )
    assert "4 matches in this run" in " ".join(told.split()), told
    assert "greedy" in run("bullring", "ladder", "table", "--home", "home")
    assert "greedy" in run("bullring", "watch", "--home", "home")
    run(
        *("bullring", "duel", "@greedy", "@random", "--time", "30s", "--matches", "4", "--jobs", "1"),
        "--allow-unsandboxed",
    )

    run("python", "-P", "-", stdin=SCRIPT)
    for shell, script in COMPLETED.items():
        if shutil.which(shell):
            assert "nifty" in run(shell, "-c", script), shell
        else:
            assert "bullring" in run("bullring", "completion", shell)
            print(f"    {shell} is not installed, so its completion was printed but not used")


def main() -> None:
    """Stops at the first thing that does not work."""
    with tempfile.TemporaryDirectory(prefix="bullring-packages-") as folder:
        # Bots may be users of their own, who must get to the programs.
        Path(folder).chmod(0o755)
        for package in build(Path(folder) / "built"):
            print(f"  {package.name}", flush=True)
            try_everything(install(package, Path(folder) / package.suffix.strip(".")))


if __name__ == "__main__":
    main()
