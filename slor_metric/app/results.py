"""What the web pages of SLOR, WPSLOR, ROUGE-LM and Fluency work out and show: results as data, and as HTML."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metric_commons.app.inputs import check_count, uploaded_table, uploaded_texts
from metric_commons.app.limits import check_pasted, check_sizes
from metric_commons.app.page import data_link, fragment, number
from metric_commons.app.parts import Report, in_parts, unreported
from metric_commons.files.output import render, shorten
from metric_commons.files.tables import references_of
from metric_commons.results import MetricResult
from metric_commons.support.errors import InputError
from slor_metric.contributions import token_contributions
from slor_metric.estimator import ROUGELM, SLOR
from slor_metric.fluency.metric import Fluency
from slor_metric.rouge.rouge_lm import ZStatistics
from slor_metric.tokenizers.words import UNKNOWN

MOST_TEXTS = 20_000
MOST_ROWS = 200
"""Rows of the table; the file that the page offers holds all."""

ORDERS = ("as given", "highest first", "lowest first")

BINS = (-2.0, -0.5, -0.05, 0.05, 1.0, 3.0)
"""Where a token's contribution changes its colour, in nats."""

BIN_LABELS = (
    "below −2",
    "−2 to −0.5",
    "−0.5 to −0.05",
    "about 0",
    "0.05 to 1",
    "1 to 3",
    "above 3: far likelier here than anywhere",
)

WORD_BINS = (-1.0, -0.4, -0.1)
"""Where what a word takes changes its colour, in units of the score."""

WORD_BIN_LABELS = ("takes more than 1", "0.4 to 1", "0.1 to 0.4", "next to nothing")

_MARKS = ("among the worst", "looks misspelt", "said again")

TITLES = {"slor": "SLOR", "wpslor": "WPSLOR", "rouge_lm": "ROUGE-LM", "fluency": "Fluency"}
_REFERENCE_COLUMNS = ("reference*", "ref", "ref_*", "ref[0-9]*", "target", "target_*")
_LONGEST_SPELT = 400  # tokens of a text that are shown one by one


@dataclass(frozen=True)
class Scored:
    """Texts with their scores.

    Attributes:
        texts: n texts.
        references: of each text; empty for a metric that reads none.
        result: what the metric says.
        metric: the metric.
    """

    texts: list[str]
    references: list[list[str]]
    result: MetricResult
    metric: SLOR | Fluency

    @property
    def title(self) -> str:
        """The metric's name as people write it."""
        return TITLES[self.metric.name]


@dataclass(frozen=True)
class Token:
    """A token of a text as the page shows it: `bin` is the place of its colour, 0 to 6."""

    text: str
    known: bool
    logprob: float
    unigram_logprob: float
    contribution: float
    bin: int


@dataclass(frozen=True)
class Word:
    """A word of a text as Fluency's page shows it: `bin` is the place of its colour, 0 to 3."""

    text: str
    contribution: float
    bin: int
    marks: tuple[str, ...]


def score(
    metric: SLOR | Fluency, texts: Sequence[str], references: list[list[str]], report: Report = unreported
) -> Scored:
    """Score texts, with references where the metric reads them, and report how far that is.

    Raises:
        InputError: for more texts than a page takes, or references that do not belong to them.
    """
    check_count(texts, MOST_TEXTS, "texts", "referenceless score")
    if not isinstance(metric, ROUGELM):
        result = in_parts(lambda part: metric.score(texts[part]), len(texts), report)
        return Scored(list(texts), [], result, metric)
    if len(references) != len(texts):
        raise InputError(
            f"ROUGE-LM needs references for each text: there are {len(texts):,} texts, but references for "
            f"{len(references):,}"
        )
    for place, of_text in enumerate(references, start=1):
        if not of_text:
            raise InputError(f"ROUGE-LM needs references for each text: there is none for text {place}")
    report(0.1, f"{len(texts):,} texts")
    return Scored(list(texts), references, metric.score(texts, references), metric)


def pasted_references(pasted: str) -> list[list[str]]:
    r"""Return the references of a box: a line for each text, with tabs between several.

    Raises:
        InputError: where there is nothing but white space.

    >>> pasted_references("one\ttwo\nthree\n")
    [['one', 'two'], ['three']]
    """
    if not pasted.strip():
        raise InputError("There are no references yet: paste them, a line for each text, or upload a file")
    lines = check_pasted(pasted, "references").replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    check_sizes(lines, "references")
    return [_split_references(line) for line in lines]


def _split_references(line: str) -> list[str]:
    return [reference.strip() for reference in line.split("\t") if reference.strip()]


def uploaded_references(path: str) -> list[list[str]]:
    """Return the references of a file: lines of a .txt, or the columns named `reference`, `reference_1`, `target` ….

    Raises:
        InputError: for a file that cannot be read or has no such column.
    """
    table = uploaded_table(path)
    if table is None:
        return [_split_references(line) for line in uploaded_texts(path)]
    columns = [
        name
        for name in table.columns
        if any(fnmatch.fnmatchcase(name.strip().lower(), pattern) for pattern in _REFERENCE_COLUMNS)
    ]
    if not columns and len(table.columns) == 1:
        columns = list(table.columns)
    if not columns:
        raise InputError(
            f"{Path(path).name}: expected columns named reference, reference_1 and so on, but the columns are "
            f"{', '.join(table.columns)}"
        )
    try:
        found = references_of(table, [_escaped(name) for name in columns])
        check_sizes([reference for of_text in found for reference in of_text], "references")
        return found
    except InputError as error:
        raise InputError(str(error).replace(path, Path(path).name)) from None


def _escaped(name: str) -> str:
    """Return a pattern that matches a column of this very name."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def places(scored: Scored, order: str) -> list[int]:
    """Return the texts that the table shows, in one of `ORDERS`, counted from 0."""
    values = scored.result.values
    if order == ORDERS[1]:
        found = np.argsort(-values, kind="stable")  # NaN comes last either way
    elif order == ORDERS[2]:
        found = np.argsort(values, kind="stable")
    else:
        found = np.arange(len(values))
    shown: list[int] = found[:MOST_ROWS].tolist()
    return shown


def choices(scored: Scored, order: str) -> list[tuple[str, int]]:
    """Return the label and the number of each text of the table, to choose one."""
    return [
        (f"{place + 1} · {number(float(scored.result.values[place]), 2)} · {shorten(scored.texts[place], 60)}", place)
        for place in places(scored, order)
    ]


def summary_html(scored: Scored) -> str:
    """Return the figures about all texts."""
    statistics: ZStatistics | None = scored.result.details.get("statistics")
    return fragment(__package__, "summary.html.j2", scored=scored, result=scored.result, statistics=statistics)


def table_html(scored: Scored, order: str) -> str:
    """Return the table of texts, with all of them as a file to save."""
    result = scored.result
    columns: dict[str, list[Any]] = {"text": scored.texts, scored.metric.name: result.values.tolist()}
    for part in ("rouge_l", "slor", "wpslor", "n_tokens", "nce", "perplexity", "unknown_share"):
        if hasattr(result, part):
            columns[part] = getattr(result, part).tolist()
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    link = data_link(render(rows, {}, "csv-safe"), f"{scored.metric.name}.csv", f"Save all {len(rows):,} as CSV")
    return fragment(
        __package__,
        "table.html.j2",
        scored=scored,
        result=result,
        is_rouge_lm="rouge_l" in result.columns,
        is_fluency=isinstance(scored.metric, Fluency),
        places=places(scored, order),
        link=link,
    )


def tokens(scored: Scored, place: int) -> list[Token]:
    """Return the tokens of one text, with what each adds to its SLOR."""
    assert isinstance(scored.metric, SLOR)
    found = token_contributions(scored.metric, [scored.texts[place]])[0]
    bins = np.digitize(found.contributions, BINS)
    return [
        Token(surface, piece != UNKNOWN, float(model), float(unigram), float(contribution), int(colour))
        for piece, surface, model, unigram, contribution, colour in zip(
            found.pieces,
            found.surfaces,
            found.logprobs,
            found.unigram_logprobs,
            found.contributions,
            bins,
            strict=True,
        )
    ]


def explanation_html(scored: Scored, place: int) -> str:
    """Return one text as coloured tokens with their numbers, and what becomes of these."""
    result = scored.result
    if isinstance(scored.metric, Fluency):
        return _words_html(scored, scored.metric, place)
    spelt = tokens(scored, place)
    rouge_lm = None
    if "rouge_l" in result.columns:
        statistics = result.statistics
        rouge_lm = {
            "rouge_l": float(result.rouge_l[place]),
            "wpslor": float(result.wpslor[place]),
            "z_rouge_l": _z(float(result.rouge_l[place]), statistics.rouge_l_mean, statistics.rouge_l_std),
            "z_wpslor": _z(float(result.wpslor[place]), statistics.wpslor_mean, statistics.wpslor_std),
            "references": scored.references[place],
        }
    return fragment(
        __package__,
        "tokens.html.j2",
        scored=scored,
        place=place,
        score=float(result.values[place]),
        tokens=spelt[:_LONGEST_SPELT],
        n_tokens=len(spelt),
        model_sum=sum(token.logprob for token in spelt),
        unigram_sum=sum(token.unigram_logprob for token in spelt),
        mean=float(np.mean([token.contribution for token in spelt])) if spelt else float("nan"),
        legend=list(enumerate(BIN_LABELS)),
        rouge_lm=rouge_lm,
        fluency="WPSLOR" if scored.metric.name != "slor" else "SLOR",
    )


def _words_html(scored: Scored, metric: Fluency, place: int) -> str:
    """Return one text as coloured words with what they take from its fluency."""
    found = metric.contributions([scored.texts[place]])[0]
    words = [
        Word(text, float(taken), int(colour), tuple(name for name, marked in zip(_MARKS, marks, strict=True) if marked))
        for text, taken, colour, *marks in zip(
            found.words,
            found.contributions,
            np.digitize(found.contributions, WORD_BINS),
            found.worst,
            found.misspellings,
            found.repetitions,
            strict=True,
        )
    ]
    return fragment(
        __package__,
        "words.html.j2",
        place=place,
        words=words[:_LONGEST_SPELT],
        n_words=len(words),
        words_sum=float(found.contributions.sum()),
        base=found.base,
        end=found.end,
        total=found.score,
        reason=scored.result.reasons[place],
        legend=list(enumerate(WORD_BIN_LABELS)),
    )


def _z(value: float, mean: float, deviation: float) -> float:
    """Return a value as a number of standard deviations from the mean; 0 where all are equal, as in ROUGE-LM."""
    return (value - mean) / deviation if deviation > 0 else value * 0.0
