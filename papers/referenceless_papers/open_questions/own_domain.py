"""A little text of the judged texts' own domain, or much of another (Kann et al. 2018): data-to-text and fiction.

Nobody rated fiction. So people's texts are judged as they are and with errors put in, one to four, each of which
lowers the rating (Dušek et al. 2017, Section 3.2): the same task for both domains. The corpus does not tell where a
line is from, and lines are told apart by their content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import Figure, PartResult, Table
from referenceless_papers.common.figures import FIRST, SECOND, new_figure, save
from referenceless_papers.dusek.ratings import read_sfx
from referenceless_papers.dusek.training_sets import HUMAN
from referenceless_papers.gru_estimator.inputs import Prepared
from referenceless_papers.gru_estimator.synthesis import synthesise
from referenceless_papers.open_questions.language_models import CORPUS, SETTINGS, first_words, held_out_lines
from referenceless_papers.resampled_correlations import correlation
from slor_metric.estimator import SLOR
from slor_metric.language_models.ngram.training import train_ngram

OWN, OTHER, BOTH = "own domain", "another domain", "both"
DATA_TO_TEXT, FICTION = "data-to-text", "dialogue of fiction"
_SMALL, _SIZES = (0.05, 0.25, 1.0), (1.0, 4.0, 16.0)  # million words
_MOST = 300  # of people's texts of a domain
_PERSONS = frozenset(("i", "you", "me", "my", "your"))
_DIGIT = re.compile(r"\d")


def is_dialogue(line: str) -> bool:
    """Tell whether a line has a quotation mark, a first or second person, and no digit.

    >>> is_dialogue('" do you think so ? " he said .'), is_dialogue('" i " was released in 2011 .')
    (True, False)
    """
    return '"' in line and not _DIGIT.search(line) and not _PERSONS.isdisjoint(line.split())


def has_number(line: str) -> bool:
    """Tell whether a line has a number in digits, which novels write out."""
    return bool(_DIGIT.search(line))


def with_errors(texts: Sequence[str]) -> tuple[list[str], Floats]:
    """Return each text as it is and with one to four errors, and their ratings: 6, 4, 3, 2 and 1.

    >>> texts, ratings = with_errors(["it is a cheap restaurant ."])
    >>> texts[0], ratings.tolist()
    ('it is a cheap restaurant .', [6.0, 4.0, 3.0, 2.0, 1.0])
    """
    made = synthesise([Prepared(tuple(text.split())) for text in texts], [HUMAN] * len(texts))
    return [" ".join(text.tokens) for text, _ in made], np.array([rating for _, rating in made])


def own_domain(data_dir: Path) -> PartResult:
    """Measure SLOR with models of the domain, of another one, and of both."""
    corpus, folder = data_dir / CORPUS, data_dir / "nlg-ratings"
    own = [pair.text for pair in read_sfx(folder, ("train",))]
    known = set(own)
    new = {pair.text: None for pair in read_sfx(folder, ("test",)) if pair.text not in known}
    judged = {
        DATA_TO_TEXT: with_errors(list(new)[:_MOST]),
        FICTION: with_errors([line for line in held_out_lines(corpus) if is_dialogue(line)][:_MOST]),
    }
    n_own = sum(text.count(" ") + 1 for text in own) / 1e6
    rows = [row_of(DATA_TO_TEXT, OWN, n_own, own, judged)]
    rows += [row_of(FICTION, OWN, size, list(first_words(corpus, size, is_dialogue)), judged) for size in _SMALL]
    rows += [row_of(FICTION, OTHER, size, list(first_words(corpus, size, has_number)), judged) for size in _SIZES[:2]]
    for size in _SIZES:
        lines = list(first_words(corpus, size))
        rows.append(row_of(DATA_TO_TEXT, OTHER, size, lines, judged))
        rows.append(row_of(FICTION, BOTH, size, lines, judged))
    rows.sort(key=lambda row: row["judged"])
    counts = " and ".join(f"{len(texts) // 5} of {name}" for name, (texts, _) in judged.items())
    return PartResult(
        tables=[Table("Pearson's r of SLOR with 6, 4, 3, 2 and 1 for no to four errors", tuple(rows))],
        figures=[
            Figure(
                "own_domain",
                "A little text of the own domain against much of another",
                lambda path: _draw(rows, path),
                ".svg",
            )
        ],
        notes=[
            f"People's texts, {counts}, that no model has seen, each with four damaged versions. Trigrams as in the "
            "part above; 95 % intervals from resampled texts. Data-to-text: the human texts of SFRest's test part "
            "are judged; the training parts of SFRest and SFHot are the own domain, the general corpus another one.",
            "The corpus does not tell its lines' books. Dialogue of fiction: lines with a quotation mark, a first or "
            "second person and no digit. Another domain: lines with a number in digits, encyclopaedic nearly all; "
            f"they end before {_SIZES[2]:.0f} million words. Both: the corpus as it is, most of it fiction.",
        ],
    )


def row_of(
    domain: str, kind: str, millions: float, lines: list[str], judged: dict[str, tuple[list[str], Floats]]
) -> dict[str, Any]:
    """Return r, with its interval, of SLOR on a domain's texts with a model of these lines."""
    texts, ratings = judged[domain]
    metric = SLOR(train_ngram(lines, **SETTINGS, progress=False), unknown="score")
    found = correlation(metric.predict(texts).values, ratings, "pearson", n_resamples=1000)
    return {
        "judged": domain,
        "trained on": kind,
        "million words": float(millions),
        "r": found.value,
        "low": found.low,
        "high": found.high,
    }


def _draw(rows: list[dict[str, Any]], path: Path) -> None:
    figure, panels = new_figure(columns=2)
    ends = min(row["r"] for row in rows) - 0.02, max(row["r"] for row in rows) + 0.02
    for axes, domain in zip(panels, (DATA_TO_TEXT, FICTION), strict=True):
        for kind, style in ((OWN, "o-"), (OTHER, "s-"), (BOTH, "^:")):
            points = [
                (row["million words"], row["r"]) for row in rows if (row["judged"], row["trained on"]) == (domain, kind)
            ]
            if points:
                axes.plot(*zip(*points, strict=True), style, color=SECOND if kind == OWN else FIRST, label=kind)
        axes.set(title=domain, xscale="log", xlabel="million words", ylabel="Pearson's r", ylim=ends)
        axes.legend(fontsize=8)
    save(
        figure,
        path,
        "Pearson's r of SLOR with the number of errors, by the domain and size of its language model's text",
    )
