"""Results of metrics: values of n texts, reasons for missing ones, and a mean with its coverage."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.seams import presentation
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Numbers

if TYPE_CHECKING:
    from referenceless_metrics.pages.drawing import Drawing

EMPTY = "empty text"
NO_TOKENS = "no tokens"
UNDEFINED = "undefined"
RATED_TEXT = "rated text"
FILLED = "filled"
"""Name of the column that marks texts whose value is not an estimate of their own (see `RatingEstimator`)."""

LEARNED_FROM = "learned_from"
"""Name of the column that marks texts that the metric learned from, whose values rest on their own ratings."""

FEW_COVERED = 0.5
"""Coverage below which a warning says that the mean tells little of all texts."""

FEWEST_FOR_INTERVAL = 10
"""Fewest values for which intervals and p-values are given."""

MANY_RATED_TEXTS = 0.05
"""Share of rated texts among the outputs from which a warning says that the mean is not one of new outputs."""


@dataclass(frozen=True, repr=False, eq=False)
class MetricResult:
    """The values of n texts.

    A metric's own figures are columns (one entry per text) and details (of the whole result). Each is an attribute,
    too, such as `result.n_neighbors`.

    Args:
        values: one value per text, shape (n,), float64; NaN if the metric abstains.
        reasons: for each text the reason of an abstention, or None. A missing reason gets a general one.
        signature: the metric's signature.
        columns: the metric's own arrays by name, each of length n.
        details: further figures of the whole result by name, such as the statistics behind z-scores.
        remedies: by the reason of an abstention, the way to get values for more texts.

    Raises:
        ValueError: for reasons or columns of another length.

    >>> columns = {"n_tokens": np.array([3, 0])}
    >>> result = MetricResult(np.array([0.5, np.nan]), (None, "empty text"), "metric:toy", columns)
    >>> result, result.mean, result.coverage, result.n_tokens.tolist()
    (MetricResult(mean=0.5, coverage=0.5, n=2), 0.5, 0.5, [3, 0])
    """

    values: Floats
    reasons: tuple[str | None, ...]
    signature: str
    columns: Mapping[str, Numbers] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    remedies: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, length in (("reasons", len(self.reasons)), *((k, len(v)) for k, v in self.columns.items())):
            if length != len(self.values):
                raise ValueError(
                    f"Expected `{name}` to have one entry for each of {len(self.values)} values, got {length}"
                )
        reasons: list[str | None] = [None] * len(self.values)
        for place in np.flatnonzero(~self.covered).tolist():
            reasons[place] = self.reasons[place] or UNDEFINED
        object.__setattr__(self, "reasons", tuple(reasons))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name not in type(self).__dataclass_fields__:
            for entries in (self.columns, self.details):
                if name in entries:
                    return entries[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.columns, *self.details]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values.tolist())

    def __getitem__(self, places: Any) -> Any:
        """Return the value at a place, or the values in a slice or under a mask."""
        return self.values[places]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Numbers:
        """Return the values. Unlike `mean`, their `np.mean` is NaN if a text has no value."""
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __array_function__(self, function: Any, _: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """Call a function of numpy with the values. Otherwise `np.mean` would call the attribute `mean`."""
        return function(*map(_arrays_in, args), **options)

    ndim = 1

    @property
    def shape(self) -> tuple[int]:
        """The number of values, as of an array."""
        return (len(self),)

    def reshape(self, *shape: int) -> Numbers:
        """Return the values as an array of another shape; `StackingRegressor` calls it."""
        return self.values.reshape(*shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={self.mean:.4g}, coverage={self.coverage:.3g}, n={len(self)})"

    @property
    def covered(self) -> Booleans:
        """Whether each text has a value of the metric's own, shape (n,)."""
        filled = self.columns.get(FILLED)
        return ~np.isnan(self.values) if filled is None else ~filled

    @property
    def n_covered(self) -> int:
        """Number of texts with a value."""
        return int(np.count_nonzero(self.covered))

    @property
    def n_rated_texts(self) -> int:
        """Number of texts that are rated texts of the metric; 0 if these are not known."""
        return int(self.details.get("n_rated_texts", 0))

    @property
    def coverage(self) -> float:
        """The share of texts with a value, in [0, 1]; NaN for no texts."""
        return float(self.covered.mean()) if len(self) else math.nan

    @property
    def mean(self) -> float:
        """The mean over the covered texts; NaN if there are none. Report it with `coverage`."""
        return float(self.values[self.covered].mean()) if self.covered.any() else math.nan

    @property
    def abstentions(self) -> Counter[str]:
        """Number of texts without a value, for each reason; 0 for other reasons."""
        return Counter(reason for reason in self.reasons if reason is not None)

    def take(self, places: Integers) -> MetricResult:
        """Return the result of some of the texts, in any order and with repetitions.

        Of the details only the level of the intervals stays, which is that of each text.
        """
        details = {"level": self.details["level"]} if "level" in self.details else {}
        reasons = tuple([self.reasons[place] for place in places.tolist()])
        columns = {name: column[places] for name, column in self.columns.items()}
        return MetricResult(self.values[places], reasons, self.signature, columns, details)

    def to_pandas(self, texts: Sequence[str] | None = None) -> Any:
        """Return a table of n rows with the columns `value`, `reason` and the metric's own, after the given texts."""
        import pandas

        text_column = {} if texts is None else {"text": list(texts)}
        return pandas.DataFrame({**text_column, "value": self.values, "reason": list(self.reasons), **self.columns})

    def plot(self) -> Drawing:
        """Draw the distribution of the values. A notebook shows the drawing, and its `save` writes it."""
        drawing: Drawing = presentation().histogram(self)
        return drawing

    def _repr_html_(self) -> str:
        """Return HTML for a notebook: the mean with its coverage, and rows of the table."""
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.to_pandas()._repr_html_()}"

    def as_plain(self) -> dict[str, Any]:
        """Return all but the mean by name as Python's own types, with None for NaN, so that it is strict JSON."""
        figures = {"coverage": self.coverage, "values": self.values, "reasons": list(self.reasons)}
        content = {**figures, **self.columns, **self.details, "signature": self.signature}
        return {name: as_plain(value) for name, value in content.items()}


def _arrays_in(argument: Any) -> Any:
    """Return an argument of a numpy function with the values of each result in it, in lists too."""
    if isinstance(argument, (list, tuple)):
        return [_arrays_in(item) for item in argument]
    return argument.values if isinstance(argument, MetricResult) else argument


@dataclass
class RunningSummary:
    """Running mean, coverage and abstentions over a stream of results.

    Attributes:
        n: number of texts.
        n_covered: number of texts with a value.
        total: sum of the values, with one rounding per part.
        abstentions: number of texts without a value, for each reason.
        signature: signature of the results.
        details: details of the result, if it is the only part.
        n_rated_texts: number of texts that are rated texts of the metric.
        remedies: by the reason of an abstention, the way to get values for more texts.
    """

    n: int = 0
    n_covered: int = 0
    total: float = 0.0
    abstentions: Counter[str] = field(default_factory=Counter)
    signature: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    n_rated_texts: int = 0
    remedies: Mapping[str, str] = field(default_factory=dict)

    def add(self, result: MetricResult) -> None:
        """Add the result of another part."""
        known = result.values[result.covered]
        self.details = {} if self.n else result.details
        self.n += len(result)
        self.n_covered += len(known)
        self.total = math.fsum([self.total, *known.tolist()])
        self.abstentions.update(result.abstentions)
        self.signature = result.signature
        self.remedies = result.remedies
        self.n_rated_texts += result.n_rated_texts

    def __len__(self) -> int:
        return self.n

    @property
    def coverage(self) -> float:
        """The share of texts with a value, in [0, 1]; NaN for no texts."""
        return self.n_covered / self.n if self.n else math.nan

    @property
    def mean(self) -> float:
        """The mean over the covered texts; NaN if there are none."""
        return self.total / self.n_covered if self.n_covered else math.nan


def mark_rated(result: MetricResult, texts: Sequence[str], rated: Container[str], exclude: bool) -> MetricResult:
    """Return a result that says which of its texts the metric learned from.

    The column `LEARNED_FROM` marks them, and the detail `n_rated_texts` is their number.

    Args:
        result: the result of n texts.
        texts: the texts.
        rated: the texts that the metric learned from.
        exclude: whether these get no value.
    """
    is_rated = np.fromiter((text in rated for text in texts), np.bool_, len(texts))
    details = {**result.details, "n_rated_texts": int(is_rated.sum())}
    columns: dict[str, Numbers] = {**result.columns, LEARNED_FROM: is_rated}
    if not exclude or not is_rated.any():
        return replace(result, columns=columns, details=details)
    reasons = tuple(
        RATED_TEXT if one else reason for one, reason in zip(is_rated.tolist(), result.reasons, strict=True)
    )
    for name in columns.keys() & {"lower", "upper"}:
        columns[name] = np.where(is_rated, np.nan, columns[name])
    values = np.where(is_rated, np.nan, result.values)
    return replace(result, values=values, reasons=reasons, columns=columns, details=details)


def warnings_of(result: MetricResult | RunningSummary) -> dict[str, str]:
    """Return warnings about the mean, from `n_rated_texts` and `coverage`.

    A mean over few texts is of those that the metric knows best, and a rated text's value rests on its own rating.
    """
    n, sentences = len(result), {}
    copies = result.n_rated_texts - result.abstentions[RATED_TEXT]
    if copies and copies >= MANY_RATED_TEXTS * n:
        sentences["n_rated_texts"] = (
            f"{copies} of {n} texts are rated texts themselves: their values rest on their own ratings "
            "(exclude_rated=True, or --exclude-rated, leaves them out)"
        )
    if 0 < result.n_covered < FEW_COVERED * n:
        sentences["coverage"] = (
            f"only {result.n_covered} of {n} texts have a value: their mean says little of the others{_told(result)}"
        )
    return sentences


def _told(result: MetricResult | RunningSummary) -> str:
    """Return the way to get values for more texts, for each reason with a remedy."""
    known = [reason for reason, _ in result.abstentions.most_common() if reason in result.remedies]
    told = "; ".join(f"{reason} ({result.abstentions[reason]}): {result.remedies[reason]}" for reason in known)
    return f". What helps with {told}" if told else ""


def covered_mean(result: MetricResult, min_coverage: float | None) -> tuple[float, dict[str, str]]:
    """Return the mean, NaN if the coverage is below `min_coverage`, with the warnings.

    The mean of z-scores over these texts (the detail `parts` has the means before) is exactly 0: rounding errors would
    order systems.
    """
    warnings = warnings_of(result)
    if min_coverage is None or result.coverage >= min_coverage:
        return round(result.mean, 12) + 0.0 if "parts" in result.details else result.mean, warnings
    few = f"{result.n_covered} of {len(result)} texts have a value, less than min_coverage={min_coverage:g}: no mean"
    return math.nan, {
        **warnings,
        "coverage": f"{few} ({', '.join(f'{n} {one}' for one, n in result.abstentions.items())})",
    }


PLAIN_TYPES = frozenset({str, int, bool, type(None)})
"""Types that `as_plain` does not change; most cells of tables have one."""


def as_plain(value: Any) -> Any:
    """Return a detail in Python's own types; an object with `as_dict` becomes a mapping.

    NaN and infinities, which JSON lacks, become None. Other objects, such as dates, stay.
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else None
    if isinstance(value, (dict, Mapping)):  # a dict is found at once
        return {name: item if type(item) in PLAIN_TYPES else as_plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    if hasattr(value, "dtype"):
        plain: Any = np.where(np.isfinite(value), value, None) if value.dtype.kind == "f" else value
        return plain.tolist()
    return as_plain(value.as_dict()) if hasattr(value, "as_dict") else value


def reasons_for(n: int, masks: Mapping[str, Booleans]) -> tuple[str | None, ...]:
    """Return the reason of each of n texts: the first one whose mask is true for it, or None.

    >>> reasons_for(2, {"empty text": np.array([True, False])})
    ('empty text', None)
    """
    reasons = np.full(n, None, dtype=object)
    for reason, mask in reversed([*masks.items()]):
        reasons[mask] = reason
    return tuple(reasons.tolist())
