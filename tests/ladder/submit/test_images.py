"""A container image is submitted, and plays on the ladder."""

import io
import os
import shutil
import subprocess
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.sandbox.container.engine import open_engine
from bullring.errors import BotError, Refusal
from bullring.ladder.store.home import Home
from bullring.ladder.submit.candidate import Wanted
from bullring.ladder.submit.submission import submit

IMAGE = "bullring-test/player"

BOT = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char line[1 << 20];
    puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"player\"}");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"bye\"")) return 0;
        if (!strstr(line, "\"type\":\"decide\"") || !id) continue;
        printf("{\"type\":\"choice\",\"id\":%ld,\"index\":0}\n", strtol(id + 5, NULL, 10));
        fflush(stdout);
    }
    return 0;
}
"""


async def make(tag: str, program: Path, changes: list[str]) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        tar.add(program, "player")
    async with open_engine() as engine:
        await engine.call(
            "make an image",
            lambda: engine.client.import_image_from_data(file.getvalue(), repository=IMAGE, tag=tag, changes=changes),
        )


@pytest.mark.slow
def test_an_image_is_submitted_with_the_command_of_its_label(
    engine_socket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{engine_socket}")
    (tmp_path / "player.c").write_text(BOT)
    subprocess.run(["gcc", "-static", "-o", tmp_path / "player", tmp_path / "player.c"], check=True)
    trio.run(make, "1", tmp_path / "player", ["LABEL bullring.run=/player"])
    trio.run(make, "2", tmp_path / "player", [])
    home = Home.create(tmp_path / "home", ("10s", "start=30s"))

    def submitted(text: str, run: str = "") -> str:
        wish = home.settings().wish("docker", os.geteuid() == 0, None)
        with closing(home.store()) as store:
            return trio.run(submit, home, store, Wanted(text, run=run), wish, lambda _: None).row.name

    with pytest.raises(Refusal, match="which bots may not use here; to allow it"):
        submitted(f"image:{IMAGE}:1")
    with home.settings_file.open("a") as file:
        file.write(f'[sandbox]\nimages = ["{IMAGE}:*"]\n')
    assert submitted(f"image:{IMAGE}:1") == "player"
    with pytest.raises(BotError, match="or a label bullring"):
        submitted(f"image:{IMAGE}:2")
    assert submitted(f"image:{IMAGE}:2", "/player") == "player v2"
    with pytest.raises(BotError, match="there is no image"):
        submitted(f"image:{IMAGE}:3")
    with closing(home.store(read_only=True)) as store:
        assert [row.source for row in store.bots()] == [f"image {IMAGE}:1", f"image {IMAGE}:2"]
