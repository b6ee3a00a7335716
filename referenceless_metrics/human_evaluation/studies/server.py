"""The pages that raters see, and the same as plain sheets: neither names the system of an output.

A local server. Each rating is on disk before the request is answered.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any, NamedTuple
from urllib.parse import quote
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.output import render_rows
from referenceless_metrics.core.support.validation import InputError, Record, check_fields, parse_json
from referenceless_metrics.human_evaluation.studies.criteria import CANNOT_JUDGE
from referenceless_metrics.human_evaluation.studies.design import RATINGS, Design
from referenceless_metrics.human_evaluation.studies.progress import Progress, study_progress
from referenceless_metrics.human_evaluation.studies.reading import (
    Judgement,
    Place,
    judgement_of,
    raters_left_out,
    rating_files,
    read_answers,
    written,
)
from referenceless_metrics.human_evaluation.studies.spans import SEVERITIES, SPANS, markable
from referenceless_metrics.pages.rendering import environment, render, script_hash


def rating_page(design: Design, rater: str, *, post: str = "", answered: Sequence[Record] = ()) -> str:
    """Return a rater's page: one HTML file that needs no network.

    Args:
        design: the study's.
        rater: the rater's name.
        post: address to which the page sends each rating; "" for a page that keeps them until they are exported.
        answered: ratings that there are already, each with `screen`, `output`, `criterion` and `rating`.
    """
    script: str = environment(__package__).get_template("rating.js").render()
    texts = [text for screen in design.raters[rater] for text in design.texts(screen)]
    for_each = _MINUTES_A_RATING * len(design.asked)
    minutes = sum(len(text.split()) / _WORDS_A_MINUTE + for_each for text in texts)
    values = {"design": design, "rater": rater, "post": post, "given": answered, "minutes": max(1, round(minutes))}
    screens = [screen for of_rater in design.raters.values() for screen in of_rater]
    values |= {"damaged": any(screen.check for screen in screens)}
    values |= {"come_again": any(screen.repeat and not screen.check for screen in screens)}
    values |= {"markable": markable, "severities": SEVERITIES}
    return render(__package__, "rating.html.j2", script=script, hash=script_hash(script), **values)


def rating_sheet(design: Design, rater: str) -> str:
    """Return a rater's outputs as CSV, a row per criterion, with empty columns for the rating and a comment.

    It is safe to open in a spreadsheet.
    """
    rows = []
    for number, screen in enumerate(design.raters[rater], 1):
        asked: Record = {"study": design.study, "rater": rater, "screen": number}
        source, texts = design.items[screen.item].source or "", design.texts(screen)
        shown = [{"text": text} for text in texts]
        if design.are_preferences:
            shown = [{"text": texts[0], "text_b": texts[1]}]
        for output, columns in zip(design.outputs_on(screen), shown, strict=True):
            row = {**asked, "output": output, "source": source, **columns}
            questions = [] if design.spans is None else [(SPANS, _QUESTION_OF_SPANS, "JSON")]
            questions += [(each.name, each.question, each.expected) for each in design.criteria]
            for name, question, expected in questions:
                asked_for = {"question": question, "answers": f"{expected}, or {CANNOT_JUDGE}"}
                rows.append({**row, "criterion": name, **asked_for, "rating": "", "comment": ""})
    return render_rows(rows, "csv-safe")


HOST = "127.0.0.1"
_NAMES = (HOST, "localhost")
_LONGEST = 10_000
_LONGEST_OF_SPANS = 1_000_000
"""Largest answer in bytes: of a rating, and of marked errors."""

_OK = "200 OK"
_QUESTION_OF_SPANS = 'Errors as JSON, [] for none: [{"start": 0, "end": 4, "severity": "minor"}]'
_RATING = {"study": str, "screen": int, "output": str, "rating": str}
_WORDS_A_MINUTE, _MINUTES_A_RATING = 200, 0.1


class _RaterFile(NamedTuple):
    """A rater's file as it was read or written last.

    Attributes:
        content: the bytes of the CSV file; none if there is no such file.
        answers: the answers.
        comments: the comments on outputs that are not rated.
    """

    content: bytes
    answers: Mapping[Place, Judgement]
    comments: Mapping[Place, Judgement]


_NO_FILE = _RaterFile(b"", {}, {})


class Gathered:
    """The ratings of a study that is being rated, one file per rater.

    Args:
        folder: the study's folder.

    Raises:
        InputError: like `Design.read`, for ratings that are there and cannot be used, and for those of one rater in a
            file that is not named after the rater.
    """

    def __init__(self, folder: Path) -> None:
        self.design = Design.read(folder)
        self._folder = folder / RATINGS
        self._folder.mkdir(exist_ok=True)
        for rest in self._folder.glob(".*.csv.*"):  # of a server that was killed while it wrote
            rest.unlink()
        self._lock = threading.RLock()
        self._files: dict[str, _RaterFile] = {}
        for file in rating_files(folder):
            self._files[file.stem] = self._read(file)

    def _read(self, file: Path) -> _RaterFile:
        """Read a rater's file."""
        content = file.read_bytes() if file.suffix == ".csv" else b""
        answers, comments = read_answers(file, self.design)
        for rater in {rater for rater, *_ in answers | comments} - {file.stem}:
            raise InputError(f"{file}: ratings of {rater!r} are kept in {rater}.csv; rename the file, or take it away")
        return _RaterFile(content, answers, comments)

    def _file_of(self, rater: str) -> _RaterFile:
        """Return the content of a rater's file, which is read anew if somebody edited it.

        Raises:
            InputError: for an edited file that cannot be used; it is left as it is.
        """
        path, known = self._folder / f"{rater}.csv", self._files.get(rater, _NO_FILE)
        content = path.read_bytes() if path.is_file() else b""
        if content == known.content:
            return known
        self._files[rater] = self._read(path) if content else _NO_FILE
        return self._files[rater]

    def n_rated(self, rater: str) -> int:
        """Return the number of answers that a rater has given."""
        with self._lock:
            return len(self._file_of(rater).answers)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The raters who are left out of the analysis."""
        with self._lock:
            return raters_left_out(self._folder.parent, self.design)

    def progress(self) -> Progress:
        """Return the findings of the ratings so far."""
        with self._lock:
            return study_progress(self._folder.parent)

    def rows_of(self, rater: str) -> list[Record]:
        """Return a rater's answers, and comments on outputs that are not rated, one row each."""
        with self._lock:
            return self._rows(self._file_of(rater))

    def _rows(self, file: _RaterFile) -> list[Record]:
        design, rows = self.design, []
        for place in sorted({*file.answers, *file.comments}):
            answer = file.answers.get(place)
            judgement = file.comments[place] if answer is None else answer
            rating = "" if answer is None else written(design, answer)
            row = {"study": design.study, **judgement._asdict(), "rating": rating}
            del row["spans"]  # they are the rating
            rows.append(row)
        return rows

    def take(self, rater: str, content: bytes) -> None:
        """Keep a rating, or take it back if it is empty; it is on the disk when this returns.

        Raises:
            InputError: for anything but a rating of this study by this rater, and for a rater's file that somebody
                edited so that it cannot be used.
        """
        try:
            content_read = parse_json(content)
            check_fields("the rating", content_read, _RATING, {"criterion": str, "comment": str})
            "".join(map(str, content_read.values())).encode()  # half a surrogate pair, as JSON can have, is no text
        except ValueError as error:
            raise InputError(str(error)) from None
        time = datetime.now(UTC).isoformat(timespec="seconds")
        judgement = judgement_of(self.design, {**content_read, "rater": rater, "time": time})
        with self._lock:
            before, place = self._file_of(rater), judgement.place
            answers, comments = dict(before.answers), dict(before.comments)
            answers.pop(place, None)
            comments.pop(place, None)
            if content_read["rating"].strip():
                answers[place] = judgement
            elif judgement.comment:  # the rater took the rating back, or has given none yet
                comments[place] = judgement
            after = _RaterFile(b"", answers, comments)
            rows = render_rows(self._rows(after), "csv-safe")
            with atomic_write(self._folder / f"{rater}.csv", "w") as file:
                file.write(rows)
            written = (self._folder / f"{rater}.csv").read_bytes()
            self._files[rater] = after._replace(content=written)  # only now: it must be on disk


class _Quiet(WSGIRequestHandler):
    timeout = 60  # seconds; a client that sends nothing more is given up

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing of each request."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


def _reply(gathered: Gathered, request: Record, start: Callable[..., Any]) -> list[bytes]:
    """Answer a request, as WSGI has it: the list of raters, a rater's page, or a rating that is kept."""
    rater, length = request["PATH_INFO"][1:].encode("latin-1").decode("utf-8", "replace"), request["CONTENT_LENGTH"]
    port, design, status = request["SERVER_PORT"], gathered.design, _OK
    try:
        # A page that another name leads here may not read pages that only this machine is to see.
        hosts = [f"{name}:{port}" for name in _NAMES]
        if port == "80":  # browsers leave it out
            hosts += _NAMES
        if request.get("HTTP_HOST") not in hosts:
            raise InputError("only pages of this server may ask it")
        if rater and rater not in design.raters:
            raise InputError(f"unknown rater {rater!r}; the study's are {', '.join(design.raters)}")
        if request["REQUEST_METHOD"] == "POST":
            # Another site's page cannot send this type without asking first, which nothing here answers.
            if (
                request["CONTENT_TYPE"] != "application/json"
                or not re.fullmatch(r"[0-9]{1,9}", length)
                or int(length) > (_LONGEST if design.spans is None else _LONGEST_OF_SPANS)
            ):
                raise InputError("expected one rating, as JSON")
            gathered.take(rater, request["wsgi.input"].read(int(length)))
            page = "saved"
        elif rater:
            page = rating_page(design, rater, post=f"/{quote(rater)}", answered=gathered.rows_of(rater))
        else:
            progress = gathered.progress()
            page = render(__package__, "raters.html.j2", design=design, gathered=gathered, progress=progress)
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
        folder: the study's folder.
        port: the port; 0 for any that is free.

    Raises:
        InputError: like `Gathered`, if another server gathers the ratings already, and for a port that is taken.
    """
    from filelock import FileLock, Timeout

    Design.read(folder)  # reports a fault before anything is written
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
