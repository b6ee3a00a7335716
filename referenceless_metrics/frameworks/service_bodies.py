"""Bodies of requests and answers of the service, and its description in OpenAPI."""

from __future__ import annotations

import re
from typing import Any

from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import metric_names, metric_spec
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.core.support.validation import Numbers, Record

with importing("serve", "the service needs"):
    from fastapi import FastAPI
    from pydantic import BaseModel, ConfigDict, Field, field_validator

MOST_TEXTS = 10_000
"""Most texts of a request."""


class ScoreRequest(BaseModel):
    """Body of a request to `/score`: texts, and for each of them the references and sources that the metric reads."""

    model_config = ConfigDict(extra="forbid", strict=True)

    texts: list[str | None] = Field(max_length=MOST_TEXTS, description="the texts; null is an empty text")
    references: list[str | list[str]] | None = None
    sources: list[Any] | None = None

    @field_validator("texts", mode="before")
    @classmethod
    def _nan_is_null(cls, texts: Any) -> Any:
        """Return texts with null for NaN, which some programs write for a missing text of a table."""
        return [None if text != text else text for text in texts] if isinstance(texts, list) else texts


class ScoreAnswer(BaseModel):
    """Answer of `/score`. Each list has an entry for each text, in order, also for texts without a score."""

    model_config = ConfigDict(extra="allow")

    values: list[float | None] = Field(description="the scores; null where the metric abstains")
    reasons: list[str | None] = Field(description="why there is no score; null where there is one")
    bad: list[bool | None] | None = Field(None, description="whether a score is bad, if `serve --bad` says what is")
    mean: float | None = Field(description="the mean over the texts with a score; null if none has one")
    coverage: float | None = Field(description="the share of texts with a score, from 0 to 1; null for no texts")
    signature: str = Field(description="the settings and models that determine the scores")
    level: float | None = Field(None, description="the share of ratings that the intervals from lower to upper hold")
    verdict: str = Field("", description="what leaving rated texts out showed; of a metric that learned from ratings")
    expected_spearman: float | None = Field(None, description="the rank correlation with ratings that this showed")


class HealthAnswer(BaseModel):
    """Answer of `/health`."""

    model_config = ConfigDict(extra="allow")

    status: str = Field(description="ok")
    metric: str
    signature: str
    waiting: int = Field(description="requests that wait or are being scored")
    most_waiting: int = Field(description="most of them; a further one gets 503")
    bad: str | None = Field(None, description="the scores that count as bad, if `serve --bad` says it")
    verdict: str = Field("", description="what leaving rated texts out showed; of a metric that learned from ratings")
    expected_spearman: float | None = Field(None, description="the rank correlation with ratings that this showed")


class Refusal(BaseModel):
    """Answer to a request that is refused."""

    detail: str = Field(description="what was expected, and what came")


def body_example(metric: Metric) -> Record:
    """Return a body that `/score` takes with a metric, with what belongs to the texts if the metric reads it."""
    example: Record = {"texts": ["A text.", "Another one."]}
    for name in ("references", "sources"):
        if getattr(metric, f"needs_{name}"):
            example[name] = [f"what belongs to text {number}" for number in (1, 2)]
    return example


def body_for(metric: Metric) -> Record:
    """Return the description of the body that `/score` takes with a metric, in OpenAPI's form."""
    schema = ScoreRequest.model_json_schema()
    example = body_example(metric)
    for name in ("references", "sources"):
        if name in example:
            schema["required"].append(name)
        else:
            del schema["properties"][name]
    schema["example"] = example
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def describe_columns(app: FastAPI, metric: Metric, result: MetricResult) -> None:
    """Add the metric's own columns to the description of the answer.

    Args:
        app: the service.
        metric: its metric.
        result: a result of the metric, whose columns have the names and types.
    """
    answer = app.openapi()["components"]["schemas"][ScoreAnswer.__name__]
    notes = column_notes(metric.name)
    for name, column in result.columns.items():
        schema: Record = {"type": "array", "items": _item(column)}
        note = notes.get(name) or notes.get(f"{name}_scores")
        answer["properties"][name] = {**schema, "description": note} if note else schema


def column_notes(metric: str) -> dict[str, str]:
    """Return the description of each column in a metric's entry; nothing for a metric that is not installed."""
    if metric not in metric_names():
        return {}
    notes = {}
    for names, note in re.findall(r"^ +([a-z_, ]+): ((?:.|\n {8})+)", metric_spec(metric).results, re.MULTILINE):
        for name in names.split(", "):
            # `evaluate` calls texts predictions.
            notes[name] = re.sub(r"\s+", " ", note).rstrip(".").replace("prediction", "text")
    return notes


def _item(column: Numbers) -> Record:
    """Return the description of a column's entries."""
    kind = column.dtype.kind
    if kind == "b":
        return {"type": "boolean"}
    if kind in "iu":
        return {"type": "integer"}
    if kind == "f":
        return {"anyOf": [{"type": "number"}, {"type": "null"}]}
    if all(isinstance(entry, str) for entry in column.tolist()):
        return {"anyOf": [{"type": "string"}, {"type": "null"}]}
    return {}
