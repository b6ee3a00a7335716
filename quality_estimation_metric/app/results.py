"""What the page of quality estimation works out and shows: estimates, slots and n-grams, as data and as HTML."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metric_commons.app.inputs import check_count
from metric_commons.app.limits import check_pasted, check_sizes
from metric_commons.app.page import data_link, fragment, number
from metric_commons.app.parts import Report, in_parts, unreported
from metric_commons.files.output import render, shorten
from metric_commons.results import MetricResult
from metric_commons.support.errors import InputError
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.kernel_model import KernelModel
from quality_estimation_metric.kernel_model.explanation import Explanation
from quality_estimation_metric.kernel_model.vectors import SEPARATOR
from quality_estimation_metric.sources import Triple, is_plain_text, parse_mr
from quality_estimation_metric.sources.slot_errors import SlotErrors, slot_errors

MOST_TEXTS = 20_000
MOST_ROWS = 200
"""Rows of the table; the file that the page offers holds all."""
TITLE = "Quality estimation"
BINS = (-0.2, -0.06, -0.015, 0.015, 0.06, 0.2)
"""Where a word's contribution changes its colour, in points of the rating."""

BIN_LABELS = ("below −0.2", "−0.2 to −0.06", "−0.06 to −0.015", "about 0", "0.015 to 0.06", "0.06 to 0.2", "above 0.2")
_MOST_TERMS = 25
_FLUENCY = {
    "slor": "fluency (SLOR)",
    "wpslor": "fluency (WPSLOR)",
    "fluency_pieces": "improbable pieces of words",
    "fluency_words": "improbable words",
    "fluency_classes": "improbable kinds of words",
    "fluency_worst": "the three worst words",
    "fluency_misspellings": "misspellings",
    "fluency_repetitions": "words said again",
    "fluency_end": "where the text ends",
}
_FEATURES = _FLUENCY | {f"{name}_spelled": f"{said}, with names of slots for values" for name, said in _FLUENCY.items()}


@dataclass(frozen=True)
class Scored:
    """Texts with their estimates.

    Attributes:
        texts: n texts.
        sources: the source of each; empty for a model that reads none.
        result: the estimates.
        errors: how each text differs from its source; None without sources.
        unseen: slots that no training source had.
        estimator: the model.
    """

    texts: list[str]
    sources: list[str]
    result: MetricResult
    errors: list[SlotErrors | None]
    unseen: list[str]
    estimator: QualityEstimator


@dataclass(frozen=True)
class Word:
    """A word as the page shows it: `bin` is the place of its colour, 0 to 6."""

    text: str
    contribution: float
    bin: int


def pasted_sources(pasted: str, n_texts: int) -> list[str]:
    r"""Return one source a text: the one that stands in the box, or a line for each.

    Raises:
        InputError: for no source, or another number of lines than of texts.

    >>> pasted_sources("inform(food=thai)", 2)
    ['inform(food=thai)', 'inform(food=thai)']
    """
    whole = check_pasted(pasted, "meaning representations").replace("\r\n", "\n").replace("\r", "\n").strip()
    if not whole:
        raise InputError("There is no meaning representation yet: paste the one that the texts were made from")
    lines = whole.split("\n")
    check_sizes(lines, "meaning representations")
    if len(lines) == 1 or whole[0] in "{[":  # JSON may stand on many lines
        return [whole] * n_texts
    if len(lines) != n_texts:
        raise InputError(
            f"Expected one meaning representation for all texts, or a line for each of the {n_texts}, but got "
            f"{len(lines)} lines"
        )
    return lines


def score(
    estimator: QualityEstimator, texts: Sequence[str], sources: Sequence[str], report: Report = unreported
) -> Scored:
    """Estimate texts.

    Args:
        estimator: the model.
        texts: n texts.
        sources: the source of each, for a model that reads them, or one for all.
        report: is told how far the work is.

    Raises:
        InputError: for more texts than a page takes, or sources that do not belong to them or are malformed.
    """
    check_count(texts, MOST_TEXTS, "texts", "referenceless score --metric quality_estimation")
    of_each = [*sources] * len(texts) if len(sources) == 1 else [*sources]
    if not estimator.needs_sources:
        of_each = []
    elif len(of_each) != len(texts):
        raise InputError(f"There are {len(texts):,} texts, but {len(sources):,} meaning representations")
    unseen: set[str] = set()

    def predict(part: slice) -> MetricResult:
        found = estimator.predict(texts[part], sources=of_each[part] or None)
        unseen.update(found.details["unseen_slots"])
        return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page names unseen slots itself
        result = in_parts(predict, len(texts), report, end=0.8)
    report(0.8, "comparing texts with their slots")
    errors = [_errors(source, text) for source, text in zip(of_each or [""] * len(texts), texts, strict=True)]
    return Scored(list(texts), of_each, result, errors, sorted(unseen), estimator)


def _errors(source: str, text: str) -> SlotErrors | None:
    if not source:
        return None
    triples = parse_mr(source)
    return None if is_plain_text(triples) else slot_errors(triples, text)


def summary_html(scored: Scored) -> str:
    """Return the figures about all texts."""
    low, high = scored.estimator.model_.bounds
    return fragment(
        __package__, "summary.html.j2", scored=scored, result=scored.result, low=low, high=high,
        level=scored.estimator.level,
    )  # fmt: skip


def table_html(scored: Scored) -> str:
    """Return the table of texts, with all of them as a file to save."""
    result = scored.result
    columns: dict[str, list[Any]] = {
        "text": scored.texts,
        "estimate": result.values.tolist(),
        "lower": result.lower.tolist(),
        "upper": result.upper.tolist(),
    }
    if scored.sources:
        columns["source"] = scored.sources
        for kind in SlotErrors._fields:
            columns[kind] = ["; ".join(map(said, getattr(one, kind, ()))) for one in scored.errors]
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    link = data_link(render(rows, {}, "csv-safe"), "quality_estimation.csv", f"Save all {len(rows):,} as CSV")
    places = range(min(len(rows), MOST_ROWS))
    told = [slot_lines(scored.errors[place]) for place in places]
    return fragment(
        __package__, "table.html.j2", scored=scored, result=result, places=places, told=told, link=link,
        scale=scored.estimator.model_.bounds,
    )  # fmt: skip


def slot_lines(errors: SlotErrors | None) -> list[str]:
    """Return what is wrong with the slots of a text, a phrase a kind; "all said" where nothing is.

    >>> slot_lines(slot_errors(parse_mr("inform(food=thai;area=soma)"), "thai food, thai food"))
    ['missing: area=soma', 'repeated: food=thai']
    """
    if errors is None:
        return []
    lines = [f"{kind}: {', '.join(map(said, triples))}" for kind, triples in errors._asdict().items() if triples]
    return lines or ["all said once"]


def said(triple: Triple) -> str:
    """Return a triple as people read it."""
    return f"{triple.slot}={triple.value}" if triple.value else str(triple.slot or triple.act)


def choices(scored: Scored) -> list[tuple[str, int]]:
    """Return the label and the number of each text, to choose one."""
    return [
        (f"{place + 1} · {number(float(scored.result.values[place]), 2)} · {shorten(text, 60)}", place)
        for place, text in enumerate(scored.texts[:MOST_ROWS])
    ]


def explanation_html(scored: Scored, place: int) -> str:
    """Return one text in coloured words, with the slots of its source and what moved its estimate most."""
    text = scored.texts[place]
    source = scored.sources[place] if scored.sources else None
    found = None
    if text.strip() and isinstance(scored.estimator.model_, KernelModel):
        found = scored.estimator.explain(text, source)
    errors = scored.errors[place]
    return fragment(
        __package__,
        "explanation.html.j2",
        place=place,
        found=found,
        words=[] if found is None else words(found),
        legend=list(enumerate(BIN_LABELS)),
        terms=[] if found is None else terms(found),
        slots=None if errors is None or source is None else slots(parse_mr(source), errors),
        neighbors=() if found is None else found.neighbors,
        keeps_texts=scored.estimator.texts_ is not None,
    )


def words(found: Explanation) -> list[Word]:
    """Return the words of a text, each with what the character n-grams that touch it add."""
    shown = []
    for match in re.finditer(r"\S+", found.text):
        value = sum(found.characters[match.start() : match.end()])
        shown.append(Word(match.group(), value, int(np.digitize(value, BINS))))
    return shown


def terms(found: Explanation) -> list[tuple[str, str, float]]:
    """Return the largest contributions: what kind each is, the term as people read it, and how much it adds."""
    kinds = {"characters": "characters", "words": "words", "source": "source", "features": "feature"}
    return [
        (kinds[one.kind], _FEATURES.get(one.term, one.term.replace("_", " ")) if one.kind == "features"
         else one.term.replace(SEPARATOR, " "), one.value)
        for one in found.contributions[:_MOST_TERMS]
    ]  # fmt: skip


def slots(triples: Sequence[Triple], errors: SlotErrors) -> dict[str, list[str]]:
    """Return the slots of a source by what became of them: found, missing, added, repeated."""
    lost = list(errors.missing)
    found = [triple for triple in triples if triple.slot and triple not in lost]
    parts = {"found": found, "missing": lost, "added": errors.added, "repeated": errors.repeated}
    return {name: [said(triple) for triple in part] for name, part in parts.items() if part}
