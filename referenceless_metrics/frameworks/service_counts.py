"""Counts of a service's requests and texts, in the text form that Prometheus reads (version 0.0.4)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator

from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.human_evaluation.judges.limits import Bad

with importing("serve", "the service needs"):
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The type of the text."""

_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper ends of the ranges in which requests to `/score` are counted by the time that they took."""

_COUNTED = ("/score", "/health", "/metrics", "/openapi.json", "/")
"""Paths that are counted by their name; all others are counted as one."""


class Counts:
    """Counts since the service was built, of this process alone.

    Args:
        n_waiting: returns the number of requests that wait or are being scored.
        bad: the scores that count as bad; None if nothing says it, and bad texts are then not counted.
    """

    def __init__(self, n_waiting: Callable[[], int], bad: Bad | None = None) -> None:
        self._n_waiting, self._bad = n_waiting, bad
        self._requests: Counter[tuple[str, int]] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._n_scored = 0
        self._n_texts = 0
        self._n_unscored = 0
        self._n_bad = 0

    def add_request(self, path: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests[path if path in _COUNTED else "other", status] += 1
        if path == "/score":
            self._n_scored += 1
            self._seconds += seconds
            self._within.update(end for end in _SECONDS if seconds <= end)

    def add_texts(self, result: MetricResult) -> None:
        """Count the texts of a request that was scored."""
        self._n_texts += len(result)
        self._n_unscored += len(result) - result.n_covered
        if self._bad is not None:
            self._n_bad += int((self._bad.holds(result.values) & result.covered).sum())

    def __str__(self) -> str:
        return "\n".join([*self._lines(), ""])

    def _lines(self) -> Iterator[str]:
        name = "referenceless_requests_total"
        yield f"# HELP {name} Requests that were answered, by path and status."
        yield f"# TYPE {name} counter"
        for (path, status), n in sorted(self._requests.items()):
            yield f'{name}{{path="{path}",status="{status}"}} {n}'
        name = "referenceless_score_seconds"
        yield f"# HELP {name} Seconds that requests to /score took, from their first byte on."
        yield f"# TYPE {name} histogram"
        for end in _SECONDS:
            yield f'{name}_bucket{{le="{end:g}"}} {self._within[end]}'
        yield f'{name}_bucket{{le="+Inf"}} {self._n_scored}'
        yield f"{name}_sum {self._seconds:.6f}"
        yield f"{name}_count {self._n_scored}"
        bad = [("texts_bad_total", f"Those of them with a score {self._bad}.", self._n_bad, "counter")]
        for what, told, n, kind in (
            ("texts_total", "Texts of requests that were scored.", self._n_texts, "counter"),
            ("texts_without_score_total", "Those of them without a score.", self._n_unscored, "counter"),
            *([] if self._bad is None else bad),
            ("waiting", "Requests that wait or are being scored.", self._n_waiting(), "gauge"),
        ):
            yield f"# HELP referenceless_{what} {told}"
            yield f"# TYPE referenceless_{what} {kind}"
            yield f"referenceless_{what} {n}"


class Counting:
    """Counts the requests that an application answers, by their status and time.

    Args:
        app: the application.
        counts: the counts.
    """

    def __init__(self, app: ASGIApp, counts: Counts) -> None:
        self._app, self._counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer and count."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            path = scope["path"].removeprefix(scope.get("root_path", "")) or "/"  # behind a proxy, or mounted
            self._counts.add_request(path, status, time.perf_counter() - start)
