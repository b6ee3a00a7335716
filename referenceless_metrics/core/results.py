"""Results of metrics: values of n texts, reasons for missing ones, and a mean with its coverage."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
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
"""The column that tells which texts have a value that is no estimate of their own (see `RatingEstimator`)."""

FEW_COVERED = 0.5
"""With a smaller share of texts that have a value, a mean says little of all of them."""

FEWEST_FOR_INTERVAL = 10
"""Of fewer values no interval, spread or p is given: resamples of a few values tell nothing of those not seen."""

MANY_RATED_TEXTS = 0.05
"""From this share of outputs that are rated texts themselves on, a mean is not one of new outputs."""


@dataclass(frozen=True, repr=False, eq=False)
class MetricResult:
    """The values of n texts.

    A metric's own figures are columns (one entry per text) and details (of the whole result); each is an attribute too,
    such as `result.n_neighbors`.

    Args:
        values: one value per text, shape (n,), float64; NaN if the metric abstains.
        reasons: why it abstains, n strings, and None if there is a value. What is undefined without a reason is
            given one.
        signature: what determines the values.
        columns: the metric's own arrays by name, each of length n.
        details: what else belongs to the result by name, such as the statistics that z-scores were taken with.

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

    def __post_init__(self) -> None:
        for name, length in (("reasons", len(self.reasons)), *((k, len(v)) for k, v in self.columns.items())):
            if length != len(self.values):
                raise ValueError(
                    f"Expected `{name}` to have one entry for each of {len(self.values)} values, got {length}"
                )
        pairs = zip(self.covered.tolist(), self.reasons, strict=True)
        reasons = tuple(None if covered else reason or UNDEFINED for covered, reason in pairs)
        object.__setattr__(self, "reasons", reasons)

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
        """Return the values: `np.mean` of them is NaN if a text has none, and `mean` covers the others."""
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __array_function__(self, function: Any, _: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """Call a function of numpy with the values: `np.mean` would else take the attribute of that name."""
        return function(*map(_arrays_in, args), **options)

    ndim = 1

    @property
    def shape(self) -> tuple[int]:
        """The number of values, as an array has it."""
        return (len(self),)

    def reshape(self, *shape: int) -> Numbers:
        """Return the values as an array of another shape, as `StackingRegressor` asks for them."""
        return self.values.reshape(*shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={self.mean:.4g}, coverage={self.coverage:.3g}, n={len(self)})"

    @property
    def covered(self) -> Booleans:
        """Where there is a value that is the metric's own, shape (n,)."""
        filled = self.columns.get(FILLED)
        return ~np.isnan(self.values) if filled is None else ~filled

    @property
    def n_covered(self) -> int:
        """Number of texts with a value."""
        return int(np.count_nonzero(self.covered))

    @property
    def n_rated_texts(self) -> int:
        """Number of texts that are rated texts of the metric's own; 0 if these are not known."""
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
        """Number of texts without a value, by reason; a reason that does not occur is 0 when asked for."""
        return Counter(reason for reason in self.reasons if reason is not None)

    def take(self, places: Integers) -> MetricResult:
        """Return the result of some of the texts, in any order and as often as they are named, without details."""
        reasons = tuple([self.reasons[place] for place in places.tolist()])
        columns = {name: column[places] for name, column in self.columns.items()}
        return MetricResult(self.values[places], reasons, self.signature, columns)

    def to_pandas(self, texts: Sequence[str] | None = None) -> Any:
        """Return a table of n rows with the columns `value`, `reason` and the metric's own; given texts come first."""
        import pandas

        text_column = {} if texts is None else {"text": list(texts)}
        return pandas.DataFrame({**text_column, "value": self.values, "reason": list(self.reasons), **self.columns})

    def plot(self) -> Drawing:
        """Draw how the values are distributed: a notebook shows the drawing, and its `save` writes it."""
        drawing: Drawing = presentation().histogram(self)
        return drawing

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the mean with its coverage, and rows of the table, escaped."""
        return f"<p>{escape(repr(self))}</p>{self.to_pandas()._repr_html_()}"

    def as_plain(self) -> dict[str, Any]:
        """Return everything but the mean as Python numbers, strings and lists, by name: strict JSON, None for NaN."""
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
        n: how many texts there were.
        n_covered: how many have a value.
        total: the sum of the values, one rounding a part.
        abstentions: how many texts have no value, by reason.
        signature: of the results.
        details: of a result that is not one part of several.
        n_rated_texts: how many texts are rated texts of the metric's own.
    """

    n: int = 0
    n_covered: int = 0
    total: float = 0.0
    abstentions: Counter[str] = field(default_factory=Counter)
    signature: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    n_rated_texts: int = 0

    def add(self, result: MetricResult) -> None:
        """Take in the result of another part."""
        known = result.values[result.covered]
        self.details = {} if self.n else result.details
        self.n += len(result)
        self.n_covered += len(known)
        self.total = math.fsum([self.total, *known.tolist()])
        self.abstentions.update(result.abstentions)
        self.signature = result.signature
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
    """Return a result with the detail `n_rated_texts`: how many of its texts are rated texts of the metric's own.

    Args:
        result: of n texts.
        texts: the texts.
        rated: those that the metric learned from.
        exclude: whether texts that are among them have no value.
    """
    is_rated = np.fromiter((text in rated for text in texts), np.bool_, len(texts))
    details = {**result.details, "n_rated_texts": int(is_rated.sum())}
    if not exclude or not is_rated.any():
        return replace(result, details=details)
    reasons = tuple(
        RATED_TEXT if one else reason for one, reason in zip(is_rated.tolist(), result.reasons, strict=True)
    )
    columns = dict(result.columns)
    for name in columns.keys() & {"lower", "upper"}:
        columns[name] = np.where(is_rated, np.nan, columns[name])
    return MetricResult(np.where(is_rated, np.nan, result.values), reasons, result.signature, columns, details)


def warnings_of(result: MetricResult | RunningSummary) -> dict[str, str]:
    """Return what must be known before the mean is believed, a sentence each, by `n_rated_texts` and `coverage`.

    A mean over few texts is of those that the metric knows best, and a rated text's value rests on its own rating.
    """
    n, sentences = len(result), {}
    copies = result.n_rated_texts - result.abstentions[RATED_TEXT]
    if copies and copies >= MANY_RATED_TEXTS * n:
        sentences["n_rated_texts"] = (
            f"{copies} of {n} texts are rated texts themselves: their values rest on their own ratings (exclude_rated "
            "leaves them out)"
        )
    if 0 < result.n_covered < FEW_COVERED * n:
        sentences["coverage"] = (
            f"only {result.n_covered} of {n} texts have a value: their mean says little of the others (remedies: "
            "docs/guides/choose.md)"
        )
    return sentences


def covered_mean(result: MetricResult, min_coverage: float | None) -> tuple[float, dict[str, str]]:
    """Return the mean, NaN where less than `min_coverage` is covered, with the warnings, of which one says so."""
    warnings = warnings_of(result)
    if min_coverage is None or result.coverage >= min_coverage:
        return result.mean, warnings
    few = f"{result.n_covered} of {len(result)} texts have a value, less than min_coverage={min_coverage:g}: no mean"
    return math.nan, {
        **warnings,
        "coverage": f"{few} ({', '.join(f'{n} {one}' for one, n in result.abstentions.items())})",
    }


def as_plain(value: Any) -> Any:
    """Return a detail in Python's own types: numpy values as theirs, what has `as_dict` as a mapping.

    NaN and infinities, which JSON lacks, are None; what has no such type, as a date, stays.
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else None
    if isinstance(value, (dict, Mapping)):  # a dict is found at once
        return {name: as_plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    if hasattr(value, "dtype"):
        plain: Any = np.where(np.isfinite(value), value, None) if value.dtype.kind == "f" else value
        return plain.tolist()
    return as_plain(value.as_dict()) if hasattr(value, "as_dict") else value


def reasons_for(n: int, masks: Mapping[str, Booleans]) -> tuple[str | None, ...]:
    """Return reasons of n texts: of each text the first whose mask holds, or None.

    >>> reasons_for(2, {"empty text": np.array([True, False])})
    ('empty text', None)
    """
    reasons = np.full(n, None, dtype=object)
    for reason, mask in reversed([*masks.items()]):
        reasons[mask] = reason
    return tuple(reasons.tolist())
