"""Marked errors, counted by category, severity and system."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.rows import MARKED, Span
from referenceless_metrics.human_evaluation.exports.spans import MQM_WEIGHTS, known_weight

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


@dataclass(frozen=True)
class KindOfError:
    """Errors of one category and severity.

    Attributes:
        category: the category as the file writes it; "" for none.
        severity: the severity; "" for none.
        weight: the weight of one; None if it is not known.
        n_of: number of them in the outputs of each system, by its name.
    """

    category: str
    severity: str
    weight: float | None
    n_of: Mapping[str, int]


@dataclass(frozen=True)
class ErrorCounts:
    """Marked errors.

    Attributes:
        n_judgements: by system, the number of judgements: an output, as one rater judged it.
        kinds: the kinds of errors, the most frequent category first, in it the greatest weight.
    """

    n_judgements: Mapping[str, int]
    kinds: tuple[KindOfError, ...]

    def n_errors(self, system: str) -> int:
        """Return the number of errors in the outputs of a system."""
        return sum(kind.n_of[system] for kind in self.kinds)

    def penalty(self, system: str) -> float | None:
        """Return the mean sum of the weights of a judgement's errors; None if an error has no weight."""
        if any(kind.weight is None for kind in self.kinds):
            return None
        return sum((kind.weight or 0.0) * kind.n_of[system] for kind in self.kinds) / self.n_judgements[system]

    @property
    def by_group(self) -> dict[str, dict[str, int]]:
        """The number of errors of each system by the part of a category that several share, the most frequent first.

        There is none if no part joins several categories.
        """
        categories = dict.fromkeys(kind.category for kind in self.kinds)
        n_of: dict[str, Counter[str]] = defaultdict(Counter)
        for kind in self.kinds:
            n_of[group_of(kind.category)].update(kind.n_of)
        groups = sorted(n_of, key=lambda group: -n_of[group].total())
        return {group: dict(n_of[group]) for group in groups} if len(groups) < len(categories) else {}

    def shares_of_weight(self, system: str | None = None, *, of_groups: bool = False) -> dict[str, float]:
        """Return the share of each category in the sum of the weights of errors, the greatest first.

        Errors without a weight count nothing; none if the sum is 0.

        Args:
            system: the system whose errors count; None for all errors.
            of_groups: whether categories of one group, before `/`, are one.
        """
        sums: dict[str, float] = defaultdict(float)
        for kind in self.kinds:
            name = group_of(kind.category) if of_groups else kind.category
            sums[name] += (kind.weight or 0.0) * (sum(kind.n_of.values()) if system is None else kind.n_of[system])
        whole = sum(sums.values())
        ordered = sorted(sums, key=lambda category: -sums[category])
        return {category: sums[category] / whole for category in ordered} if whole else {}


def group_of(category: str) -> str:
    """Return the part of a category before `/` or a dash, which MQM's categories have.

    >>> group_of("Accuracy/Omission"), group_of("Accuracy - Omission"), group_of("Non-translation")
    ('Accuracy', 'Accuracy', 'Non-translation')
    """
    return re.split(r"/|\s[-–]\s", category)[0].strip()


def count_errors(table: RatingTable, weights: Mapping[str, float] = MQM_WEIGHTS) -> ErrorCounts:
    """Count the errors that raters marked.

    Args:
        table: ratings of a study with marked errors, or of an export that holds them.
        weights: weights of errors, as `parse_mqm_weights` returns them; those of other severities have none.

    Raises:
        InputError: for ratings without marked errors.
    """
    judgements = list(_judgements(table))
    if not judgements:
        raise InputError(
            f"{table.source}: there are no marked errors in it (--errors): a study with spans, MQM annotations, or "
            "another export of marked errors has them"
        )
    n_judgements = Counter(system for system, _ in judgements)
    counts = Counter((span.category, span.severity, system) for system, spans in judgements for span in spans)
    of_category = Counter(span.category for _, spans in judgements for span in spans)
    kinds = dict.fromkeys((category, severity) for category, severity, _ in counts)
    found = []
    for category, severity in kinds:
        weight = known_weight(Span(None, None, severity, category), weights)
        n_of = {system: counts[category, severity, system] for system in n_judgements}
        found.append(KindOfError(category, severity, weight, n_of))
    found.sort(key=lambda kind: (-of_category[kind.category], kind.category, -(kind.weight or 0.0), kind.severity))
    return ErrorCounts(n_judgements, tuple(found))


def _judgements(table: RatingTable) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """Yield the system and the errors of each judgement in which errors were asked for."""
    for output in table.marked:
        yield output.system, tuple(span.span for span in output.spans)
    if MARKED in table.frame:
        systems = table.frame["system"] if "system" in table.frame else [table.source] * len(table.frame)
        for system, spans in zip(systems, table.frame[MARKED], strict=True):
            if spans is not None:
                yield str(system), spans
