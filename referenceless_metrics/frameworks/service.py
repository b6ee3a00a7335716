"""Any metric as a service over HTTP (extra `serve`): JSON in and out, requests that wait together scored together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

import numpy as np

from referenceless_metrics.core.metric import Metric, check_metric, score_texts
from referenceless_metrics.core.results import MetricResult, as_plain
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.core.support.validation import Record

with importing("serve", "the service needs"):
    from fastapi import FastAPI, HTTPException, Request
    from pydantic import BaseModel, ConfigDict, Field, ValidationError

__all__ = ["FastAPI", "build_service"]

MOST_BYTES = 4 * 2**20
"""Of a request's body."""
MOST_TEXTS = 10_000
"""Of a request."""
MOST_WAITING = 200
"""Requests; a further one is refused with 503."""
_MOST_TOGETHER = 256  # texts of several requests that are scored at once


class ScoreRequest(BaseModel):
    """What `/score` takes: texts, and one entry for each of what the metric reads beside them."""

    model_config = ConfigDict(extra="forbid", strict=True)

    texts: list[str] = Field(max_length=MOST_TEXTS)
    references: list[str | list[str]] | None = None
    sources: list[Any] | None = None


class _Scorer:
    """Scores requests one batch after the other in a thread, so that the event loop stays free."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self._waiting: asyncio.Queue[tuple[ScoreRequest, asyncio.Future[MetricResult]]] = asyncio.Queue(MOST_WAITING)

    async def score(self, request: ScoreRequest) -> MetricResult:
        """Return the result of a request.

        Raises:
            HTTPException: with 503 where too many wait; and as the metric raises.
        """
        scored: asyncio.Future[MetricResult] = asyncio.get_running_loop().create_future()
        try:
            self._waiting.put_nowait((request, scored))
        except asyncio.QueueFull:
            raise HTTPException(503, f"{MOST_WAITING} requests wait already: try again later") from None
        return await scored

    async def run(self) -> None:
        """Score what waits, for ever."""
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty() and sum(len(request.texts) for request, _ in batch) < _MOST_TOGETHER:
                batch.append(self._waiting.get_nowait())
            results = await self._results([request for request, _ in batch])
            for (_, scored), result in zip(batch, results, strict=True):
                if scored.done():  # the client has left
                    continue
                if isinstance(result, Exception):
                    scored.set_exception(result)
                else:
                    scored.set_result(result)

    async def _results(self, requests: Sequence[ScoreRequest]) -> list[MetricResult | Exception]:
        """Score requests together; where that fails, each alone, so that one does not fail with another."""
        try:
            return [*await asyncio.to_thread(self._together, requests)]
        except Exception as error:
            if len(requests) == 1:
                return [error]
            return [result for request in requests for result in await self._results([request])]

    def _together(self, requests: Sequence[ScoreRequest]) -> list[MetricResult]:
        texts = [text for request in requests for text in request.texts]
        references, sources = (
            [entry for request in requests for entry in getattr(request, name) or ()] if needed else None
            for name, needed in (("references", self.metric.needs_references), ("sources", self.metric.needs_sources))
        )
        result = score_texts(self.metric, texts, references, sources)
        ends = np.cumsum([len(request.texts) for request in requests])
        return [result.take(places) for places in np.split(np.arange(len(texts)), ends[:-1])]


def build_service(metric: Metric) -> FastAPI:
    """Return the service as an ASGI application, for `uvicorn` or any other server.

    `POST /score` takes `{"texts": […]}`, with `references` or `sources` for a metric that reads them, and returns
    `values` (null where the metric abstains), `reasons`, the metric's own columns, `mean`, `coverage` and `signature`.
    `GET /health` says that it scores. A body that is malformed gets 422, one that is too large 413, a request beside
    too many others 503.

    Args:
        metric: a metric with its models or its pool bound; it scores a text as it starts.

    Raises:
        TypeError: for an object that is no metric.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric of whole sets.
    """
    check_metric(metric, batches=True)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.scorer = scorer = _Scorer(metric)
        with contextlib.suppress(ValueError, TypeError):  # a source of another form warms too
            score_texts(metric, ["A first text."], ["A first text."], ["a first text"])
        task = asyncio.create_task(scorer.run())
        yield
        task.cancel()

    app = FastAPI(title=metric.name, lifespan=lifespan)

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok", "metric": metric.name, "signature": metric.signature}

    @app.post("/score")
    async def score(request: Request) -> dict[str, Any]:
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise HTTPException(413, f"a request takes at most {MOST_BYTES:,} bytes: send fewer texts at once")
        try:
            asked = ScoreRequest.model_validate_json(bytes(body))
        except ValidationError as error:
            messages = [f"{'.'.join(map(str, wrong['loc'])) or 'body'}: {wrong['msg']}" for wrong in error.errors()[:5]]
            raise HTTPException(422, "; ".join(messages)) from None
        for name in ("references", "sources"):
            inputs = getattr(asked, name)
            if inputs is not None and len(inputs) != len(asked.texts):
                raise HTTPException(422, f"expected {len(asked.texts)} {name}, one a text, but got {len(inputs)}")
            if inputs is None and getattr(metric, f"needs_{name}"):
                raise HTTPException(422, f"{metric.name} needs {name}, one a text")
        try:
            result = await app.state.scorer.score(asked)
        except (ValueError, TypeError) as error:
            raise HTTPException(422, str(error)) from None
        answer: Record = {"mean": result.mean, "coverage": result.coverage, **result.as_plain()}
        return dict(as_plain(answer))

    return app
