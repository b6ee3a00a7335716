"""The pages that raters see, and the same as plain sheets: neither tells which system wrote what.

On this machine pages are served, and ratings gathered: each is on the disk before the page is told so.
"""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from urllib.parse import quote
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.output import render_rows
from referenceless_metrics.core.support.validation import InputError, Record, check_fields, parse_json
from referenceless_metrics.human_evaluation.studies.design import RATINGS, Design
from referenceless_metrics.human_evaluation.studies.reading import (
    Judgement,
    Place,
    judgement_of,
    rating_files,
    read_ratings,
)
from referenceless_metrics.pages.rendering import environment, render


def rating_page(design: Design, rater: str, *, post: str = "", answered: Sequence[Record] = ()) -> str:
    """Return a rater's page: one HTML file that needs no network.

    Args:
        design: the study's.
        rater: whose page.
        post: where the page sends each rating; "" for a page that keeps them until they are exported.
        answered: ratings that there are already, each with `screen`, `output` and `rating`.
    """
    script: str = environment(__package__).get_template("rating.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    texts = [text for screen in design.raters[rater] for text in design.texts(screen)]
    minutes = sum(len(text.split()) / _WORDS_A_MINUTE + _MINUTES_A_RATING for text in texts)
    values = {"design": design, "rater": rater, "post": post, "given": answered, "minutes": max(1, round(minutes))}
    return render(__package__, "rating.html.j2", script=script, hash=digest, **values)


def rating_sheet(design: Design, rater: str) -> str:
    """Return a rater's outputs as CSV, with an empty column for the ratings; safe to open in a spreadsheet."""
    rows = []
    for number, screen in enumerate(design.raters[rater], 1):
        asked: Record = {"study": design.study, "rater": rater, "screen": number}
        source, texts = design.items[screen.item].source or "", design.texts(screen)
        shown = [{"text": text} for text in texts]
        if design.scale.is_preference:
            shown = [{"text": texts[0], "text_b": texts[1]}]
        for output, columns in zip(design.answers_on(screen), shown, strict=True):
            rows.append({**asked, "output": output, "source": source, **columns, "rating": ""})
    return render_rows(rows, "csv-safe")


HOST = "127.0.0.1"
_LONGEST = 10_000
_OK = "200 OK"
_RATING = {"study": str, "screen": int, "output": str, "rating": str}
_WORDS_A_MINUTE, _MINUTES_A_RATING = 200, 0.1


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
        self._lock = threading.RLock()
        self._answers: dict[Place, Judgement] = {}
        for file in rating_files(folder):
            in_file = read_ratings(file, self.design)
            for rater in {rater for rater, *_ in in_file} - {file.stem}:
                raise InputError(
                    f"{file}: ratings of {rater!r} are kept in {rater}.csv; rename the file, or take it away"
                )
            self._answers |= in_file

    def rows_of(self, rater: str, answers: Mapping[Place, Judgement] | None = None) -> list[Record]:
        """Return a rater's rows; of all answers, where others are not given."""
        rated = self._answers if answers is None else answers
        mine = [rated[place] for place in sorted(rated) if place[0] == rater]
        design = self.design
        return [{"study": design.study, **each._asdict(), "rating": design.scale.written(each.rating)} for each in mine]

    def take(self, rater: str, content: bytes) -> None:
        """Keep a rating, or take it back where it is empty; it is on the disk when this returns.

        Raises:
            InputError: for anything but a rating of this study by this rater.
        """
        try:
            content_read = parse_json(content)
            check_fields("the rating", content_read, _RATING, {"comment": str})
            "".join(map(str, content_read.values())).encode()  # half a surrogate pair, as JSON can have, is no text
        except ValueError as error:
            raise InputError(str(error)) from None
        time = datetime.now(UTC).isoformat(timespec="seconds")
        judgement = judgement_of(self.design, {**content_read, "rater": rater, "time": time})
        with self._lock:
            answers = self._answers | {judgement[:3]: judgement}
            if not content_read["rating"].strip():  # the rater undid it
                del answers[judgement[:3]]
            with atomic_write(self._folder / f"{rater}.csv", "w") as file:
                file.write(render_rows(self.rows_of(rater, answers), "csv-safe"))
            self._answers = answers  # only now: what could not be written was not given


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing of each request."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


def _reply(gathered: Gathered, request: Record, start: Callable[..., Any]) -> list[bytes]:
    """Answer a request, as WSGI has it: the list of raters, a rater's page, or a rating that is kept."""
    rater, length = request["PATH_INFO"][1:].encode("latin-1").decode("utf-8", "replace"), request["CONTENT_LENGTH"]
    port, design, status = request["SERVER_PORT"], gathered.design, _OK
    try:
        # A page that another name leads here may not read what only this machine is to see.
        if request.get("HTTP_HOST") not in (f"{HOST}:{port}", f"localhost:{port}"):
            raise InputError("only pages of this server may ask it")
        if rater and rater not in design.raters:
            raise InputError(f"unknown rater {rater!r}; the study's are {', '.join(design.raters)}")
        if request["REQUEST_METHOD"] == "POST":
            # Another site's page cannot send this type without asking first, which nothing here answers.
            if (
                request["CONTENT_TYPE"] != "application/json"
                or not re.fullmatch(r"[0-9]{1,9}", length)
                or int(length) > _LONGEST
            ):
                raise InputError("expected one rating, as JSON")
            gathered.take(rater, request["wsgi.input"].read(int(length)))
            page = "saved"
        elif rater:
            page = rating_page(design, rater, post=f"/{quote(rater)}", answered=gathered.rows_of(rater))
        else:
            page = render(__package__, "raters.html.j2", design=design, gathered=gathered)
    except InputError as error:
        status, page = "400 Bad Request", str(error)
    except OSError as error:
        status, page = "500 Internal Server Error", f"the rating could not be written ({error.strerror})"
    kind = "html" if status == _OK else "plain"
    start(status, [("Content-Type", f"text/{kind}; charset=utf-8"), ("Cache-Control", "no-store")])
    return [page.encode()]


@contextmanager
def rating_server(folder: str | Path, port: int) -> Iterator[WSGIServer]:
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
            server = make_server(HOST, port, partial(_reply, Gathered(Path(folder))), _Server, _Quiet)
        except OSError as error:
            raise InputError(f"port {port} cannot be used ({error.strerror}); name another with --port") from None
        with server:
            yield server
    finally:
        lock.release()
