"""The web application of a study: one page that needs no network, and requests that read and write the study's file.

No response contains a caption's source, an image's name, or the study's name.
"""

import base64
import hashlib
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import Body, Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from photocritic.core import limits
from photocritic.studies import study_kinds
from photocritic.studies.raters import NotInvited, Rater, Unanswerable
from photocritic.studies.rating_session import NotYours, Sessions
from photocritic.web import Bodies, Bounded
from photocritic.web import serve as serve_app

log = logging.getLogger(__name__)
_MONTHS = 180 * 24 * 3600  # seconds that a browser stays signed in
_LARGEST = (1 << 63) - 1  # that SQLite takes
_INVITATION = "^[A-Za-z0-9_-]{0,64}$"  # of an invitation; empty where the page was opened without
_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}


def serve(path: Path, host: str = "127.0.0.1", port: int = 8700) -> None:
    """Serve a study until it is interrupted or terminated; all answers stand in its one file then.

    Parameters
    ----------
    path : Path
        The study's file.
    host : str
        Address to listen on; raters on other machines need one that they can reach.
    port : int
        0 takes a free one; the address is written to the standard output.

    Raises
    ------
    PhotocriticError
        The file is not a study, or the address cannot be had.
    """
    bodies = Bodies(limits.FORM_BYTES, limits.CONNECTIONS * limits.FORM_BYTES)
    with Sessions(path) as sessions:
        serve_app(
            lambda port: Bounded(application(sessions, port), bodies),
            host,
            port,
            lambda address: f"{path}: {address} (Ctrl-C ends; every answer is kept)",
        )
        log.info("%s: ended", path)


class RaterAuth:
    """Identify the rater of a request by a cookie; as a dependency, refuse requests without one.

    Parameters
    ----------
    sessions : Sessions
        The raters.
    port : int
        Part of the cookie's name: browsers send a cookie to all ports of a machine, which may serve several studies.
    """

    def __init__(self, sessions: Sessions, port: int) -> None:
        self._sessions = sessions
        self._cookie = f"photocritic_rater_{port}"

    def find(self, request: Request) -> Rater | None:
        """Return the rater; None where nobody has signed in."""
        return self._sessions.rater(request.cookies.get(self._cookie, ""))

    def __call__(self, request: Request) -> Rater:
        """Return the rater, or answer that one must sign in."""
        if (found := self.find(request)) is None:
            raise HTTPException(401, "sign in first")
        return found

    def sign_in(self, response: Response, token: str) -> None:
        """Store the invitation in the browser."""
        response.set_cookie(self._cookie, token, max_age=_MONTHS, httponly=True, samesite="strict")

    def sign_out(self, response: Response) -> None:
        """Remove the invitation from the browser."""
        response.delete_cookie(self._cookie, httponly=True, samesite="strict")


def application(sessions: Sessions, port: int) -> FastAPI:
    """Return the web application of a study; parameters as of `RaterAuth`."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)  # FastAPI's pages load scripts from the network
    auth = RaterAuth(sessions, port)
    _add_headers(app)
    _add_errors(app)
    _add_sign_in(app, sessions, auth)
    _add_trials(app, sessions, auth)
    return app


def _add_sign_in(app: FastAPI, sessions: Sessions, auth: RaterAuth) -> None:
    @app.get("/")
    def page() -> HTMLResponse:
        return HTMLResponse(_page(), headers={"Content-Security-Policy": _policy()})

    @app.get("/study")
    def study(request: Request) -> dict[str, Any]:
        return {
            "question": sessions.kind.question,
            "guide": sessions.kind.guide,
            "photograph": sessions.kind.photograph,
            "choices": [asdict(choice) for choice in sessions.kind.choices],
            "captions": sessions.kind.captions,
            "top": study_kinds.TOP,
            "groups": study_kinds.GROUPS,
            "training": sessions.terms.training,
            "signed_in": auth.find(request) is not None,
        }

    @app.post("/sign-in")
    def sign_in(
        response: Response,
        invitation: Annotated[str, Body(pattern=_INVITATION)],
        name: Annotated[str, Body()],
        group: Annotated[str, Body()],
    ) -> dict[str, Any]:
        rater = sessions.sign_in(invitation, name, group)
        auth.sign_in(response, invitation)
        return _state(sessions, rater)

    @app.post("/sign-out")
    def sign_out(response: Response) -> dict[str, Any]:
        auth.sign_out(response)
        return {}


def _add_trials(app: FastAPI, sessions: Sessions, auth: RaterAuth) -> None:
    known = Depends(auth)

    @app.get("/task")
    def task(rater: Rater = known) -> dict[str, Any]:
        return _state(sessions, rater)

    @app.get("/last")
    def last(rater: Rater = known) -> dict[str, Any]:
        if (found := sessions.last(rater)) is None:
            raise HTTPException(404, "nothing is answered yet")
        return {"task": asdict(found)}

    @app.post("/answers")
    def answer(
        trial: Annotated[int, Body(ge=1, le=_LARGEST)],
        value: Annotated[int, Body(strict=True)],
        rater: Rater = known,
    ) -> dict[str, Any]:
        sessions.answer(rater, trial, value)  # committed before anything is sent back
        return _state(sessions, rater)

    @app.get("/photographs/{number}", dependencies=[known])
    def photograph(number: int) -> Response:
        data = sessions.photograph(number) if 0 < number <= _LARGEST else None
        if not data:
            raise HTTPException(404, "there is no such photograph")
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def _state(sessions: Sessions, rater: Rater) -> dict[str, Any]:
    task = sessions.task(rater)
    return {
        "rater": {"name": rater.name, "group": rater.group},
        "task": asdict(task) if task else None,
        "progress": asdict(sessions.progress(rater)),
    }


def _add_headers(app: FastAPI) -> None:
    @app.middleware("http")
    async def harden(request: Request, proceed: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await proceed(request)
        response.headers.update(_HEADERS)
        return response


def _add_errors(app: FastAPI) -> None:
    """Answer each error with its reason in one line."""

    @app.exception_handler(Unanswerable)
    def unanswerable(_: Request, error: Unanswerable) -> JSONResponse:
        return _refuse(422, str(error))

    @app.exception_handler(NotInvited)
    def not_invited(_: Request, error: NotInvited) -> JSONResponse:
        return _refuse(403, str(error))

    @app.exception_handler(NotYours)
    def not_yours(_: Request, error: NotYours) -> JSONResponse:
        return _refuse(409, str(error))

    @app.exception_handler(RequestValidationError)
    def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return _refuse(422, f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}")

    @app.exception_handler(sqlite3.Error)
    def unsaved(_: Request, error: sqlite3.Error) -> JSONResponse:
        log.error("the study's file: %s", error)
        return _refuse(503, "the study's file cannot be used now")


def _refuse(status: int, text: str) -> JSONResponse:
    return JSONResponse({"detail": text}, status)


@cache
def _page() -> str:
    loader = PackageLoader("photocritic.studies")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("study.html").render()


@cache
def _policy() -> str:
    """Allow the page's own script and style, by their hashes, and nothing else."""
    own = f"img-src 'self' data:; connect-src 'self'; style-src {_hash('style')}; script-src {_hash('script')}"
    return f"default-src 'none'; {own}; form-action 'none'; base-uri 'none'"


def _hash(tag: str) -> str:
    text = _page().partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
