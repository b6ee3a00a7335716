"""What the adapter of a framework needs of a metric: a name, a signature, and a function from texts to scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.validation import check_texts


@dataclass(frozen=True)
class TextScorer:
    """A metric with its models or its pool bound, so that only texts are missing.

    Attributes:
        name: the metric's name, as results carry it.
        signature: what determines the scores.
        function: from n texts and their references (None for a metric that reads none) to n scores, float64, NaN
            where undefined.
        needs_references: whether the metric reads references.
    """

    name: str
    signature: str
    function: Callable[[list[str], Any], NDArray[np.float64]]
    needs_references: bool = False

    @property
    def coverage_name(self) -> str:
        """The name under which the coverage stands beside the score."""
        return f"{self.name}_coverage"

    def __call__(self, texts: Iterable[str], references: Any = None) -> NDArray[np.float64]:
        """Score texts.

        Args:
            texts: n texts, not a bare string; there may be none.
            references: one reference text, or a list of them, a text; not read by a metric that needs none.

        Returns:
            One score a text, shape (n,), NaN where undefined.

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for missing references, or not as many as there are texts.
        """
        checked = check_texts(texts, "texts")
        if self.needs_references and references is None:
            raise ValueError(f"Expected argument `references`, without which there is no {self.name}, but got None")
        if not checked:
            return np.empty(0)
        return self.function(checked, references if self.needs_references else None)
