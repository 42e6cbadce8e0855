"""Each wrong bot fails the one step that is about its mistake, and is told what to do."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.games.rules.registry import find
from bullring.arena.match.checking.check import Build, check
from bullring.arena.match.checking.result import Result, Verdict, passed
from bullring.arena.settings.limits import Limits
from bullring.arena.watching.display.check_steps import step_lines, summary_lines
from bullring.errors import BuildFailure
from tests.support.processes import UNCONFINED

BOTS = Path(__file__).parent / "bots"
LIMITS = Limits.seconds(start=20.0, card=2.0, row=2.0, other=2.0)
QUICK_START = Limits.seconds(start=0.5, card=2.0, row=2.0, other=2.0)
"""For a bot that never says hello."""
INTERPRETERS = {".py": sys.executable, ".pl": "perl", ".sh": "bash", ".php": "php", ".lua": "lua"}


def checked(
    name: str, *arguments: str, games: Sequence[str] = ("standard",), limits: Limits = LIMITS, restart: bool = False
) -> list[Result]:
    """Check a bot by its file, or a wrong one in Python by its mistake."""
    return run(bot_of(name, *arguments, restart=restart), games, limits)


def bot_of(name: str, *arguments: str, restart: bool = False) -> Bot:
    if "." not in name:
        name, arguments = "wrong.py", (name, *arguments)
    interpreter = INTERPRETERS[Path(name).suffix]
    if shutil.which(interpreter) is None:
        pytest.skip(f"there is no {interpreter}")
    return Bot(name, Program((interpreter, name, *arguments), BOTS), "match" if restart else "never")


def run(
    bot: Bot, games: Sequence[str] = ("standard",), limits: Limits = LIMITS, build: Build | None = None
) -> list[Result]:
    async def main() -> list[Result]:
        async with open_sandbox(UNCONFINED) as sandbox:
            return await check(bot, sandbox, limits, [find(game) for game in games], build=build)

    return trio.run(main)


def the_failure(results: Sequence[Result], step: str) -> Result:
    """The only step that has failed."""
    assert [result.step for result in results if result.failed] == [step], [
        (result.step, result.found) for result in results if result.failed
    ]
    assert not passed(results)
    return next(result for result in results if result.failed)


@pytest.mark.parametrize("restart", [False, True])
def test_a_right_bot_passes(restart: bool) -> None:
    games = ("standard", "hand", "nifty", "online")
    results = checked("right.py", games=games, restart=restart)
    assert passed(results)
    skipped = [result.step for result in results if result.verdict is Verdict.SKIPPED and result.step != "clock"]
    assert skipped == (["builds", "matches"] if restart else ["builds"])
    assert [result.step for result in results if result.step.startswith("match ")] == [
        f"match {game}" for game in games
    ]
    assert all(result.found for result in results)


IN_PYTHON = [
    ("ends_at_once", "starts", "write `a_module_of_my_home` into requirements.txt", "the end of its output"),
    ("old_protocol", "hello", "", '"protocol" must be 1'),
    ("pretty", "hello", "on one line", "got '{'"),
    ("floats", "question", "without a fraction", "a choice as in SPEC.md"),
    ("one_match", "matches", 'restart = "match"', "the end of its output"),
    ("thinks_aloud", "quiet", "print to stderr", "'I take "),
    ("thinks_afterwards", "quiet", "print to stderr", "'scores: ["),
    ("one_read", "pieces", "keep what is left over", "that came byte by byte"),
    ("empty_map", "empty", "answer by index", "'option': {}"),
    ("numbers_only", "stop", "", "the only option 'stop'"),
    ("known_kinds", "unknown kind", "with the first option", "the unknown kind 'barter'"),
    ("strict", "unknown", "ignore what you do not know", "events of unknown types"),
    ("gives_up", "fault", "go on after a fault", 'the key "fault"'),
    ("rows_from_zero", "kinds", "", "of the kind row in standard with 2 seats"),
]
WAITED_FOR = [
    ("silent", "question", "Flush stdout after each message", "got nothing"),
    ("stays_after_bye", "bye", "leave the loop", "still runs"),
    ("stays", "end", "leave the loop", "still runs"),
]
IN_OTHER_LANGUAGES = [
    ("speaks_first.sh", "hello", "print to stderr", "the text 'Loading the opening book..."),
    ("warnings.php", "hello", "display_errors = stderr", "Undefined variable $never_set in"),
    ("numbers_as_text.pl", "question", "without quotes, or answer by index", "got '"),
    ("empty_map.lua", "empty", "answer by index", "'option': {}"),
]


def games_of(step: str) -> Sequence[str]:
    return ("standard", "hand") if step in ("empty", "stop") else ("standard",)


@pytest.fixture(scope="module")
def wrong() -> dict[str, list[Result]]:
    """The results of all wrong bots in Python, some checked side by side: most of a check is waiting."""
    results: dict[str, list[Result]] = {}

    async def one(sandbox: Sandbox, limiter: trio.CapacityLimiter, name: str, step: str) -> None:
        async with limiter:
            results[name] = await check(bot_of(name), sandbox, LIMITS, [find(game) for game in games_of(step)])

    async def main() -> None:
        async with open_sandbox(UNCONFINED) as sandbox, trio.open_nursery() as nursery:
            for name, step, *_ in IN_PYTHON:
                nursery.start_soon(one, sandbox, limiter, name, step)

    limiter = trio.CapacityLimiter(4)
    trio.run(main)
    return results


@pytest.mark.xdist_group("wrong bots")
@pytest.mark.parametrize(
    ("name", "step", "remedy", "found"),
    [*IN_PYTHON, *IN_OTHER_LANGUAGES, *(pytest.param(*each, marks=pytest.mark.slow) for each in WAITED_FOR)],
)
def test_a_wrong_bot_fails_its_step(
    name: str, step: str, remedy: str, found: str, wrong: dict[str, list[Result]]
) -> None:
    result = the_failure(wrong.get(name) or checked(name, games=games_of(step)), step)
    assert remedy in result.remedy
    assert bool(remedy) == bool(result.remedy)
    assert found in result.found
    if step not in ("starts",):
        assert result.traffic, "it is shown what was said"


def test_output_in_a_buffer() -> None:
    result = the_failure(checked("unflushed.pl", limits=QUICK_START), "hello")
    assert "expected a hello within 0.5 s; got nothing" in result.found
    assert "Flush stdout after each message: SPEC.md#traps" in result.remedy


def test_a_mistake_late_in_one_game() -> None:
    result = the_failure(checked("forgets", games=("standard", "nifty")), "match standard")
    assert "(illegal, deal 1, turn 7, card)" in result.found
    assert "got 105" in result.found
    assert any("105" in line for line in result.traffic)
    assert "105" in result.traffic[-1], "no later message hides it"


def test_of_the_first_kind_that_failed_it_is_shown_what_was_said() -> None:
    result = the_failure(checked("fears_rows", games=("standard", "online")), "kinds")
    assert "of the kind row in standard with 2 seats; got the end of its output" in result.found
    assert '"kind":"row"' in result.traffic[-1]
    assert "afraid of rows" in result.stderr
    assert result.exit == "exited with status 1"


def test_a_bot_that_dies_of_an_error_is_not_told_to_restart() -> None:
    result = the_failure(checked("fears_rematches"), "matches")
    assert "got the end of its output" in result.found
    assert not result.remedy
    assert "afraid of rematches" in result.stderr


def test_late_answers() -> None:
    results = checked("slow", limits=Limits.seconds(start=20.0, card=0.4, row=20.0, other=20.0))
    result = the_failure(results, "time")
    assert "an answer within 400 ms (99 of 100 answers)" in result.found
    (match,) = [result for result in results if result.step == "match standard"]
    assert match.verdict is Verdict.SKIPPED
    assert "too late" in match.found


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ('"decide"', "question"),
        *(
            pytest.param(*each, marks=pytest.mark.slow)  # each waits for seconds
            for each in [
                ('"match_over"', "matches"),
                ('"options":[[]]', "empty"),
                ("barter", "unknown kind"),
                ("thunder", "unknown"),
                ('"fault"', "fault"),
                ('"kind":"row"', "kinds"),
                ('"turn":9', "time"),
                ('"bye"', "bye"),
            ]
        ),
    ],
)
def test_a_bot_that_hangs_fails_its_step_and_the_check_goes_on(text: str, step: str) -> None:
    limits = Limits.seconds(start=20.0, card=0.5, row=0.5, other=0.5)
    results = checked("hangs", text, limits=limits)
    the_failure(results, step)
    assert results[-1].step == "end"
    assert results[-1].verdict is Verdict.PASS


def test_a_program_for_another_machine(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xf3\x00" + bytes(200))
    program.chmod(0o755)
    result = the_failure(run(Bot("other", Program(("./bot",), tmp_path))), "starts")
    assert "machine" in result.remedy + result.found


def built(words: tuple[str, ...], failure: BuildFailure) -> list[Result]:
    """Check a bot whose build fails."""

    async def build(bot: Bot) -> Bot:
        raise failure

    return run(Bot("built", Program((sys.executable, "right.py"), BOTS), build=words), build=build)


def test_a_build_that_fails() -> None:
    results = built(("cargo", "build"), BuildFailure("the build ended with status 1", log="no such crate"))
    failure = the_failure(results, "builds")
    assert failure.found == "expected a build that ends well: cargo build; got the build ended with status 1"
    assert failure.stderr == "no such crate"
    assert all(result.verdict is Verdict.SKIPPED for result in results[1:]), "what is not built does not start"


@pytest.mark.parametrize(
    ("words", "why", "remedy"),
    [
        (("cc", "bot.c"), "succeeded, but `run` in its bot.toml cannot be started: bot", "must leave in the folder"),
        (("cc", "bot.c"), "failed: cc bot.c exited with status 1", "run it in the bot's folder first"),
        (("cc", "bot.c", "&&", "strip", "bot"), "failed", 'build = ["sh", "-c", "cc bot.c && strip bot"]'),
    ],
)
def test_what_to_do_about_a_failed_build(words: tuple[str, ...], why: str, remedy: str) -> None:
    failure = the_failure(built(words, BuildFailure(f"the build of built {why}", log_path="/logs/1")), "builds")
    assert f"got one that {why}" in failure.found
    assert remedy in failure.remedy
    assert failure.remedy.endswith("; the whole log: /logs/1")


def test_what_a_bot_says_cannot_pass_for_a_result() -> None:
    results = checked("shows_off")
    assert not passed(results)
    lines = [
        line.plain for number, result in enumerate(results, 1) for line in step_lines(number, result.facts(), width=80)
    ]
    for line in lines:
        assert line.isprintable()
        assert len(line) <= 80
    starts = [line for line in lines if not line.startswith(" " * 12)]
    assert len(starts) == len(results), "its own lines are behind a margin"
    assert summary_lines([result.facts() for result in results], "none", 80)[-1].endswith("check again")


def test_a_flood_is_bounded() -> None:
    result = the_failure(checked("floods"), "question")
    assert len(str(result.facts())) < 50_000


@pytest.mark.parametrize("restart", [False, True])
def test_a_crash_in_a_match(restart: bool) -> None:
    result = the_failure(checked("dies_in_matches", restart=restart), "match standard")
    assert "an answer (crash, deal 1, turn 1, card); got the end of its output" in result.found
    assert "restart" not in result.found, "it did not end after a match"
    assert result.stderr == "so much time\n"
    assert result.exit in ("exited with status 1", "ended by the arena")
