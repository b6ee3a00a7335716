"""Scores of marked errors: the negative sum of their weights, so that higher is better.

The weights are those of Google's MQM annotations (Freitag et al. 2021, "Experts, errors, and context", TACL 9, section
3.1), as mt-metrics-eval applies them: of all weights that fit an error, the most specific one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referenceless_metrics.core.support.validation import InputError, finite_number, shortened
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

ANY = "*"
"""The name of a weight of errors that fit no other."""


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


def weights_told(weights: Mapping[str, float] = MQM_WEIGHTS) -> str:
    """Return the weights of errors as a caption lists them, without those of 0.

    >>> weights_told({"major": 5.0, "minor": 1.0, "minor/fluency/punctuation": 0.1, "no-error": 0.0})
    'major 5, minor 1, minor/fluency/punctuation 0.1'
    """
    return ", ".join(f"{name} {weight:g}" for name, weight in weights.items() if weight)


class UnweightedError(InputError):
    """A marked error whose severity has no weight.

    Attributes:
        severity: the severity, in small letters.
    """

    def __init__(self, message: str, severity: str) -> None:
        super().__init__(message)
        self.severity = severity


def mqm_score(spans: Iterable[Span], weights: Mapping[str, float] = MQM_WEIGHTS) -> float:
    """Return the negative sum of the weights of errors; 0.0 for none.

    Raises:
        InputError: for a severity without a weight.

    >>> mqm_score([Span(0, 4, "minor", "Fluency/Punctuation"), Span(6, 9, "major")])
    -5.1
    """
    return 0.0 - sum(weight_of(span, weights) for span in spans)


def weight_of(span: Span, weights: Mapping[str, float] = MQM_WEIGHTS) -> float:
    """Return the weight of an error; see `known_weight`.

    Raises:
        UnweightedError: for a severity without a weight.
    """
    weight = known_weight(span, weights)
    if weight is not None:
        return weight
    known = ", ".join(name for name in weights if "/" not in name)
    raise UnweightedError(
        f"there is no weight for the severity {span.severity!r}; those with a weight are {known}: give "
        f'--mqm-weights "{span.severity or "SEVERITY"}=WEIGHT"{_usual(span)}',
        _plain(span.severity),
    )


def known_weight(span: Span, weights: Mapping[str, float] = MQM_WEIGHTS) -> float | None:
    """Return the weight of an error, the most specific one that fits it or that of any; None if there is none."""
    names = (*reversed(_names_of(span)), ANY)
    return next((weights[name] for name in names if name in weights), None)


def _names_of(span: Span) -> list[str]:
    """Return the names of the weights that fit an error, the least specific first.

    >>> _names_of(Span(0, 4, "minor", "Fluency/Punctuation"))
    ['minor', 'minor/fluency', 'minor/fluency/punctuation']
    """
    parts = [_plain(span.severity), *filter(None, (_plain(part) for part in span.category.split("/")))]
    return ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]


def check_named_weights(spans: Iterable[Span], weights: Mapping[str, float]) -> list[str]:
    """Return a note on each weight of the option `--mqm-weights` that fits no error.

    Args:
        spans: all errors of a file.
        weights: the weights, with the usual ones.

    Raises:
        InputError: for a weight that is called as a category of the errors, without a severity.
    """
    named = [name for name, weight in weights.items() if name != ANY and MQM_WEIGHTS.get(name) != weight]
    marked = list(dict.fromkeys((span.severity, span.category) for span in spans))
    if not named or not marked:
        return []
    fitting = {name: told for told in marked for name in _names_of(Span(None, None, *told))}
    unfitting = [name for name in named if name not in fitting]
    for name in unfitting:
        of_category = [
            f"{severity}/{category}"
            for severity, category in marked
            if any(each.partition("/")[2] == name for each in _names_of(Span(None, None, severity, category)))
        ]
        if of_category:
            wanted = ",".join(f"{each}={weights[name]:g}" for each in of_category)
            raise InputError(
                f"--mqm-weights: {name!r} is a category, and the name of a weight begins with a severity: give "
                f'--mqm-weights "{wanted}"'
            )
    told = shortened(", ".join("/".join(filter(None, each)) for each in marked), 300)
    listed = ", ".join(map(repr, unfitting))
    return [f"no error of this file has the weight of {listed} (--mqm-weights); they are {told}"] if unfitting else []


def _usual(span: Span) -> str:
    """Return the weights that campaigns give to critical errors, for a message; "" for another severity."""
    return ", such as 10 or 25: campaigns differ" if _plain(span.severity) == "critical" else ""


def _plain(name: str) -> str:
    """Return a name in small letters, without spaces and exclamation marks around it: `Non-translation!`."""
    return "/".join(part.strip(" !").lower() for part in name.split("/"))
