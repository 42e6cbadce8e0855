"""`bullring ladder company`."""

import json
from contextlib import closing
from pathlib import Path

import numpy as np

from bullring.arena.games.rules.registry import find
from bullring.arena.match.seeds import Seed
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import MatchRow, SeatRow
from tests.ladder.homes import ladder, told
from tests.ladder.stored import TIMES, match_of, played

NAMES = ["ann", "bob", "cleo", "dan", "[red]eve\x1b[31m", "fay", "gil", "hal", "ida"]


def kept(folder: Path, matches: int) -> Home:
    """A home in which ann wins whenever bob is there, and else everything is luck."""
    home = Home.create(folder / "home", ("1s",))
    rng = np.random.default_rng(1)
    with closing(home.store()) as store:
        for name in NAMES:
            store.add_bot(name, f"program {name}")
        list_ = store.list_of("standard", find("standard")(3, {"deals": 1}).options, 3)
        rows = []
        for id in range(1, matches + 1):
            bots = [int(bot) + 1 for bot in rng.permutation(len(NAMES))[:3]]
            heads = [int(head) for head in rng.permutation(30)[:3]]
            if {1, 2} <= set(bots):
                heads[bots.index(1)] = 0
            ranks = [1 + sum(other < head for other in heads) for head in heads]
            seats = [
                SeatRow(bot, head, rank, (), False, {}, {}) for bot, head, rank in zip(bots, heads, ranks, strict=True)
            ]
            seed = Seed(f"5eed {id}", f"nonce {id}")
            rows.append(MatchRow(id, list_.id, "ladder", None, seed, *TIMES, None, True, 1, seats, f"{id:064x}"))
        played(store, *rows)
    return home


def test_help_is_shown_with_what_it_may_mean_and_what_to_look_at(tmp_path: Path) -> None:
    home = kept(tmp_path, 2000)
    facts = told("company", "--json", home=home)
    assert len(facts["pairs"]) == 72
    assert [(pair["bot"], pair["beside"]) for pair in facts["pairs"] if pair["unusual"]] == [("ann", "bob")]
    assert facts["pairs"][0]["points"] > 0.3
    (ring,) = facts["rings"]
    assert (ring["helpers"], ring["helped"], ring["confirmed"]) == (["bob"], ["ann"], True)
    assert ring["chance"] < 0.05
    assert len(ring["look_at"]) == 3
    output = ladder("company", home=home).output
    assert "1 ring of bots is unusual" in output
    assert "ann does better beside bob" in output
    assert f"bullring replay {ring['look_at'][0]}" in output
    assert "Unusual does not mean guilty" in output
    assert "\x1b" not in ladder("company", "--all", home=home).output
    alone = json.loads(ladder("company", "fay", "--json", home=home).stdout)
    assert (len(alone["pairs"]), alone["rings"]) == (16, [])
    assert "No bots seem to help each other (16 pairs)" in ladder("company", "fay", home=home).output


def test_later_matches_confirm_what_earlier_ones_suggest(tmp_path: Path) -> None:
    home = kept(tmp_path, 2000)
    assert told("company", "--confirm", "1000", "--json", home=home)["rings"][0]["confirmed"]
    assert told("company", "--confirm", "2000", "--json", home=home)["rings"] == []
    assert "No rings can be looked for yet" in ladder("company", "--confirm", "2000", home=home).output


def test_a_pair_is_rated_apart(tmp_path: Path) -> None:
    home = kept(tmp_path, 2000)
    found = told("company", "--as-one", "ann,bob", "--json", home=home)
    assert (found["bots"], found["matches"]) == (["ann", "bob"], 2000)
    assert 100 < found["left_out"] < 230  # 1 in 12
    ann = next(row for row in found["ratings"] if row["bot"] == "ann")
    assert ann["apart"] < ann["rating"] - 5
    output = ladder("company", "--as-one", "ann,bob", home=home).output
    assert f"without the {found['left_out']} matches of 2000 in which two of ann and bob sat together" in output
    refused = ladder("company", "--as-one", "ann", home=home)
    assert refused.exit_code != 0
    assert "two bots or more" in refused.output


def test_too_few_matches_and_too_few_seats_are_said(tmp_path: Path) -> None:
    home = kept(tmp_path, 30)
    assert "Nothing can be said yet" in ladder("company", home=home).output
    with closing(home.store()) as store:
        played(store, match_of(store, (3, 1)))
    refused = ladder("company", "--seats", "2", home=home)
    assert refused.exit_code != 0
    assert "three seats or more" in refused.output
