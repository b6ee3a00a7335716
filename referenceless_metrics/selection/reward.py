"""A metric as a reward: what trl's `GRPOTrainer`, and trainers that call rewards as it does, ask of a function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referenceless_metrics.core.metric import Metric, check_metric, coverage_name, score_texts
from referenceless_metrics.core.support.validation import Record, check_number, describe


class Reward:
    """A metric's values as rewards of completions: `reward(prompts, completions, **columns) -> list[float]`.

    **What a completion without a value gets** is `floor`, and a completion with a value never gets less: values below
    `floor` are raised to it. So abstaining never pays, in any batch and on any process. (trl reads None as "not
    applicable" and adds nothing for it, which is more than a negative reward, and in a group of one's own the mean;
    a worst value of the batch would differ from one process to the next.) Choose `floor` at or below the values of the
    worst texts that you want told apart: values below it are.

    Only the completion is scored, without its prompt. In the conversational format it is the text of the last message
    of the assistant; a completion without such a message, or with tool calls alone, has no text and gets `floor`.

    A metric that a model is trained on stops being a good measure of it (see "What you may claim"): a policy learns
    what the metric overlooks. Judge the result by a second metric, and by people.

    Args:
        metric: any metric of the protocol, with its models or pool bound.
        floor: the reward of a completion without a value, and the least of all; finite.
        sources: the column of the training data that holds what a metric reads as sources; None for the prompts.
        references: the column that holds the references; a metric that reads references needs it.

    Attributes:
        __name__: under which trainers log it: the metric's name.

    Raises:
        TypeError: for a metric that is none, or a floor that is no number.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric whose values depend on the batch (`MBR` among them), a floor that is not
            finite, or a metric that reads references without a column of them.

    >>> from referenceless_metrics import WPSLOR
    >>> reward = Reward(WPSLOR(), floor=-2.0)
    >>> good, bad, empty = reward(["Say something."] * 3, ["the cat sat on the mat .", "cat the mat the on", ""])
    >>> good > bad >= empty, empty
    (True, -2.0)
    """

    def __init__(
        self,
        metric: Metric,
        *,
        floor: float,
        sources: str | None = None,
        references: str | None = None,
    ) -> None:
        self.metric = check_metric(metric, batches=True)
        check_number(floor, "floor")
        for name, column in (("sources", sources), ("references", references)):
            if column is not None and not isinstance(column, str):
                raise TypeError(f"Expected argument `{name}` to name a column, but got {describe(column)}")
        if metric.needs_references and references is None:
            raise ValueError(f"Expected argument `references` to name the column that {metric.name} reads")
        self.floor = float(floor)
        self.sources = sources
        self.references = references
        self.__name__ = metric.name

    def __call__(
        self, prompts: Sequence[Any] | None = None, completions: Sequence[Any] = (), **columns: Any
    ) -> list[float]:
        """Return the reward of each completion.

        Args:
            prompts: n prompts, texts or lists of messages; read by a metric of sources where no column is named.
            completions: n completions, texts or lists of messages (`{"role": …, "content": …}`).
            columns: the other columns of the training data, n entries each; and `log_metric`, which trl brings, to
                which the coverage is told. All else is ignored.

        Returns:
            n finite floats of at least `floor`.

        Raises:
            TypeError: for a completion that is neither a text nor a list of messages.
            ValueError: for a missing column, or one of another length.
        """
        outputs = [text_of(completion, f"completions[{place}]") for place, completion in enumerate(completions)]
        inputs: Record = {}
        if self.metric.needs_sources:
            if self.sources is not None:
                inputs["sources"] = _column(columns, self.sources, len(outputs))
            else:
                inputs_column = _column({"prompts": prompts}, "prompts", len(outputs))
                inputs["sources"] = [
                    text_of(prompt, f"prompts[{i}]", "user") or "" for i, prompt in enumerate(inputs_column)
                ]
        if self.metric.needs_references:
            inputs["references"] = _column(columns, str(self.references), len(outputs))
        # What has no text is scored as an empty one would be, which keeps the columns aligned; its value is not used.
        result = score_texts(self.metric, [text or "" for text in outputs], **inputs)
        absent = np.isnan(result.values) | np.array([text is None for text in outputs], dtype=bool)
        log_metric = columns.get("log_metric")
        if callable(log_metric) and len(outputs):
            log_metric(coverage_name(self.metric), float(1.0 - absent.mean()))
        highest = np.finfo(np.float32).max  # trainers hold rewards as float32
        rewards: list[float] = np.clip(np.where(absent, self.floor, result.values), self.floor, highest).tolist()
        return rewards

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.metric.name}, floor={self.floor:g})"


def text_of(completion: Any, name: str, role: str = "assistant") -> str | None:
    """Return a text itself, or the last message of a role in a list of them; None if there is no text.

    Args:
        completion: a text, or a list of messages, whose content may be a text or None.
        name: how to call it in messages.
        role: whose message; a message without a role is the assistant's.

    Raises:
        TypeError: for anything else.

    >>> text_of([{"role": "assistant", "content": "Yes."}], "completions[0]")
    'Yes.'
    """
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, (list, tuple)) or not all(isinstance(message, Mapping) for message in completion):
        raise TypeError(f"Expected `{name}` to be a text or a list of messages, but got {describe(completion)}")
    messages = [message for message in completion if message.get("role", "assistant") == role]
    content = messages[-1].get("content") if messages else None
    if content is not None and not isinstance(content, str):
        raise TypeError(f"Expected the content of `{name}` to be a text, but got {describe(content)}")
    return content


def _column(columns: Mapping[str, Any], name: str, length: int) -> list[Any]:
    column = columns.get(name)
    if column is None or isinstance(column, str):
        known = ", ".join(
            f"`{known_name}`" for known_name, value in columns.items() if isinstance(value, (list, tuple))
        )
        raise ValueError(f"Expected a column `{name}` beside the completions, but got {known or 'none'}")
    if len(column) != length:
        raise ValueError(f"Expected the column `{name}` to have {length} entries, but got {len(column)}")
    return list(column)
