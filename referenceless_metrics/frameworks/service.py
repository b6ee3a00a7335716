"""Any metric as a service over HTTP (extra `serve`), with JSON in and out. Waiting requests are scored together."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import math
from collections.abc import AsyncIterator, Callable, Collection
from typing import Any
from urllib.parse import urlsplit

from referenceless_metrics.core.metric import Metric, check_metric, score_texts, verdict_details
from referenceless_metrics.core.results import MetricResult, as_plain
from referenceless_metrics.core.support.installation import importing, project_version
from referenceless_metrics.core.support.validation import Record, check_number, describe, lone_surrogate, parse_json
from referenceless_metrics.frameworks.fair_queue import FairQueue, TooManyWaitError
from referenceless_metrics.frameworks.service_bodies import (
    HealthAnswer,
    Refusal,
    ScoreAnswer,
    ScoreRequest,
    body_example,
    body_for,
    describe_columns,
)
from referenceless_metrics.frameworks.service_counts import MEDIA_TYPE, Counting, Counts
from referenceless_metrics.human_evaluation.judges.limits import Bad

with importing("serve", "the service needs"):
    from fastapi import FastAPI, HTTPException, Request
    from fastapi.responses import JSONResponse, Response
    from pydantic import ValidationError
    from starlette.datastructures import State
    from starlette.requests import ClientDisconnect
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["FastAPI", "build_service"]

MOST_BYTES = 4 * 2**20
"""Largest body of a request."""
MOST_CHARACTERS = 100_000
"""Most characters of a text. A request can be given up between two texts only, so that none may take long."""
MOST_WAITING = 200
"""Most requests at once; a further one is refused with 503."""
RETRY_AFTER = {"Retry-After": "1"}
"""The header of a refusal because too many wait: after how many seconds the request may be sent again."""
TIMEOUT = 60.0
"""Seconds within which a request is answered, from its first byte on."""

_LOG = logging.getLogger("uvicorn.error")  # the logger that operators of services read


_REFUSALS = {
    413: "The body is too large.",
    415: "The body is packed, or not declared as JSON.",
    422: "The body is malformed, or does not go with the metric.",
    503: "Too many requests wait, or this one took too long.",
}
"""Statuses of `/score` beside 200, with their causes."""


def build_service(
    metric: Metric,
    *,
    allowed_hosts: Collection[str] | None = None,
    timeout: float = TIMEOUT,
    bad: str | None = None,
) -> FastAPI:
    """Return the service as an ASGI application, for `uvicorn` or any other server.

    `POST /score` takes `{"texts": […]}`, with `references` or `sources` for a metric that reads them, and returns
    `values` (null if the metric abstains), `reasons`, the metric's own columns, `mean`, `coverage` and `signature`.
    `GET /health` tells that it scores, and the number of waiting requests; `GET /metrics` counts requests and texts in
    the form that Prometheus reads; `GET /` names the addresses, and `GET /openapi.json` describes them. A metric that
    learned from ratings has its verdict in the first two answers. A body that is packed, or of another type than JSON,
    gets 415, one that is malformed 422, one that is too large 413, a request beside too many others, or one that takes
    too long, 503.

    Args:
        metric: a metric with its models or its pool bound; it scores a text as the service starts: with its server, or
            with the first request if another application mounts it.
        allowed_hosts: names under which it may be asked, beside `localhost` and addresses of any kind: a page of
            another site, whose name was made to lead here (DNS rebinding), gets 400. None for any name.
        timeout: seconds within which a request is answered.
        bad: the scores that count as bad, as `"<-2"`: answers then have `bad`, true or false for each text, null if it
            has no score; None for answers without it.

    Raises:
        TypeError: for an object that is no metric.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric of whole sets, a `timeout` that is not positive, or another text than such a condition.
    """
    check_metric(metric, batches=True)
    check_number(timeout, "timeout", 0)
    limit = None if bad is None else Bad.parse(bad)

    def start() -> None:
        """Score a text, so that the models are warm, and let the queue run in the event loop that answers."""
        app.state.queue = queue = FairQueue(metric, MOST_WAITING)
        app.state.verdict = verdict_details(metric)
        with contextlib.suppress(ValueError, TypeError):  # a source of another form warms too
            result = score_texts(metric, ["A first text."], ["A first text."], ["a first text"])
            describe_columns(app, metric, result)
        app.state.running = asyncio.create_task(queue.run())

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        start()
        yield
        app.state.running.cancel()

    counts = Counts(lambda: app.state.queue.n_waiting, limit)
    # FastAPI's pages of documentation would load their scripts from elsewhere.
    app = FastAPI(title=metric.name, version=project_version(), lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(_Started, state=app.state, start=start)
    if allowed_hosts is not None:
        app.add_middleware(_HostCheck, names=frozenset({"localhost", *(name.lower() for name in allowed_hosts)}))
    app.add_middleware(Counting, counts=counts)

    @app.get("/")
    async def root() -> Record:
        return {
            "metric": metric.name,
            "POST /score": f"{json.dumps(body_example(metric))}, of the type application/json",
            "GET /health": "what scores, and how many requests wait",
            "GET /metrics": "counts of requests and texts, as Prometheus reads them",
            "GET /openapi.json": "what requests and answers hold",
        }

    @app.head("/health", include_in_schema=False)  # as load balancers ask
    @app.get("/health", response_model=None, responses={200: {"model": HealthAnswer}})
    async def health() -> Record:
        load = {"waiting": app.state.queue.n_waiting, "most_waiting": MOST_WAITING}
        scoring = {"status": "ok", "metric": metric.name, "signature": metric.signature}
        of_limit = {} if limit is None else {"bad": str(limit)}
        return {**scoring, **load, **of_limit, **app.state.verdict}

    @app.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    async def told_counts() -> Response:
        return Response(str(counts), media_type=MEDIA_TYPE)

    answers: dict[int | str, Record] = {200: {"model": ScoreAnswer}}
    for status, when in _REFUSALS.items():
        answers[status] = {"model": Refusal, "description": when}

    @app.post("/score", responses=answers, openapi_extra=body_for(metric))
    async def score(request: Request) -> JSONResponse:
        try:
            async with asyncio.timeout(timeout):
                asked = _checked(await _body(request), metric)
                texts = [text or "" for text in asked.texts]
                result = await _until_left(request, app.state.queue.score(texts, asked.references, asked.sources))
        except TimeoutError:
            told = f"not done within {timeout:g} seconds: send fewer texts at once"
            answered = {"Retry-After": str(math.ceil(timeout))}  # by then all that were asked beside it are answered
            raise HTTPException(503, told, answered) from None
        except TooManyWaitError:
            told = f"{MOST_WAITING} requests wait already: try again later"
            raise HTTPException(503, told, RETRY_AFTER) from None
        except ClientDisconnect:
            _LOG.warning("a client left before its request was answered")
            return JSONResponse(None, 499)  # which nobody receives
        except (ValueError, TypeError) as error:
            raise HTTPException(422, str(error)) from None
        counts.add_texts(result)
        answer: Record = {"mean": result.mean, "coverage": result.coverage, **result.as_plain(), **app.state.verdict}
        if limit is not None:
            is_bad = limit.holds(result.values).tolist()
            answer["bad"] = [
                held if known else None for held, known in zip(is_bad, result.covered.tolist(), strict=True)
            ]
        return JSONResponse(as_plain(answer))

    return app


async def _body(request: Request) -> bytes:
    """Return a request's body.

    Raises:
        HTTPException: with 415 for a packed body or another type than JSON, and with 413 for a body that is too large.
        ClientDisconnect: if the client leaves.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        told = f"expected a body of the type application/json, but got {kind or 'none'}"
        raise HTTPException(415, f"{told}: send the header 'Content-Type: application/json' (curl --json does)")
    packing = request.headers.get("content-encoding", "identity").strip().lower()
    if packing != "identity":
        told = f"expected a body that is not packed, but got Content-Encoding: {packing}"
        raise HTTPException(415, f"{told}: send the JSON as it is", {"Accept-Encoding": "identity"})
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"a request takes at most {MOST_BYTES:,} bytes: send fewer texts at once")
    return bytes(body)


def _checked(body: bytes, metric: Metric) -> ScoreRequest:
    """Return a request after checking that it goes with the metric.

    Raises:
        HTTPException: with 422 for one that does not; the message names the field.
    """
    try:
        asked = ScoreRequest.model_validate_json(body)
    except ValidationError as error:
        messages = [f"{'.'.join(map(str, wrong['loc'])) or 'body'}: {wrong['msg']}" for wrong in error.errors()[:5]]
        raise HTTPException(422, _half_a_character(body) or "; ".join(messages)) from None
    for place, text in enumerate(asked.texts):
        if text is not None and len(text) > MOST_CHARACTERS:
            told = f"texts.{place}: a text takes at most {MOST_CHARACTERS:,} characters, but got {len(text):,}"
            raise HTTPException(422, told)
    for name in ("references", "sources"):
        inputs, needed = getattr(asked, name), getattr(metric, f"needs_{name}")
        if inputs is None and needed:
            raise HTTPException(422, f"{metric.name} needs {name}, one a text")
        if inputs is not None and not needed:
            raise HTTPException(422, f"{name}: {metric.name} reads no {name}")
        if inputs is not None and len(inputs) != len(asked.texts):
            raise HTTPException(422, f"expected {len(asked.texts)} {name}, one a text, but got {len(inputs)}")
    return asked


def _half_a_character(body: bytes) -> str:
    """Return which text of a body holds half of a character, which JSON can escape, in words; "" if none does."""
    try:
        content = parse_json(body)
    except ValueError:
        return ""
    texts = content.get("texts") if isinstance(content, dict) else None
    for place, text in enumerate(texts if isinstance(texts, list) else ()):
        if isinstance(text, str) and lone_surrogate(text) is not None:
            return f"texts.{place}: expected valid Unicode, but got a lone surrogate in {describe(text)}"
    return ""


async def _until_left(request: Request, scoring: Any) -> MetricResult:
    """Return the result of a coroutine; cancel it if the client leaves.

    Raises:
        ClientDisconnect: if the client leaves.
    """
    scored, left = asyncio.ensure_future(scoring), asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({scored, left}, return_when=asyncio.FIRST_COMPLETED)
        if not scored.done():
            raise ClientDisconnect
        result: MetricResult = scored.result()
        return result
    finally:
        scored.cancel()
        left.cancel()


async def _left(request: Request) -> None:
    """Wait until a client leaves, whose body was read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class _Started:
    """Starts a service with its first request if its server did not: none tells a mounted application of its start.

    Args:
        app: the application that answers requests.
        state: the service's state, whose `running` is the task of its queue.
        start: starts the service in the event loop that runs.
    """

    def __init__(self, app: ASGIApp, state: State, start: Callable[[], None]) -> None:
        self._app, self._state, self._start = app, state, start

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, after the start if need be."""
        if scope["type"] == "http" and not self._is_running():
            self._start()
        await self._app(scope, receive, send)

    def _is_running(self) -> bool:
        running: asyncio.Task[None] | None = getattr(self._state, "running", None)
        # Some test clients answer each request in an event loop of its own.
        return running is not None and not running.done() and running.get_loop() is asyncio.get_running_loop()


class _HostCheck:
    """Answers requests to a few names and to addresses alone.

    Args:
        app: the application that answers them.
        names: the names, in lower case.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse with 400."""
        if scope["type"] == "http":
            host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
            if not self._is_allowed(host):
                told = f"the host {host!r} is not served: name it with --allowed-host (allowed_hosts=)"
                await JSONResponse({"detail": told}, 400)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_allowed(self, host: str) -> bool:
        """Tell whether a request to a host is answered; one without a host comes from no browser."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if not host or name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True
