"""The rater's page over HTTP: one page without network, and a few requests that read and write the study's file."""

import base64
import hashlib
import logging
import socket
import sqlite3
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from photocritic.errors import PhotocriticError
from photocritic.evaluation.studies import kinds
from photocritic.evaluation.studies.session import NotYours, Rater, Sessions, Unanswerable

if TYPE_CHECKING:
    from fastapi import FastAPI

log = logging.getLogger(__name__)
_COOKIE = "photocritic_rater"
_MONTHS = 180 * 24 * 3600  # seconds that a browser remembers who sits before it


def serve(path: Path, host: str = "127.0.0.1", port: int = 8700) -> None:
    """Serve a study until it is interrupted.

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
    import uvicorn

    with Sessions(path) as sessions, _listen(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        port = listener.getsockname()[1]
        sys.stdout.write(f"{path}: http://{shown}:{port}/ (Ctrl-C ends; every answer is kept)\n")
        sys.stdout.flush()
        settings = uvicorn.Config(
            application(sessions, port), log_level="warning", access_log=False, server_header=False
        )
        try:
            uvicorn.Server(settings).run(sockets=[listener])
        except KeyboardInterrupt:  # raised again by uvicorn after it has ended in good order
            log.info("%s: ended", path)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise PhotocriticError(
            f"{host}:{port} cannot be listened on ({error}); choose another --port or --host"
        ) from None


def application(sessions: Sessions, port: int = 0) -> "FastAPI":
    """Make the web application of a study.

    Parameters
    ----------
    sessions : Sessions
        The raters.
    port : int
        Tells the cookies of studies apart that are served from one machine: browsers send them to all its ports.

    Returns
    -------
    FastAPI
        Nothing that it answers tells a caption's source, an image's name, or the study's name.
    """
    from fastapi import Body, Cookie, Depends, FastAPI, HTTPException, Response
    from fastapi.responses import HTMLResponse

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)  # FastAPI's pages load scripts from the network
    cookie = f"{_COOKIE}_{port}"
    _refusals(app)

    @app.middleware("http")
    async def _harden(request: Any, call_next: Any) -> Any:
        response = await call_next(request)
        response.headers.update(_HEADERS)
        return response

    Token = Annotated[str, Cookie(alias=cookie)]  # noqa: N806 - a type

    def signed_in(token: Token = "") -> Rater:
        if (found := sessions.rater(token)) is None:
            raise HTTPException(401, "sign in first")
        return found

    Known = Annotated[Rater, Depends(signed_in)]  # noqa: N806 - a type

    def state(rater: Rater) -> dict[str, Any]:
        task = sessions.task(rater)
        return {
            "rater": {"name": rater.name, "group": rater.group},
            "task": asdict(task) if task else None,
            "progress": asdict(sessions.progress(rater)),
        }

    @app.get("/")
    def page() -> HTMLResponse:
        return HTMLResponse(_page(), headers={"Content-Security-Policy": _policy()})

    @app.get("/study")
    def study(token: Token = "") -> dict[str, Any]:
        kind = sessions.kind
        return {
            "question": kind.question,
            "choices": [asdict(choice) for choice in kind.choices],
            "captions": kind.captions,
            "top": kinds.TOP,
            "groups": kinds.GROUPS,
            "training": sessions.terms.training,
            "signed_in": sessions.rater(token) is not None,
        }

    @app.post("/sign-in")
    def sign_in(response: Response, name: Annotated[str, Body()], group: Annotated[str, Body()]) -> dict[str, Any]:
        rater = sessions.sign_in(name, group)
        response.set_cookie(cookie, rater.token, max_age=_MONTHS, httponly=True, samesite="strict")
        return state(rater)

    @app.post("/sign-out")
    def sign_out(response: Response) -> dict[str, Any]:
        response.delete_cookie(cookie, httponly=True, samesite="strict")
        return {}

    @app.get("/task")
    def task(rater: Known) -> dict[str, Any]:
        return state(rater)

    @app.get("/last")
    def last(rater: Known) -> dict[str, Any]:
        found = sessions.last(rater)
        if found is None:
            raise HTTPException(404, "nothing is answered yet")
        return {"task": asdict(found)}

    @app.post("/answers")
    def answer(
        rater: Known, trial: Annotated[int, Body(ge=1, lt=1 << 63)], value: Annotated[int, Body(strict=True)]
    ) -> dict[str, Any]:
        sessions.answer(rater, trial, value)  # committed before anything is sent back
        return state(rater)

    @app.get("/photographs/{number}", dependencies=[Depends(signed_in)])
    def photograph(number: int) -> Response:
        data = sessions.photograph(number) if 0 < number < 1 << 63 else None
        if data is None:
            raise HTTPException(404, f"there is no photograph {number}")
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})

    return app


def _refusals(app: "FastAPI") -> None:
    """Answer what cannot be taken in one line."""
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import JSONResponse

    def refuse(status: int, text: str) -> JSONResponse:
        return JSONResponse({"detail": text}, status)

    @app.exception_handler(Unanswerable)
    def unanswerable(_: Any, error: Unanswerable) -> JSONResponse:
        return refuse(422, str(error))

    @app.exception_handler(NotYours)
    def not_yours(_: Any, error: NotYours) -> JSONResponse:
        return refuse(409, str(error))

    @app.exception_handler(RequestValidationError)
    def malformed(_: Any, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return refuse(422, f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}")

    @app.exception_handler(sqlite3.Error)
    def unsaved(_: Any, error: sqlite3.Error) -> JSONResponse:
        log.error("the study's file: %s", error)
        return refuse(503, "the answer could not be kept; try again")


_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}


@cache
def _page() -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("photocritic.evaluation.studies")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("study.html").render()


@cache
def _policy() -> str:
    """Allow the page's own script and style, by their hashes, and nothing else."""
    page = _page()

    def inside(tag: str) -> str:
        text = page[page.index(f"<{tag}>") + len(tag) + 2 : page.index(f"</{tag}>")]
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    own = f"img-src 'self' data:; connect-src 'self'; style-src {inside('style')}; script-src {inside('script')}"
    return f"default-src 'none'; {own}; form-action 'none'; base-uri 'none'"
