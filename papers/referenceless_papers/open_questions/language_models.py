"""Amount and kind of text that a metric's language model needs, and whether perplexity tells it (Kann et al. 2018).

They ask whether better language models make better metrics, and compare none. Here n-gram models over words are trained
on growing parts of one corpus, and on the few texts of the rated outputs' own domain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_papers.common.cells import Figure, PartResult, Table
from referenceless_papers.common.figures import FIRST, SECOND, new_figure, save
from referenceless_papers.common.record import read_record
from referenceless_papers.dusek.ratings import read_sfx
from referenceless_papers.public_table.rated_sets import RatedSet, rated_sets, sampled
from referenceless_papers.resampled_correlations import correlation
from slor_metric.estimator import SLOR
from slor_metric.language_models.lstm.model import load_small
from slor_metric.language_models.ngram.training import train_ngram
from slor_metric.language_models.unigram import read_lines

MILLIONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
HELD_OUT_LINES = 2000
OTHER, OWN, BOTH = "general corpus", "the outputs' domain", "both"
PACKAGED = "general corpus, packaged 4-grams"
_ALL = 32.5  # million words that the packaged models were trained on
SMALL, LSTM = "general corpus, packaged small LSTM", "general corpus, LSTM 2 × 512"
CORPUS = Path("lm-corpus") / "english.txt.xz"
SETTINGS: Mapping[str, Any] = {"tokenizer": "words", "order": 3, "vocab_size": 30_000, "prune": (0, 0, 1)}
_IN_DOMAIN = ("nlg-ratings SFRES, naturalness", "nlg-ratings SFHOT, naturalness")
_SETS = ("Simplicity-DA, fluency", "GUG, grammaticality", "HUSE headlines", *_IN_DOMAIN)


def first_words(path: Path, millions: float, fits: Callable[[str], bool] | None = None) -> Iterator[str]:
    """Yield lines of a corpus that fit, from its start, after those held out, up to so many million words."""
    words = 0
    for line in filter(fits or bool, islice(read_lines(path), HELD_OUT_LINES, None)):
        if words >= millions * 1e6:
            return
        words += line.count(" ") + 1
        yield line


def held_out_lines(path: Path) -> list[str]:
    """Return the lines whose perplexity is measured."""
    return list(islice(read_lines(path), HELD_OUT_LINES))


def measured_sets(data_dir: Path) -> dict[str, RatedSet]:
    """Return the rated texts that r is measured on, by name."""
    folders = ("fluency", "gug", "huse", "nlg-ratings")
    return {rated.name: sampled(rated) for rated in rated_sets(data_dir, folders) if rated.name in _SETS}


def language_models(data_dir: Path) -> PartResult:
    """Measure SLOR with models of more and more text, and of the outputs' own domain."""
    corpus, sets = data_dir / CORPUS, measured_sets(data_dir)
    held_out = held_out_lines(corpus)
    own = [pair.text for pair in read_sfx(data_dir / "nlg-ratings", ("train",))]
    rows = []
    for millions in MILLIONS:
        model = train_ngram(list(first_words(corpus, millions)), **SETTINGS, progress=False)
        rows.append(row_of(OTHER, millions, model, held_out, sets))
    n_own = sum(text.count(" ") + 1 for text in own) / 1e6
    rows.append(row_of(OWN, n_own, train_ngram(own, **SETTINGS, progress=False), held_out, sets))
    mixed = [*own, *first_words(corpus, 1.0)]
    rows.append(row_of(BOTH, 1.0 + n_own, train_ngram(mixed, **SETTINGS, progress=False), held_out, sets))
    rows.append(row_of(PACKAGED, _ALL, "word", None, sets))
    rows.append(row_of(SMALL, _ALL, load_small(), None, sets))
    network = read_record(str(files("referenceless_papers") / "open_questions" / "lstm.json"))
    curve = tuple(network["rows"])
    rows.append(dict(curve[-1]))
    general = [row for row in rows if row["trained on"] == OTHER]
    return PartResult(
        tables=[
            Table("Pearson's r of SLOR with the ratings", tuple(rows)),
            Table("The LSTM as it reads on", curve),
        ],
        figures=[
            Figure(
                "corpus_size",
                "r of SLOR against the size of its language model's corpus, and against perplexity",
                lambda path: _draw(rows, path),
                ".svg",
            )
        ],
        notes=[
            "Trigrams of words, Kneser–Ney, 30,000 words, trigrams seen once dropped. The general corpus is fiction, "
            f"Wikipedia and speeches, shuffled: its parts differ in size alone. Perplexity is on "
            f"{HELD_OUT_LINES:,} of its lines that no model has seen, so it tells nothing of the domain model. The "
            "outputs' domain: the human texts of SFRest's and SFHot's training parts, written for other MRs than the "
            "rated outputs'. Every text has a value, as in the paper; of larger sets, 600 texts.",
            *(
                f"{name}: r against ln perplexity, over {len(general)} sizes: {_against_perplexity(general, name):.2f}."
                for name in sets
            ),
            "The packaged 4-grams are trained on all of the corpus but one line in 200, and pruned; the packaged small "
            "LSTM, one layer of 768 units over WordPieces, has read all but one in 167, 1.7 times. The lines of this "
            "perplexity were among them.",
            "The LSTM is the paper's, two layers of 512 units, over the words of the trigrams of 2 million; the row "
            f"tells how many it has read, once, in {network['cpu_hours']:.1f} hours of a processor's core; the paper's "
            "took five days. There the run was ended, before its step size had fallen to 0. Its unigrams are of all 2 "
            "million. `reproduce lstm` makes the record anew.",
            "In-domain against other-domain is measured by ratings on data-to-text alone: nobody rated fiction. The "
            "part below measures both by errors put into texts.",
        ],
    )


def row_of(
    kind: str, millions: float, model: Any, held_out: list[str] | None, sets: Mapping[str, RatedSet]
) -> dict[str, Any]:
    """Return a model's perplexity per token, ends of sentences included, and SLOR's r with the ratings of each set."""
    metric = SLOR(model, unknown="score")
    perplexity = "–" if held_out is None else f"{perplexity_of(model, held_out):.0f}"
    row: dict[str, Any] = {"trained on": kind, "million words": float(millions), "perplexity": perplexity}
    for name, rated in sets.items():
        row[name] = correlation(metric.predict(rated.texts).values, rated.ratings, "pearson", n_resamples=1).value
    return row


def perplexity_of(model: Any, texts: list[str]) -> float:
    """Return the exponential of the mean negative log-probability per token, ends of sentences included."""
    batch = model.batch_logprobs(texts)
    every = np.concatenate((batch.logprobs, batch.end_logprobs))
    return math.exp(-float(every.mean()))


def _against_perplexity(rows: list[dict[str, Any]], name: str) -> float:
    return float(np.corrcoef([row[name] for row in rows], [math.log(float(row["perplexity"])) for row in rows])[0, 1])


def _draw(rows: list[dict[str, Any]], path: Path) -> None:
    figure, (by_words, by_perplexity) = new_figure(width=9.6, columns=2)
    names = [name for name in rows[0] if name not in ("trained on", "million words", "perplexity")]
    general = [row for row in rows if row["trained on"] == OTHER]
    packaged, own = (next(row for row in rows if row["trained on"] == kind) for kind in (PACKAGED, OWN))
    for name, marker in zip(names, "osD^v", strict=True):
        colour, values = SECOND if name in _IN_DOMAIN else FIRST, [row[name] for row in general]
        by_words.plot([row["million words"] for row in general], values, marker + "-", color=colour)
        perplexities = [float(row["perplexity"]) for row in general]
        by_perplexity.plot(perplexities, values, marker + "-", color=colour, label=name)
        by_words.plot(packaged["million words"], packaged[name], marker, color=colour, alpha=0.4, ms=9)
        if name in _IN_DOMAIN:
            by_words.plot(own["million words"], own[name], marker, mfc="white", color=colour, ms=9)
    label = "million words (hollow: the outputs' own domain; pale: packaged 4-grams)"
    by_words.set(xscale="log", xlabel=label, ylabel="Pearson's r")
    by_perplexity.set(xscale="log", xlabel="perplexity of held-out lines", ylabel="Pearson's r")
    by_perplexity.legend(fontsize=8)
    save(figure, path, "Pearson's r of SLOR with ratings against words and perplexity of its language model")
