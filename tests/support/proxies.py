"""Proxies with TLS as docs/serving.md sets them up, at ports of this machine."""

import os
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ladder.homes import until
from tests.support.engine import MUST
from tests.support.recipes import recipe
from tests.support.seats import Way

NAME = "ladder.example.org"
"""What the recipes call the server."""


SILENCE = 30
"""Seconds after which the proxies give a connection up on which nothing came: half of what nginx does by itself."""

SILENT = f"\t\ttransport http {{\n\t\t\tread_timeout {SILENCE}s\n\t\t}}"
"""The same for a Caddy, which by itself waits for ever."""


class Proxy:
    """A proxy that runs while it is needed."""

    def __init__(self, command: list[str], folder: Path, way: Way) -> None:
        self.way = way
        self._command = command
        self._folder = folder
        """Its home: nothing of it stays on this machine."""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            self._command,
            text=True,
            start_new_session=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self._folder)},
        )
        until(self._listens, self._process)

    def end(self) -> None:
        """Kill it, with all connections through it: asked to end, it would wait for them."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _listens(self) -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.way.port)) == 0


def nginx(folder: Path, port: int, server: int) -> list[str]:
    """The command line of an nginx."""
    live = f"/etc/letsencrypt/live/{NAME}"
    own = recipe(
        "proxy_pass",
        ("listen 443", f"listen 127.0.0.1:{port}"),
        (f"{live}/fullchain.pem", folder / "cert.pem"),
        (f"{live}/privkey.pem", folder / "key.pem"),
        ("127.0.0.1:8080", f"127.0.0.1:{server}"),
        (
            "proxy_http_version 1.1;",
            f"proxy_http_version 1.1; proxy_read_timeout {SILENCE}s; proxy_send_timeout {SILENCE}s;",
        ),
    )
    places = "".join(f"{kind}_temp_path {folder};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{places}{own}}}\n"
    )
    return ["nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, server: int) -> list[str]:
    """The command line of a Caddy."""
    own = recipe(
        "reverse_proxy",
        (f"{NAME} {{", f"{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls {folder}/cert.pem {folder}/key.pem"),
        ("reverse_proxy 127.0.0.1:8080", f"reverse_proxy 127.0.0.1:{server} {{\n{SILENT}\n\t}}"),
    )
    about = f"{{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system {folder}/storage\n}}\n"
    (folder / "Caddyfile").write_text(about + own)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES: dict[str, Callable[[Path, int, int], list[str]]] = {"nginx": nginx, "caddy": caddy}
"""By the names of their programs."""


@contextmanager
def proxied(name: str, folder: Path, server: int) -> Iterator[Proxy]:
    """A proxy before the server at this port. The test is skipped if it is not installed."""
    for program in (name, "openssl"):
        if shutil.which(program) is None:
            why = f"no {program}; on Debian: apt install {program}"
            if os.environ.get(MUST):
                pytest.fail(why)
            pytest.skip(why)
    folder.mkdir()
    key, cert = folder / "key.pem", folder / "cert.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    made += ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(made, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    way = Way(port, NAME, ssl.create_default_context(cafile=str(cert)))
    proxy = Proxy(PROXIES[name](folder, port, server), folder, way)
    try:
        proxy.start()
        yield proxy
    finally:
        proxy.end()
