"""A study's pages on this machine, and the ratings gathered: each is on the disk before the page is told so."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
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
from metric_commons.systems.studies.design import ANSWERS, RATINGS, Design
from metric_commons.systems.studies.page import raters_page, rating_page
from metric_commons.systems.studies.reading import COLUMNS, check_answer, check_place, rating_files, read_ratings

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
        self._rows: dict[str, dict[tuple[int, str], dict[str, Any]]] = {rater: {} for rater in self.design.raters}
        for file in rating_files(folder):
            for rater, judgements in read_ratings(file, self.design).items():
                if file.name != f"{rater}.csv":
                    raise InputError(
                        f"{file}: ratings of {rater!r} are kept in {rater}.csv; rename the file, or take it away"
                    )
                for each in judgements:
                    self._note(rater, each.screen, each.output, self._written(each.answer), each.time)

    def _written(self, answer: float) -> str:
        return ANSWERS[round(2 - 2 * answer)] if self.design.scale.is_preference else f"{answer:.0f}"

    def _note(self, rater: str, screen: int, output: str, rating: str, time: str) -> None:
        values = (self.design.study, rater, screen, output, rating, time)
        self._rows[rater][screen, output] = dict(zip(COLUMNS, values, strict=True))

    def given(self, rater: str) -> list[dict[str, Any]]:
        """Return a rater's rows."""
        with self._lock:
            return list(self._rows[rater].values())

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
        if found["study"] != self.design.study:
            raise InputError(f"expected a rating of study {self.design.study}, but got one of {found['study']!r}")
        check_place(self.design, rater, found["screen"], found["output"])
        answer = check_answer(self.design, found["rating"])
        time = datetime.now(UTC).isoformat(timespec="seconds")
        with self._lock:
            self._note(rater, found["screen"], found["output"], self._written(answer), time)
            rows = [self._rows[rater][place] for place in sorted(self._rows[rater])]
            with atomic_write(self._folder / f"{rater}.csv", "w") as file:
                file.write(render_rows(rows, "csv"))


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, gathered: Gathered, *arguments: Any) -> None:
        self.gathered = gathered
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """Answer with the list of raters, or with a rater's page."""
        rater, design = unquote(self.path[1:]), self.gathered.design
        if not self._is_local():
            return
        if rater == "":
            rated = {name: len(self.gathered.given(name)) for name in design.raters}
            self._answer(HTTPStatus.OK, raters_page(design, rated), "text/html")
        elif rater in design.raters:
            page = rating_page(design, rater, post=self.path, given=self.gathered.given(rater))
            self._answer(HTTPStatus.OK, page, "text/html")
        else:
            self._answer(HTTPStatus.NOT_FOUND, f"unknown rater {rater!r}; the study's are {', '.join(design.raters)}")

    def do_POST(self) -> None:
        """Keep a rating."""
        rater, length = unquote(self.path[1:]), self.headers.get("Content-Length", "")
        if not self._is_local():
            return
        if rater not in self.gathered.design.raters:
            self._answer(HTTPStatus.NOT_FOUND, f"unknown rater {rater!r}")
        elif not length.isdigit() or int(length) > _LONGEST:
            self._answer(HTTPStatus.BAD_REQUEST, "expected one rating")
        else:
            try:
                self.gathered.take(rater, self.rfile.read(int(length)))
            except InputError as error:
                self._answer(HTTPStatus.BAD_REQUEST, str(error))
            except OSError as error:
                self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, f"the rating could not be written ({error})")
            else:
                self._answer(HTTPStatus.OK, json.dumps({"saved": True}), "application/json")

    def _is_local(self) -> bool:
        """Whether a page of this server asks: no other web page may read outputs or send ratings."""
        port = cast(ThreadingHTTPServer, self.server).server_port
        own = {f"{host}:{port}" for host in (HOST, "localhost")}
        right = self.headers.get("Host") in own
        if self.command == "POST":
            origin = self.headers.get("Origin", "")
            right &= origin.removeprefix("http://") in {"", *own}
            right &= self.headers.get_content_type() == "application/json"
        if not right:
            self._answer(HTTPStatus.FORBIDDEN, "only pages of this server may ask it")
        return right

    def _answer(self, status: HTTPStatus, content: str, kind: str = "text/plain") -> None:
        body = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
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
