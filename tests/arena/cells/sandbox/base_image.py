"""An image to build on, for tests: nothing but a static program that does what it is told."""

import io
import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.container.engine import Engine

NAME = "bullring-test/base:1"

PROGRAM = r"""
#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int main(int count, char **words) {
    const char *deed = count > 1 ? words[1] : "greet";
    if (!strcmp(deed, "greet")) return puts("hello") < 0;
    if (!strcmp(deed, "die")) return *(volatile int *)0;
    if (!strcmp(deed, "fail")) return puts("words"), 3;
    if (!strcmp(deed, "connect")) {
        struct sockaddr_in to = {AF_INET, htons(9), {htonl(INADDR_LOOPBACK)}};
        if (connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to)) perror("connect");
        return 1;
    }
    DIR *links = opendir("/sys/class/net");
    for (struct dirent *each; (each = readdir(links));) printf("link %s\n", each->d_name);
    return 1;
}
"""


def make(engine: Engine, folder: Path) -> None:
    """Make the image `NAME`. Its program is /probe."""
    program = compiled(folder)
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        tar.add(program, "probe")
    told = engine.client.import_image_from_data(file.getvalue())
    engine.client.tag(json.loads(told.split("\n")[0])["status"], *NAME.split(":"))


def compiled(folder: Path) -> Path:
    """The program, in this folder."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    source = folder / "probe.c"
    source.write_text(PROGRAM)
    subprocess.run(["gcc", "-static", "-o", folder / "probe", source], check=True)
    return folder / "probe"
