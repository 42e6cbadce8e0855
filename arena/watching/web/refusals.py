"""Answers to requests that are refused: a page for people, and a few bytes for programs."""

from collections.abc import Mapping

from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

from bullring.arena.watching.web import REFUSALS
from bullring.arena.watching.web.files import Folders, opened, policy_of


def refusal(folders: Folders, scope: Scope, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request."""
    if _is_for_people(scope):
        try:
            with opened(folders, f"{REFUSALS}/{status}.html") as file:
                page = file.read()
            more = {"content-security-policy": policy_of(page), "cache-control": "no-store"}
            return Response(page, status, {**(headers or {}), **more}, "text/html")
        except FileNotFoundError:
            pass
    return PlainTextResponse(f"{status}\n", status, headers)


def _is_for_people(scope: Scope) -> bool:
    """Whether a browser asks for something that it shows."""
    return not scope["raw_path"].startswith(b"/api") and b"text/html" in dict(scope["headers"]).get(b"accept", b"")
