"""Messages about mistakes in files and messages help."""

import pytest
from pydantic import ValidationError

from bullring.arena.cells.bots.manifest import Manifest
from bullring.validation import first_mistake

RUN = {"name": "a", "run": ["a"]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "a"}, "'run' is missing"),
        ({"name": "a", "rum": ["a"]}, "unknown key 'rum' (did you mean 'run'?)"),
        ({**RUN, "limits": {"memory_mb": 64}}, "limits: unknown key 'memory_mb' (did you mean 'memory_mib'?)"),
        ({**RUN, "zzz": 1}, "unknown key 'zzz'; known: name, run"),
        ({**RUN, "run": []}, "run: must not be empty"),
        ({**RUN, "run": "a"}, 'run: must be a list, like ["a"], not "a"'),
        ({**RUN, "name": 3}, "name: must be a string, not 3"),
        ({**RUN, "limits": {"processes": 1}}, "limits.processes: must be at least 2, not 1"),
        ({**RUN, "limits": {"memory_mib": "much"}}, 'limits.memory_mib: must be a whole number, not "much"'),
        ({**RUN, "limits": 3}, "limits: must be a table ([...] or {...}), not 3"),
        ({**RUN, "restart": "often"}, "restart: must be 'never' or 'match', not \"often\""),
    ],
)
def test_the_first_mistake(given: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Manifest.model_validate(given)
    assert first_mistake(caught.value, Manifest).startswith(said)
