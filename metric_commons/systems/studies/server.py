"""A study's pages on this machine, and the ratings gathered: each is on the disk before the page is told so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from metric_commons.files.atomic import atomic_write
from metric_commons.files.output import render_rows
from metric_commons.files.strict_json import check_fields, parse_json
from metric_commons.support.errors import InputError
from metric_commons.systems.studies.design import RATINGS, Design
from metric_commons.systems.studies.page import raters_page, rating_page
from metric_commons.systems.studies.reading import Judgement, Place, judgement_of, rating_files, read_ratings

HOST = "127.0.0.1"
_LONGEST = 10_000
_RATING = {"study": str, "screen": int, "output": str, "rating": str}


class Gathered:
    """The ratings of a study that is being rated, one file a rater.

    Args:
        folder: the study's.

    Raises:
        InputError: as `Design.read`, for ratings that are there and cannot be used, and for those of one rater in a
            file that is not named after the rater.
    """

    def __init__(self, folder: Path) -> None:
        self.design = Design.read(folder)
        self._folder = folder / RATINGS
        self._folder.mkdir(exist_ok=True)
        for rest in self._folder.glob(".*.csv.*"):  # of a server that was killed while it wrote
            rest.unlink()
        self._lock = threading.Lock()
        self._answers: dict[Place, Judgement] = {}
        for file in rating_files(folder):
            given = read_ratings(file, self.design)
            for rater in {rater for rater, *_ in given} - {file.stem}:
                raise InputError(
                    f"{file}: ratings of {rater!r} are kept in {rater}.csv; rename the file, or take it away"
                )
            self._answers |= given

    def given(self, rater: str) -> list[dict[str, Any]]:
        """Return a rater's rows."""
        with self._lock:
            return self._rows(rater)

    def _rows(self, rater: str) -> list[dict[str, Any]]:
        mine = (self._answers[place] for place in sorted(self._answers) if place[0] == rater)
        return [
            {"study": self.design.study, **each._asdict(), "rating": self.design.scale.written(each.rating)}
            for each in mine
        ]

    def take(self, rater: str, content: bytes) -> None:
        """Keep a rating; it is on the disk when this returns.

        Raises:
            InputError: for anything but a rating of this study by this rater.
        """
        try:
            found = parse_json(content)
            check_fields("the rating", found, _RATING)
        except ValueError as error:
            raise InputError(str(error)) from None
        time = datetime.now(UTC).isoformat(timespec="seconds")
        judgement = judgement_of(self.design, {**found, "rater": rater, "time": time})
        with self._lock:
            self._answers[judgement[:3]] = judgement
            with atomic_write(self._folder / f"{rater}.csv", "w") as file:
                file.write(render_rows(self._rows(rater), "csv"))


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, gathered: Gathered, *arguments: Any) -> None:
        self.gathered = gathered
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """Answer with the list of raters, or with a rater's page."""
        self._answer(self._page, "text/html")

    def do_POST(self) -> None:
        """Keep a rating."""
        self._answer(self._take, "text/plain")

    def _page(self, rater: str) -> str:
        design = self.gathered.design
        if rater:
            return rating_page(design, rater, post=self.path, given=self.gathered.given(rater))
        return raters_page(design, {name: len(self.gathered.given(name)) for name in design.raters})

    def _take(self, rater: str) -> str:
        length = self.headers.get("Content-Length", "")
        # Another site's page cannot send this type without asking first, which nothing here answers.
        if self.headers.get_content_type() != "application/json" or not length.isdigit() or int(length) > _LONGEST:
            raise InputError("expected one rating, as JSON")
        self.gathered.take(rater, self.rfile.read(int(length)))
        return "saved"

    def _answer(self, reply: Callable[[str], str], kind: str) -> None:
        rater, port = unquote(self.path[1:]), cast(ThreadingHTTPServer, self.server).server_port
        try:
            # A page that another name leads here may not read what only this machine is to see.
            if self.headers.get("Host") not in (f"{HOST}:{port}", f"localhost:{port}"):
                raise InputError("only pages of this server may ask it")
            if rater and rater not in self.gathered.design.raters:
                raise InputError(f"unknown rater {rater!r}; the study's are {', '.join(self.gathered.design.raters)}")
            status, content = HTTPStatus.OK, reply(rater)
        except InputError as error:
            status, content, kind = HTTPStatus.BAD_REQUEST, str(error), "text/plain"
        except OSError as error:
            status, kind = HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain"
            content = f"the rating could not be written ({error})"
        body = content.encode()
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing of each request."""


@contextmanager
def rating_server(folder: str | Path, port: int) -> Iterator[ThreadingHTTPServer]:
    """Yield the server of a study's pages, ready to `serve_forever` on this machine alone.

    Args:
        folder: the study's.
        port: on which it listens; 0 for any that is free.

    Raises:
        InputError: as `Gathered`, where another server gathers the ratings already, and for a port that is taken.
    """
    from filelock import FileLock, Timeout

    Design.read(folder)  # says what is wrong before anything is written
    ratings = Path(folder) / RATINGS
    ratings.mkdir(exist_ok=True)
    lock = FileLock(ratings / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(f"{folder}: another server gathers its ratings; stop that one first") from None
    try:
        try:
            server = ThreadingHTTPServer((HOST, port), partial(_Handler, Gathered(Path(folder))))
        except OSError as error:
            raise InputError(f"port {port} cannot be used ({error.strerror}); name another with --port") from None
        with server:
            yield server
    finally:
        lock.release()
