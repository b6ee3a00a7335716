"""The part of quality estimation of the web page: slots, and contributions of words and features to an estimate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS
from quality_estimation_metric.kernel_model.explanation import Explanation
from quality_estimation_metric.kernel_model.model import KernelModel
from quality_estimation_metric.kernel_model.vectors import SEPARATOR
from quality_estimation_metric.sources import Triple, is_plain_text, parse_mr
from quality_estimation_metric.sources.slot_errors import SlotErrors, slot_errors
from referenceless_metrics.pages.app.explainer import Column, Explainer, Report, Scored, Token

BINS = (-0.2, -0.06, -0.015, 0.015, 0.06, 0.2)
"""Contributions at which a word changes its colour, in points of the rating."""

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


class EstimateExplainer(Explainer):
    """The page of quality estimation; each text is compared with its source once."""

    metric: QualityEstimator
    value = "estimate"
    unit = "in the unit of the ratings"
    sources = "meaning representations"
    source_formats = "a dialogue act, E2E, triples or JSON"
    heading = "Word by word"
    credit = (
        "After Dušek, Novikova and Rieser (2017), *Referenceless Quality Estimation for Natural Language Generation*. "
        "Ratings: Novikova et al. (2017), MIT licence. Raters disagree much, and so intervals are wide."
    )
    templates = __package__

    def introduction(self) -> str:
        """Return the beginning of the page, in Markdown."""
        model = f"The model is `{self.metric.signature}`."
        if self.metric.signature == QualityEstimator.load().signature:
            model = """The model is the packaged one. It knows **restaurants and hotels**: outputs of two dialogue
systems of 2015, rated from 1 to 6 for overall quality. Of other domains it knows nothing, and
gives no estimate."""
        return f"""# Quality estimation

What would people say of a generated text, when there is no reference to compare it with? The estimate is learned from
texts that people rated, and from what those texts were made from.

{model}"""

    def example(self) -> Mapping[str, Iterable[str]]:
        """Return the packaged texts with their sources."""
        return {"texts": DEMO_TEXTS, "sources": DEMO_SOURCES}

    def prepare(self, given: Mapping[str, Any], settings: Mapping[str, Any], report: Report) -> tuple[Any, Any]:
        """Return the metric, and how each text differs from its source."""
        texts, sources = given["texts"], given.get("sources", [""])
        of_each = sources * len(texts) if len(sources) == 1 else sources
        return self.metric, [_errors(*pair) for pair in zip(of_each, texts, strict=True)]

    def digits(self, scored: Scored) -> int:
        """Return the number of decimals for an estimate."""
        return 2

    def scale(self, scored: Scored) -> tuple[float, float]:
        """Return the least and the greatest rating that the model learned from."""
        low, high = self.metric.model_.bounds
        return low, high

    def columns(self, scored: Scored) -> list[Column]:
        """Return a column with the slot errors of each text."""
        return [Column("Slots", list(map(slot_lines, scored.extra)))] if "sources" in scored.given else []

    def summary_html(self, scored: Scored) -> str:
        """Return the figures about all texts."""
        return self.fragment("estimates_summary.html.j2", scored)

    def explanation_html(self, scored: Scored, place: int, *choices: Any) -> str:
        """Return one text in coloured words, with its source's slots and the terms that moved its estimate most."""
        text, errors = scored.texts[place], scored.extra[place]
        sources = scored.given.get("sources", [None])
        source = sources[place if len(sources) > 1 else 0]
        explanation = None
        reason = scored.result.reasons[place]
        if reason is None and isinstance(self.metric.model_, KernelModel):
            explanation = self.metric.explain(text, source)
        return self.fragment(
            "explanation.html.j2",
            scored,
            place=place,
            found=explanation,
            reason=reason or "the model is a network, whose estimates are no sum of terms",
            words=[] if explanation is None else words(explanation),
            legend=BIN_LABELS,
            terms=[] if explanation is None else terms(explanation),
            slots=None if errors is None else slots(parse_mr(source), errors),
            keeps_texts=self.metric.texts_ is not None,
        )


def _errors(source: str, text: str) -> SlotErrors | None:
    triples = parse_mr(source) if source else ()
    return None if not source or is_plain_text(triples) else slot_errors(triples, text)


def slot_lines(errors: SlotErrors | None) -> list[str]:
    """Return the slot errors of a text, one phrase per kind; "all said" if there are none.

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


def words(found: Explanation) -> list[Token]:
    """Return the words of a text, each with the sum of the character n-grams that touch it."""
    shown = []
    for match in re.finditer(r"\S+", found.text):
        value = sum(found.characters[match.start() : match.end()])
        shown.append(Token(match.group(), value, int(np.digitize(value, BINS))))
    return shown


def terms(found: Explanation) -> list[tuple[str, str, float]]:
    """Return the largest contributions: the kind of each, the term as people read it, and its addition."""
    return [
        ("feature", _FEATURES.get(item.term, item.term.replace("_", " ")), item.value)
        if item.kind == "features"
        else (item.kind, item.term.replace(SEPARATOR, " "), item.value)
        for item in found.contributions[:_MOST_TERMS]
    ]


def slots(triples: Sequence[Triple], errors: SlotErrors) -> dict[str, list[str]]:
    """Return the slots of a source by their fate: found, missing, added, repeated."""
    lost = list(errors.missing)
    expressed = [triple for triple in triples if triple.slot and triple not in lost]
    parts = {"found": expressed, "missing": lost, "added": errors.added, "repeated": errors.repeated}
    return {name: [said(triple) for triple in part] for name, part in parts.items() if part}
