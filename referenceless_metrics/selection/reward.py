"""A metric as a reward function of trl's `GRPOTrainer`, and of trainers that call rewards in the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referenceless_metrics.core.metric import Metric, check_scorer, coverage_name, score_texts
from referenceless_metrics.core.support.validation import Record, check_number, describe


class Reward:
    """A metric's values as rewards of completions: `reward(prompts, completions, **columns) -> list[float]`.

    **A completion without a value gets `floor`**, and values below `floor` are raised to it, so that abstaining never
    pays, in any batch and on any process. (None would mean "not applicable" to trl, which is better than a negative
    reward, and the worst value of the batch would differ between processes.) Choose a `floor` below the values of the
    worst texts that you want to tell apart.

    Only the completion is scored, without its prompt. In the conversational format it is the text of the last message
    of the assistant; a completion without such a message, or with tool calls alone, has no text and gets `floor`.

    A metric that a model is trained on is no longer a good measure of it (see "What you may claim"): the policy learns
    the metric's weaknesses. Judge the result by a second metric, and by people.

    Args:
        metric: any metric of the protocol, with its models or pool bound.
        floor: the reward of a completion without a value, and the lowest reward; finite.
        sources: the column of the training data with the sources; None to take the prompts.
        references: the column that holds the references; a metric that reads references needs it.

    Attributes:
        __name__: the name under which trainers log it: the metric's.

    Raises:
        TypeError: for an object that is no metric, or a floor that is no number.
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
        self.metric = check_scorer(metric)
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
            prompts: n prompts, texts or lists of messages; they are the sources if no column is named.
            completions: n completions, texts or lists of messages (`{"role": …, "content": …}`).
            columns: the other columns of the training data, n entries each, and trl's `log_metric`, which gets the
                coverage. Others are ignored.

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
        # A completion without a text is scored as an empty text, so that columns stay aligned; its value is not used.
        result = score_texts(self.metric, [text or "" for text in outputs], **inputs)
        absent = np.isnan(result.values) | np.array([text is None for text in outputs], dtype=bool)
        log_metric = columns.get("log_metric")
        if callable(log_metric) and len(outputs):
            log_metric(coverage_name(self.metric), float(1.0 - absent.mean()))
        highest = np.finfo(np.float32).max  # trainers keep rewards as float32
        rewards: list[float] = np.clip(np.where(absent, self.floor, result.values), self.floor, highest).tolist()
        return rewards

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.metric.name}, floor={self.floor:g})"


def text_of(completion: Any, name: str, role: str = "assistant") -> str | None:
    """Return a text itself, or the last message of a role in a list of them; None if there is no text.

    Args:
        completion: a text, or a list of messages, whose content may be a text or None.
        name: its name in error messages.
        role: the role of the message; a message without a role is the assistant's.

    Raises:
        TypeError: for other objects.

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
