"""Scores of marked errors: the negative sum of their weights, so that higher is better.

The weights are those of Google's MQM annotations (Freitag et al. 2021, "Experts, errors, and context", TACL 9, section
3.1), as mt-metrics-eval applies them: of all weights that fit an error, the most specific one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referenceless_metrics.core.support.validation import InputError, finite_number
from referenceless_metrics.human_evaluation.exports.rows import Span

MQM = "mqm"
"""The name of the score that errors add up to."""

MQM_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "hotw-test": 0.0,  # an error that was put in to test raters
    "major/non-translation": 25.0,
    "minor/fluency/punctuation": 0.1,
}
"""Weights by severity, and by severity with a category, in small letters."""


def parse_mqm_weights(text: str) -> dict[str, float]:
    """Return weights from the option `--mqm-weights`; those that it does not name keep their default.

    Raises:
        InputError: for anything but pairs of a severity, with a category or not, and a number.

    >>> parse_mqm_weights("Critical=10, Minor/Style=0.5")["minor/style"]
    0.5
    """
    weights = dict(MQM_WEIGHTS)
    for pair in text.split(","):
        name, equals, number = pair.partition("=")
        weight = finite_number(number)
        if not name.strip() or not equals or weight is None:
            raise InputError(f'expected severities and weights, as "Critical=10,Minor/Style=0.5", but got {text!r}')
        weights[_plain(name)] = weight
    return weights


TOLD_WEIGHTS = "1 for a minor and 5 for a major one, .1 for minor punctuation and 25 for non-translation"
"""`MQM_WEIGHTS` in words."""


def mqm_score(spans: Iterable[Span], weights: Mapping[str, float] = MQM_WEIGHTS) -> float:
    """Return the negative sum of the weights of errors; 0.0 for none.

    Raises:
        InputError: for a severity without a weight.

    >>> mqm_score([Span(0, 4, "minor", "Fluency/Punctuation"), Span(6, 9, "major")])
    -5.1
    """
    return 0.0 - sum(_weight(span, weights) for span in spans)


def _weight(span: Span, weights: Mapping[str, float]) -> float:
    parts = [_plain(span.severity), *filter(None, (_plain(part) for part in span.category.split("/")))]
    for length in range(len(parts), 0, -1):
        weight = weights.get("/".join(parts[:length]))
        if weight is not None:
            return weight
    known = ", ".join(name for name in weights if "/" not in name)
    raise InputError(
        f"there is no weight for the severity {span.severity!r}; those with a weight are {known}: give "
        f'--mqm-weights "{span.severity or "SEVERITY"}=WEIGHT"{_usual(span)}'
    )


def _usual(span: Span) -> str:
    """Return the weights that campaigns give to critical errors, for a message; "" for another severity."""
    return ", such as 10 or 25: campaigns differ" if _plain(span.severity) == "critical" else ""


def _plain(name: str) -> str:
    """Return a name in small letters, without spaces and exclamation marks around it: `Non-translation!`."""
    return "/".join(part.strip(" !").lower() for part in name.split("/"))
