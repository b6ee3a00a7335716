"""A queue of scoring requests in which no request waits for the end of a large one.

Short and long requests have a thread each. Long requests take turns, with some texts of each at a time; before each
turn they give way to short ones, for a bounded time. A request that was given up is dropped between two turns.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referenceless_metrics.core.metric import Metric, score_texts
from referenceless_metrics.core.results import MetricResult

#: Most characters of a short request.
_SHORT = 20_000
#: Most characters and texts that a thread scores before it looks at its queue again; one text may have more characters.
#: They are so few that no metric divides them over several threads.
_CHARACTERS_AT_ONCE, _TEXTS_AT_ONCE = 8_000, 256
#: Most seconds for which long requests give way to short ones before each turn. A turn takes about as long, so that a
#: stream of short requests leaves them nearly half of the time.
_MOST_WAIT = 0.008
#: Seconds without a short request after which none is expected: its answer is written, and its client may ask again.
_QUIET = 0.001


class TooManyWaitError(Exception):
    """The queue is full."""


@dataclass(eq=False)
class _Job:
    """A request and its results so far.

    Attributes:
        texts: its n texts.
        references: one entry per text, or None for a metric that reads none.
        sources: one entry per text, or None for a metric that reads none.
        done: receives the result or the error; a caller that gives up cancels it.
        parts: the results of the first texts.
        n_scored: the number of these texts.
    """

    texts: Sequence[str]
    references: Sequence[Any] | None
    sources: Sequence[Any] | None
    done: asyncio.Future[MetricResult]
    parts: list[MetricResult] = field(default_factory=list)
    n_scored: int = 0

    def next_texts(self, n_characters: int, n_texts: int) -> slice:
        """Return the slice of the next texts: at least one, and no more than fit."""
        end, left = self.n_scored, n_characters
        while end < min(len(self.texts), self.n_scored + n_texts) and (left > 0 or end == self.n_scored):
            left -= len(self.texts[end])
            end += 1
        return slice(self.n_scored, end)

    def take(self, result: MetricResult) -> None:
        """Keep the result of the next texts; after the last ones, set the whole result."""
        self.parts.append(result)
        self.n_scored += len(result)
        if self.n_scored == len(self.texts):
            self.done.set_result(joined(self.parts))


class FairQueue:
    """The queue; see the module's docstring.

    Args:
        metric: a metric whose value of a text does not depend on the others.
        most_waiting: most requests at once.
    """

    def __init__(self, metric: Metric, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._short = _Lane(metric)
        self._long = _Lane(metric, before=self._short)

    @property
    def n_waiting(self) -> int:
        """Number of requests without an answer."""
        return len(self._short) + len(self._long)

    async def score(
        self, texts: Sequence[str], references: Sequence[Any] | None, sources: Sequence[Any] | None
    ) -> MetricResult:
        """Return the result of a request.

        Raises:
            TooManyWaitError: if the queue is full.
            Exception: the metric's error.
        """
        if self.n_waiting >= self._most_waiting:
            raise TooManyWaitError
        lane = self._short if sum(map(len, texts)) <= _SHORT else self._long
        return await lane.score(_Job(texts, references, sources, asyncio.get_running_loop().create_future()))

    async def run(self) -> None:
        """Score requests for ever."""
        await asyncio.gather(self._short.run(), self._long.run())


class _Lane:
    """Requests that one thread scores, in turn.

    Args:
        metric: the metric.
        before: the lane that this one gives way to; None for none.
    """

    def __init__(self, metric: Metric, before: _Lane | None = None) -> None:
        self._metric, self._before = metric, before
        self._jobs: deque[_Job] = deque()
        self._n_jobs = 0
        self._last_answer = -math.inf
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return self._n_jobs

    async def score(self, job: _Job) -> MetricResult:
        self._jobs.append(job)
        self._n_jobs += 1
        self._arrived.set()
        try:
            return await job.done
        finally:
            self._n_jobs -= 1
            self._last_answer = asyncio.get_running_loop().time()

    def _is_busy(self, now: float) -> bool:
        return self._n_jobs > 0 or now < self._last_answer + _QUIET

    async def _give_way(self, before: _Lane) -> None:
        """Wait until a lane is no longer busy, or for `_MOST_WAIT`."""
        clock = asyncio.get_running_loop().time
        end = clock() + _MOST_WAIT
        while before._is_busy(now := clock()) and now < end:
            await asyncio.sleep(_QUIET / 2)

    async def run(self) -> None:
        while True:
            await self._arrived.wait()
            if self._before is not None:
                await self._give_way(self._before)
            turn = self._next_turn()
            if not turn:
                self._arrived.clear()
                continue
            results = await self._results(turn)
            for (job, _), result in zip(turn, results, strict=True):
                if job.done.done():  # given up
                    continue
                if isinstance(result, Exception):
                    job.done.set_exception(result)
                    continue
                job.take(result)
                if not job.done.done():
                    self._jobs.append(job)

    def _next_turn(self) -> list[tuple[_Job, slice]]:
        """Return the next requests that fit together, with some of the texts of each."""
        turn: list[tuple[_Job, slice]] = []
        n_characters, n_texts = _CHARACTERS_AT_ONCE, _TEXTS_AT_ONCE
        while self._jobs and n_characters > 0 and n_texts > 0:
            job = self._jobs.popleft()
            if job.done.done():
                continue
            which = job.next_texts(n_characters, n_texts)
            turn.append((job, which))
            n_characters -= sum(map(len, job.texts[which]))
            n_texts -= max(which.stop - which.start, 1)
        return turn

    async def _results(self, turn: Sequence[tuple[_Job, slice]]) -> list[MetricResult | Exception]:
        """Score requests together; if that fails, each alone, so that only a bad request fails."""
        try:
            return [*await asyncio.to_thread(self._together, turn)]
        except Exception as error:
            if len(turn) == 1:
                return [error]
            return [result for one in turn for result in await self._results([one])]

    def _together(self, turn: Sequence[tuple[_Job, slice]]) -> list[MetricResult]:
        texts = [text for job, which in turn for text in job.texts[which]]
        references = sources = None
        if self._metric.needs_references:
            references = [entry for job, which in turn for entry in (job.references or ())[which]]
        if self._metric.needs_sources:
            sources = [entry for job, which in turn for entry in (job.sources or ())[which]]
        result = score_texts(self._metric, texts, references, sources)
        ends = np.cumsum([which.stop - which.start for _, which in turn])
        return [result.take(places) for places in np.split(np.arange(len(texts)), ends[:-1])]


def joined(parts: Sequence[MetricResult]) -> MetricResult:
    """Return the results of a request's parts, at least one, as one result."""
    first, *others = parts
    if not others:
        return first
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in first.columns}
    reasons = tuple(reason for part in parts for reason in part.reasons)
    values = np.concatenate([part.values for part in parts])
    return MetricResult(values, reasons, first.signature, columns, first.details)
