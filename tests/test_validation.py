"""Messages about mistakes in TOML files help."""

import pytest

from bullring.arena.cells.bots.manifest import CapsSection, Manifest
from bullring.validation import Mistake, read_table

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
        ({**RUN, "limits": {"processes": 4097}}, "limits.processes: must be at most 4096, not 4097"),
        ({**RUN, "limits": {"processes": True}}, "limits.processes: must be a whole number, not true"),
        ({**RUN, "name": "a" * 65}, 'name: must have at most 64 characters, not "aaa'),
        ({**RUN, "name": ""}, "name: must not be empty"),
        ({**RUN, "run": ["a", "b\n"]}, 'run.1: has characters that are not allowed, not "b\\n"'),
        ({**RUN, "run": ["a", 1]}, "run.1: must be a string, not 1"),
        ({**RUN, "run": ["a"] * 65}, "run: must have at most 64 entries"),
        ({**RUN, "run": {}}, "run: must be a list"),
        ({**RUN, "image": "debian:12\n"}, "image: has characters that are not allowed"),
        ({"nmae": "a", "run": 1}, "unknown key 'nmae' (did you mean 'name'?)"),
        ({**RUN, "restart": ["never"]}, "restart: must be 'never' or 'match'"),
        ({**RUN, "restart": "often"}, "restart: must be 'never' or 'match', not \"often\""),
    ],
)
def test_the_first_mistake(given: dict[str, object], said: str) -> None:
    with pytest.raises(Mistake) as caught:
        read_table(Manifest, given)
    assert str(caught.value).startswith(said)


def test_what_is_declared_is_read_and_the_rest_has_its_defaults() -> None:
    manifest = read_table(Manifest, {**RUN, "limits": {"memory_mib": 16}, "image": "debian:12", "restart": "match"})
    assert manifest == Manifest(
        name="a", run=("a",), limits=CapsSection(memory_mib=16), image="debian:12", restart="match"
    )
    assert manifest.limits.given() == {"memory_mib": 16}
    assert (manifest.build, manifest.language) == ((), "")
