"""Fixtures and settings of all tests."""

import os
import signal
import tempfile
from pathlib import Path

import hypothesis  # before trio, which otherwise warns at the end of a run without property tests
import pytest

from bullring.cli.late import arrive
from tests.support.engine import engine_socket as engine_socket
from tests.support.shared import shared as shared
from tests.support.tiers import tier as tier

# Most tests look at bots from outside: at their process ids, at what they write for the test to read. Those of the sandbox say
# which tier they mean.
os.environ["BULLRING_SANDBOX"] = "none"
os.environ["BULLRING_ALLOW_UNSANDBOXED"] = "1"

# A wait that is told on a busy machine must not come between what a test reads.
os.environ["BULLRING_PROGRESS"] = "never"

# Whatever the locale of this machine is.
os.environ["BULLRING_LANG"] = "en"

# To compile the simulator's kernels takes longer than the quick tests need without. `make slow` compiles them.
os.environ.setdefault("BULLRING_COMPILE", "0")

# No deadlines: other work on the machine must not fail a test.
hypothesis.settings.register_profile("no deadlines", deadline=None)
hypothesis.settings.load_profile("no deadlines")

# A job in the background of a script ignores Ctrl-C, and one under nohup the end of its terminal; so would everything that the
# tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def _within_reach(request: pytest.FixtureRequest) -> None:
    """Where we are root, bots have users of their own, so folders of tests must be readable for all users."""
    if os.geteuid() == 0 and "tmp_path" in request.fixturenames:
        folder = request.getfixturevalue("tmp_path")
        for each in (folder, *folder.parents):
            if each == Path(tempfile.gettempdir()):
                break
            each.chmod(each.stat().st_mode | 0o055)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Give all tests of a module that share a fixture to one worker, so that it is made once."""
    for item in items:
        used = [definitions[-1].scope for definitions in item._fixtureinfo.name2fixturedefs.values()]
        if "module" in used and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.module.__name__))


def pytest_collection_finish() -> None:
    """Modules of tests that look commands up leave imports for later, which the tests of others need."""
    arrive()
