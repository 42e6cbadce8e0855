from bullring.arena.cells.sandbox.tiers import TIERS
from docgen import hostile
from tests.hostile.behaviours import BEHAVIOURS

FOUND = {
    "machine": {"kernel": "Linux", "user": "root", "cgroups": "none"},
    "tiers": ["bwrap", "none"],
    "behaviours": [
        {"number": 1, "what": "one", "bwrap": "held", "none": "-"},
        {"number": 2, "what": "two", "bwrap": "FAILED", "none": "-"},
        {"number": 10, "what": "ten", "bwrap": "skipped", "none": "held"},
    ],
}


def test_what_was_found_is_of_the_behaviours_there_are() -> None:
    found = hostile.load()
    assert [(row["number"], row["what"]) for row in found["behaviours"]] == [
        (behaviour.number, behaviour.what) for behaviour in BEHAVIOURS
    ], "run `python -m tests.hostile --json docgen/hostile.json`"
    for row, behaviour in zip(found["behaviours"], BEHAVIOURS, strict=True):
        played = {tier for tier in TIERS if row[tier] != hostile.SKIPPED}
        assert {tier for tier in played if row[tier] != hostile.NOT_PROMISED} == played & set(behaviour.tiers)


def test_every_behaviour_is_in_one_group() -> None:
    assert sorted(number for group in hostile.GROUPS.values() for number in group) == [
        behaviour.number for behaviour in BEHAVIOURS
    ]


def test_the_summary_counts_what_is_held_and_hides_nothing() -> None:
    lines = hostile.summary(FOUND).splitlines()
    assert "| files | 1 of 2, **1 FAILED** | 0 of 2 |" in lines
    assert "| network | 0 of 1, 1 not tried | 1 of 1 |" in lines


def test_the_page_tells_failures() -> None:
    text = hostile.page(FOUND)
    assert "* 2: two (**FAILED in bwrap**)" in text
    assert "* 10: ten (held in none; not tried in bwrap)" in text
