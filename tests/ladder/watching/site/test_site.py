"""The site of a home: what is in it, what is not, and that it is whole and only its own at every moment."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from bullring.arena.watching.display.elo import rated
from bullring.errors import WriteError
from bullring.ladder.store.home import Home
from bullring.ladder.watching.site.folder import FIRST, MANIFEST, Folder
from bullring.ladder.watching.site.site import Report
from tests.ladder.homes import ladder, told, until
from tests.ladder.watching.site.homes import HOSTILE, PLACE, files_of, home_of, more
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return home_of(tmp_path_factory.mktemp("report") / "home")


def make(home: Home, folder: Path, *, replays: int = 50, logs: bool = False) -> int:
    """As the command does it, each time anew."""
    with closing(home.store(read_only=True)) as store:
        return Report(home, Folder(folder), replays, logs=logs).make(store)


def broken(folder: Path) -> list[str]:
    """Links of the site that lead nowhere, or out of it."""
    wrong = []
    for page in folder.rglob("*.html"):
        for link in re.findall(r' (?:href|data-program)="([^"#][^"]*)"', page.read_text().partition("<template")[0]):
            file, _, asked = unescape(link).partition("#")[0].partition("?")
            to = Path(os.path.normpath(page.parent / file))
            if asked and not (folder / "records" / f"{asked.rpartition('-')[0]}.js").is_file():
                wrong.append(f"{page.relative_to(folder)}: {link}")
            if not link.startswith("data:") and not (to.is_file() and to.is_relative_to(folder)):
                wrong.append(f"{page.relative_to(folder)}: {link}")
    return wrong


def test_has_a_page_that_compares_every_two_bots(home: Home, tmp_path: Path) -> None:
    make(home, tmp_path)
    page = (tmp_path / "pairs" / "1.html").read_text()
    rows = [row["bot"] for row in told("table", "--format", "json", home=home)["rows"] if row["rating"] is not None]
    compared = {(pair["bot"], pair["other"]): pair for pair in told("compare", *rows, "--json", home=home)}
    lines = re.findall("<tr>(.*?)</tr>", page.partition("<tbody>")[2].partition("</tbody>")[0])
    assert len(lines) == len(rows) > 2
    for bot, line in zip(rows, lines, strict=True):
        cells = re.findall(
            r'<span class="difference">(.*?)</span><span class="chance">(.*?)</span>(?:</a>)?</td>', line
        )
        for other, (elo, chance) in zip([one for one in rows if one != bot], cells, strict=True):
            if (bot, other) in compared:
                pair = compared[bot, other]
                assert elo.partition(" ")[0].lstrip("+") == rated(round(pair["elo"]) or 0, pair["error"])
                assert chance == f"{100 * pair['chance']:.0f}"


def test_tells_what_is_worth_a_look_and_sums_up_each_bot(home: Home, tmp_path: Path) -> None:
    make(home, tmp_path)
    listed = unescape((tmp_path / "lists" / "1.html").read_text())
    cards = re.findall(r'<article class="story">.*?<h3><span lang="en">(.*?)</span>', listed, re.DOTALL)
    assert len(cards) > 1
    row = next(row for row in told("table", "--format", "json", home=home)["rows"] if row["bot"] == "ann")
    bot = unescape((tmp_path / "bots" / "1.html").read_text())
    assert "<dd>– " in bot  # its rating is provisional
    assert f"{100 * row['wins']:.1f}%" in bot


def test_has_the_numbers_of_the_table(home: Home, tmp_path: Path) -> None:
    done = ladder("report", str(tmp_path / "site"), home=home)
    assert done.exit_code == 0, done.output
    listed = re.sub('<span lang="de">[^<]*</span>', "", (tmp_path / "site" / "lists" / "1.html").read_text())
    rows = [
        [re.sub("<[^>]*>", "", cell) for cell in re.findall("<t[dh][^>]*>(.*?)</t[dh]>", line)]
        for line in re.findall(
            "<tr[^>]*>(.*?)</tr>", listed.partition('class="sortable figures"')[2].partition("</table>")[0]
        )[1:]
    ]
    wanted = told("table", "--format", "json", home=home)["rows"]
    assert [row[2] for row in rows] == [
        "" if row["rating"] is None else f"{round(row['rating'], -2):.0f}?" for row in wanted
    ]
    assert [row[5] for row in rows] == [str(row["matches"] or "") for row in wanted]
    assert [row[6] for row in rows] == ["" if row["wins"] is None else f"{100 * row['wins']:.1f}%" for row in wanted]


def test_says_in_each_language_who_does_not_play_and_which_places_are_possible(home: Home, tmp_path: Path) -> None:
    make(home, tmp_path)
    page = (tmp_path / "lists" / "1.html").read_text()
    assert '</a> (<span lang="en">benched</span><span lang="de">gesperrt</span>)' in page
    (wide, *_) = (row for row in told("table", "--format", "json", home=home)["rows"] if row["place"])
    assert f'<span lang="en">{wide["ranks"]}</span><span lang="de">{wide["ranks"].replace("to", "bis")}</span>' in page
    assert "to" in wide["ranks"]


def test_every_link_leads_to_a_page_of_the_site(home: Home, tmp_path: Path) -> None:
    make(home, tmp_path / "site", replays=3)
    assert broken(tmp_path / "site") == []
    for page in (tmp_path / "site" / "replays").glob("*.html"):
        (picture,) = re.findall(r'<meta property="og:image" content="([^"]*)">', page.read_text())
        assert (page.parent / picture).read_bytes().startswith(b"\x89PNG")


def test_previews_name_the_ladder_and_lead_to_where_the_site_will_be(home: Home, tmp_path: Path) -> None:
    settings = home.settings_file.read_text("utf-8")
    home.settings_file.write_text(f'{settings}\n[ladder]\nname = "The <Ring>"\n', "utf-8")
    assert home.name == "The <Ring>"
    with closing(home.store(read_only=True)) as store:
        Report(home, Folder(tmp_path / "site"), 1, address="https://example.org/ring/").make(store)
    (page,) = sorted((tmp_path / "site" / "replays").glob("*.html"))[:1]
    text = page.read_text("utf-8")
    assert f'<meta property="og:image" content="https://example.org/ring/replays/{page.stem}.png">' in text
    assert f'<meta property="og:url" content="https://example.org/ring/replays/{page.name}">' in text
    assert '<meta property="og:site_name" content="The &lt;Ring&gt;">' in text
    home.settings_file.write_text(settings, "utf-8")
    assert home.name == home.path.name


def test_says_nothing_of_the_machine_and_takes_no_name_for_a_path_or_for_markup(home: Home, tmp_path: Path) -> None:
    make(home, tmp_path / "site", logs=True)
    names = {str(path.relative_to(tmp_path / "site")) for path in (tmp_path / "site").rglob("*") if path.is_file()}
    assert all(
        re.fullmatch(
            rf"(bots|lists|matches|pairs|replays)/[0-9]+\.html|replays/[0-9]+\.png|program/[0-9]+\.js|re(cords|sults)/[0-9-]+\.js|match\.html|{FIRST}|{MANIFEST}",
            name,
        )
        for name in names
    )
    for path in (tmp_path / "site").rglob("*.html"):
        text = path.read_text()
        assert str(home.path) not in text
        assert PLACE not in text
        assert HOSTILE not in text
        assert "\x1b" not in text
        assert "default-src 'none'" in text
        assert not re.search(r"<[^>]* on[a-z]+=[^>]*>", re.sub("<script.*?</script>", "", text, flags=re.DOTALL))


@pytest.mark.slow
def test_analyses_matches_once_and_keeps_that_in_the_home(tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", 1)
    place, found = home.analysis(1), []
    for seconds in (0, 600, 600):
        with closing(home.store(read_only=True)) as store:
            Report(home, Folder(tmp_path / "site"), 1, analyse=seconds).make(store)
        found.append(place.stat().st_mtime_ns if place.exists() else None)
    assert found[0] is None
    assert found[1] == found[2] is not None


def test_writes_nothing_if_nothing_has_changed(home: Home, tmp_path: Path) -> None:
    assert make(home, tmp_path / "site") > 0
    before = files_of(tmp_path / "site")
    assert make(home, tmp_path / "site") == 0
    assert files_of(tmp_path / "site") == before


def test_a_new_match_leaves_the_replays_of_others_as_they_are_but_for_the_link_to_it(tmp_path: Path) -> None:
    home = home_of(tmp_path / "home")
    make(home, tmp_path / "site")
    before = files_of(tmp_path / "site")
    more(home, 1)
    make(home, tmp_path / "site")
    now = files_of(tmp_path / "site")
    changed = {name for name in before if now.get(name) != before[name]}
    assert now.keys() - before.keys() == {"replays/7.html", "replays/7.png"}
    assert {name for name in changed if name.startswith("replays/")} == {"replays/6.html"}
    assert broken(tmp_path / "site") == []


def test_pages_of_matches_share_one_program_and_a_new_one_takes_its_place(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    make(home, site)
    (program,) = (site / "program").iterdir()
    pages = [*(site / "replays").glob("*.html")]
    assert max(page.stat().st_size for page in pages) < program.stat().st_size / 3
    monkeypatch.setattr("bullring.ladder.watching.site.site.shared", lambda: ("1.js", "another"))
    make(home, site)
    assert [path.name for path in (site / "program").iterdir()] == ["1.js"]
    assert broken(site) == []


def test_what_is_no_part_of_it_any_more_is_removed(home: Home, tmp_path: Path) -> None:
    make(home, tmp_path / "site")
    (tmp_path / "site" / "replays" / "notes.txt").write_text("mine")
    (tmp_path / "site" / "replays" / "99.html").write_text("of a run that was killed")
    make(home, tmp_path / "site", replays=0)
    left = {path.name for path in (tmp_path / "site" / "replays").iterdir()}
    assert "notes.txt" in left
    assert "99.html" not in left
    assert broken(tmp_path / "site") == []


class Killed(BaseException):
    """A stand-in for SIGKILL."""


def killed_at(at: int, replace: Callable[..., None]) -> Callable[..., None]:
    """`os.replace`, which dies before its call number `at`."""
    calls = 0

    def dying(*arguments: object, **more: object) -> None:
        nonlocal calls
        calls += 1
        if calls == at:
            raise Killed
        replace(*arguments, **more)

    return dying


@pytest.mark.slow
def test_a_site_is_whole_wherever_its_writer_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = home_of(tmp_path / "home")
    with closing(home.store()) as store:
        store.add_bot("newcomer", "program")
    make(home, tmp_path / "whole")
    more(home, 1)
    site, replace = tmp_path / "site", os.replace
    for at in range(1, 40):
        subprocess.run(["rm", "-rf", str(site)], check=True)
        subprocess.run(["cp", "-a", str(tmp_path / "whole"), str(site)], check=True)
        monkeypatch.setattr(os, "replace", killed_at(at, replace))
        try:
            make(home, site)
            break
        except Killed:
            assert broken(site) == [], at
        finally:
            monkeypatch.setattr(os, "replace", replace)
        # What was written is not taken for what it was before: an option that is taken back shows the old pages again.
        make(home, site, replays=1)
        assert broken(site) == [], at
        assert not list(site.rglob(".bullring-new-*"))
    else:
        pytest.fail("it never came to an end")
    assert at > 5


def test_a_first_site_has_no_first_page_before_all_others(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed_at(8, os.replace))
        with pytest.raises(Killed):
            make(home, tmp_path / "site")
    assert not (tmp_path / "site" / FIRST).exists()
    make(home, tmp_path / "site")
    assert broken(tmp_path / "site") == []


def test_a_folder_that_is_no_report_is_left_alone(home: Home, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years")
    done = ladder("report", str(tmp_path / "mine"), home=home)
    assert done.exit_code != 0
    assert "not empty and not a report" in done.output
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("name", ["replays", "bots"])
def test_follows_no_link_out_of_its_folder(home: Home, tmp_path: Path, name: str) -> None:
    site, other = tmp_path / "site", tmp_path / "other"
    make(home, site)
    subprocess.run(["rm", "-r", str(site / name)], check=True)
    other.mkdir()
    (other / "1.html").write_text("mine")
    (site / name).symlink_to(other)
    with pytest.raises(WriteError, match="link"):
        make(home, site, replays=2)
    assert (other / "1.html").read_text() == "mine"


def test_removes_nothing_that_a_manifest_names_outside(home: Home, tmp_path: Path) -> None:
    make(home, tmp_path / "site")
    (tmp_path / "mine.html").write_text("mine")
    manifest = tmp_path / "site" / MANIFEST
    facts = json.loads(manifest.read_text())
    facts["files"]["../mine.html"] = facts["files"][str(tmp_path / "mine.html")] = "x"
    manifest.write_text(json.dumps(facts))
    make(home, tmp_path / "site")
    assert (tmp_path / "mine.html").exists()


@pytest.mark.slow
def test_watching_follows_the_home_and_ends_well_with_ctrl_c(tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", 3)
    command = [
        str(BULLRING),
        "ladder",
        "report",
        str(tmp_path / "site"),
        "--home",
        str(home.path),
        "--watch",
        "--every",
        "1",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            until((tmp_path / "site" / FIRST).exists, process)
            more(home, 1)
            until((tmp_path / "site" / "replays" / "4.html").exists, process)
            process.send_signal(2)
            assert process.wait(PATIENCE) == 0, process.communicate()
        finally:
            process.kill()
