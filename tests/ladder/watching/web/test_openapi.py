"""The description of the addresses for programs: it has all that there are, and says what they answer."""

import json
import re
import socket
from contextlib import closing
from pathlib import Path

from bullring.arena.watching.web.app import Shown, routes
from bullring.arena.watching.web.tables import Tables
from bullring.ladder.store.home import Home
from bullring.ladder.watching.web.facts import described, facts
from tests.ladder.homes import four

FOR_PEOPLE = {("GET", "/"), ("GET", "/tables/{key}"), ("GET", "/tables/{key}/sit"), ("GET", "/{path:path}")}
"""Pages, and the files beside them."""


def test_every_address_is_described_or_is_for_people() -> None:
    line, other = socket.socketpair()
    with line, other:
        found = routes(Shown([], {}, tables=Tables(line, may_make=True)))
    served = {(method, route.path) for route in found for method in route.methods or () if method != "HEAD"}
    told = {(method.upper(), path) for path, methods in described()["paths"].items() for method in methods}
    assert served - FOR_PEOPLE == {(method, path) for method, path in told if not path.startswith("/api/")}
    assert served >= FOR_PEOPLE


def test_every_file_of_facts_is_described(tmp_path: Path) -> None:
    home: Home = four(tmp_path / "home")
    with closing(home.store(read_only=True)) as store:
        names = {name for name, _ in facts(home, store)}
    paths = {path for path in described()["paths"] if path.startswith("/api/") and "{" not in path}
    assert {f"/{name.removesuffix('.json')}" for name in names if name.startswith("api/")} <= {
        path.removesuffix(".json") for path in paths
    }


def test_the_description_holds_together() -> None:
    whole = described()
    text = json.dumps(whole)
    for name in re.findall(r'"#/components/schemas/(\w+)"', text):
        assert name in whole["components"]["schemas"]
    for path, methods in whole["paths"].items():
        for method, about in methods.items():
            asked = {one["name"] for one in about.get("parameters", ()) if one["in"] == "path"}
            assert asked == {*re.findall(r"{(\w+)}", path)}, path
            assert about["summary"], path
            assert about["responses"], path
            assert (method == "post" and path != "/tables/{key}/analysis") == ("requestBody" in about), path
