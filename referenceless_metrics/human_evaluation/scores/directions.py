"""The direction in which scores are better, told by names of usual metrics: of a score, of its file, or in its rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from referenceless_metrics.core.support.metric_names import (
    LOWER_IS_BETTER,
    OF_COUNTS,
    OF_JUDGES,
    OF_MODELS,
    OF_OVERLAP,
    OF_TASKS,
)
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.ratings.ranks import is_better_if_lower

NONE = "none"
"""The name that says: of no score is lower better."""

_OF_ERRORS = r"wer|cer|bpb|brier"
_OF_FILES = re.compile(f"{LOWER_IS_BETTER}|{_OF_ERRORS}")
"""Words of which lower is better that tell a metric in the name of a file, too."""

_LOWER = re.compile(
    f"{_OF_FILES.pattern}|mer|bits|loss|latency|errs?|errors?|mistakes?|faults?|failures?|toxicity|profanity|"
    "hallucinations?|kincaid"
)
"""Words in the names of scores of which lower ones are better; in the name of a file some may mean something else."""

_BAD = frozenset(("bad", "poor", "wrong", "failed", "unknown"))
_COUNTED = frozenset(("is", "n", "number", "count", "share", "rate", "ratio", "fraction", "percent", "pct"))
"""Words that make a share or a number of bad ones of a word of `_BAD`, which alone may say what a metric is worth."""

_OF_METRICS = re.compile(
    f"{OF_OVERLAP}|{OF_MODELS}|{OF_COUNTS}|{OF_TASKS}|{OF_JUDGES}|slor|wpslor|acc|corr|correlation|correct|pass|passed|"
    "success|resolved|reward|exact"
)
_HIGHER = re.compile(f"{_OF_METRICS.pattern}|quality|fluency|adequacy|coherence|naturalness|readability|helpfulness")
"""Words in the names of scores of which higher ones are better: of metrics, and of qualities."""

_ERRORS = re.compile("errs?|errors?|mistakes?|faults?")
"""Words for errors, behind which that of a quality tells what they are of, as in `err_readability`."""

_TURNED = frozenset(
    ("no", "free", "without", "neg", "negative", "minus", "inverse", "inverted", "correction", "detection", "reduction")
)
"""Words in names of scores that were turned, or are not the errors themselves."""

_PLAIN = re.compile(
    r"(?:seg(?:ment)?_?|sys(?:tem)?_?|metric_?)?(?:scores?|predictions?|preds?|values?|results?|metric|numbers?)"
)
"""Names of scores that tell no metric."""


def is_lower_better(name: str) -> bool:
    """Say whether a score is a metric, or a count of errors, of which lower is better, by its name.

    >>> is_lower_better("MetricX-24"), is_lower_better("mean_rank"), is_lower_better("sacre_TER")
    (True, True, True)
    >>> is_lower_better("poor_share"), is_lower_better("poor"), is_lower_better("toxicity/v1/score")
    (True, False, True)
    >>> is_lower_better("comet-kiwi"), is_lower_better("textrank_r1"), is_lower_better("error_free")
    (False, False, False)
    >>> is_lower_better("err_readability"), is_lower_better("error_recall"), is_lower_better("readability")
    (True, False, False)
    """
    words = _words(name)
    are_errors = bool(words) and _ERRORS.fullmatch(words[0]) is not None
    higher = _OF_METRICS if are_errors else _HIGHER
    if not _TURNED.isdisjoint(words) or any(map(higher.fullmatch, words)):
        return False
    counts_bad = not _BAD.isdisjoint(words) and not _COUNTED.isdisjoint(words)
    return counts_bad or any(map(_LOWER.fullmatch, words)) or is_better_if_lower(name)


def is_higher_better(name: str) -> bool:
    """Say whether a score is a metric of which higher is better, by its name.

    >>> is_higher_better("rougeL"), is_higher_better("scores.accuracy"), is_higher_better("prediction")
    (True, True, False)
    """
    return any(map(_HIGHER.fullmatch, _words(name)))


def tell_lower(name: str, told: Sequence[str]) -> bool:
    """Say whether the names of all files, or what their rows say, tell a metric of which lower is better.

    They count for a score whose own name tells no metric. The folder of a file names what is in it, as the file does.

    Args:
        name: the name of the score.
        told: for each file its path, or the metric that its rows name.

    >>> tell_lower("prediction", ["a.metricx.jsonl", "b.metricx.jsonl"]), tell_lower("comet", ["a.metricx.jsonl"])
    (True, False)
    >>> tell_lower("score", ["a.metricx.csv", "b.comet.csv"]), tell_lower("score", ["error_analysis.csv"])
    (False, False)
    >>> tell_lower("prediction", ["metricx/a.jsonl", "metricx/b.jsonl"]), tell_lower("number", ["dev.hter"])
    (True, True)
    """
    if _PLAIN.fullmatch("_".join(_words(name.rpartition(".")[2]))) is None or not told:
        return False
    of_each = [_words(named_by(each)) for each in told]
    return all(any(map(_OF_FILES.fullmatch, words)) and not any(map(_HIGHER.fullmatch, words)) for words in of_each)


def is_lower_better_in(name: str, *files: str) -> bool:
    """Say whether lower is better of a score, as its own name or the names of all its files tell."""
    return is_lower_better(name) or tell_lower(name, files)


def named_by(path: str) -> str:
    """Return the part of a path that may name a metric: the file, and the folder that it is in.

    >>> named_by("runs/metricx/a.jsonl"), named_by("a.jsonl")
    ('metricx/a.jsonl', 'a.jsonl')
    """
    return "/".join(Path(path).parts[-2:])


def are_negated(values: Floats) -> bool:
    """Say whether no score is above 0, as of a metric whose sign was turned so that higher ones are better."""
    return bool(np.nanmax(values, initial=-np.inf) <= 0)


def _words(name: str) -> list[str]:
    """Return the words of a name in small letters, with the digits behind each.

    >>> _words("MetricX-24_XL"), _words("errorCount")
    (['metricx', '24', 'xl'], ['error', 'count'])
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
    return re.findall(r"[a-z0-9]+", apart.lower())
