"""The two models that come with the package."""

from __future__ import annotations

from functools import cache

from metric_commons.support.validation import check_choice
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.ngram.model import NgramLanguageModel

PACKAGED = ("wordpiece", "word")
"""The names of the packaged models: ``"wordpiece"`` is WPSLOR's default, ``"word"`` is SLOR's."""


def packaged(name: str = "wordpiece", *, oov: str | None = None) -> NgramLanguageModel:
    """Load a model that comes with the package; a second call gives the same object.

    Args:
        name: ``"wordpiece"`` or ``"word"``.
        oov: another rule for unknown tokens than the model's default (see `NgramLanguageModel`).

    Raises:
        ValueError: for another name.

    >>> packaged("word").token_logprobs(["It rained."])[0].pieces
    ('it', 'rained', '.')
    """
    check_choice(name, "name", PACKAGED)
    return _load(name, oov)


@cache
def _load(name: str, oov: str | None) -> NgramLanguageModel:
    model = NgramLanguageModel.load(packaged_file(f"{name}.npz"), oov=oov)
    model.language = "en"
    return model
