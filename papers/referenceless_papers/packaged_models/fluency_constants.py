"""The constants of `Fluency`: weights chosen on rated texts, and the scale of edited prose.

A weight is a whole, half or fifth part over the feature's standard deviation among the sentences of GUG's training
split. Weights, caps and exponents were chosen there, on GUG's development split and on Simplicity-DA; that of the small
model on eight rated sets, for which no other choice is better in r on sets that it did not see (`fluency_choice`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.core.files.reading import Condition, Reading
from referenceless_metrics.core.support.validation import Floats, check_texts
from referenceless_papers.kann.rated_outputs import read_rated_outputs
from referenceless_papers.training.word_classes import held_out_lines
from slor_metric.fluency.constants import CONSTANTS_FILES, LMS, FluencyConstants
from slor_metric.fluency.features import FeatureReader
from slor_metric.fluency.sentences import read_sentences
from slor_metric.language_models.unigram import Corpus

#: Weights of each feature of shortfalls and marks, in units of its standard deviation.
SHORTFALLS = {
    "pieces": 1.0,
    "words": 1.0,
    "classes": 1.0,
    "worst": 0.5,
    "misspellings": 1.0,
    "repetitions": 0.2,
    "end": 0.5,
}
#: The same of log-odds without a cap.
LOG_ODDS = {
    "piece_odds": 1.0,
    "word_odds": 1.0,
    "least_piece": 0.5,
    "least_word": 0.5,
    "lowest_classes": 2.0,
    "misspellings": 1.0,
}
#: Both halves, which weigh the same.
WEIGHTS = (SHORTFALLS, LOG_ODDS)
#: The same with the small model, which has 1.5 times the weight of both halves together.
_WITH_SMALL = (*WEIGHTS, *[{"small": 1.0}] * 3)
#: The same with the detector of faults, which has the weight of both halves.
SMALL_WEIGHTS = (*_WITH_SMALL, *[{"faults": 1.0}] * 2)
#: Weights of each part, by the models that read the text: SmolLM2 has twice the weight of both halves, beside the small
#: model.
WEIGHTS_OF = {"ngram": WEIGHTS, "small": SMALL_WEIGHTS, "smollm2": (*_WITH_SMALL, *[{"smollm2": 1.0}] * 4)}
#: Number of sentences of edited prose that set the scale of scores.
N_PROSE = 2000
#: Number of these sentences that SmolLM2 reads, which is slow.
_BY_SMOLLM2 = 150
_LEAST_WORDS = 5


def edited_prose(corpus: Corpus, size: int = N_PROSE) -> list[str]:
    """Draw sentences of five words and more, with a capital and a final mark, from those that the n-grams hold out.

    Args:
        corpus: corpus that the n-grams were trained on; lower-cased sentences give none.
        size: number of sentences.
    """
    lines = [
        line
        for line in map(str.strip, held_out_lines(corpus))
        if len(line.split()) >= _LEAST_WORDS and line[0].isupper() and line[-1] in ".!?"
    ]
    return [lines[i] for i in np.random.default_rng(0).permutation(len(lines))[:size].tolist()]


def fit_constants(
    texts: Sequence[str],
    prose: Sequence[str],
    weights: Sequence[Mapping[str, float]] = WEIGHTS,
    *,
    reader: FeatureReader | None = None,
) -> FluencyConstants:
    """Take each feature's unit from some sentences, and the scale of the score from edited prose.

    Args:
        texts: the sentences that give the features' standard deviations; one without a word is left out.
        prose: the sentences whose scores have mean 0 and standard deviation 1.
        weights: weights of each feature, in one part or more; each part is divided by its own standard deviation.
        reader: reader of the features; None for the packaged models alone.

    Raises:
        ValueError: if a feature does not vary among the sentences.
    """
    reader = FeatureReader() if reader is None else reader
    of_texts, of_prose = (_features(reader, part, name) for part, name in ((texts, "texts"), (prose, "prose")))
    names = [name for name in reader.names if any(name in part for part in weights)]
    stds = {name: of_texts[name].std() for name in names}
    for name, std in stds.items():
        if not std > 0:
            raise ValueError(f"Expected argument `texts` to vary in every feature, but {name!r} is the same in all")
    by_std = [{name: weight / stds[name] for name, weight in part.items()} for part in weights]
    scales = [np.std(sum(weight * of_texts[name] for name, weight in part.items())) for part in by_std]
    whole = _rounded(
        {name: sum(part.get(name, 0.0) / scale for part, scale in zip(by_std, scales, strict=True)) for name in names}
    )
    total = np.asarray(sum(weight * of_prose[name] for name, weight in whole.items()))
    return FluencyConstants(whole, **_rounded({"mean": total.mean(), "std": total.std()}))


def write_constants(folder: Path, gug: str, corpus: Corpus, lms: Sequence[str] = LMS) -> dict[str, str]:
    """Write the packaged files of constants, and return the signature of each.

    Args:
        folder: folder of the files.
        gug: gug_annotations.tsv.
        corpus: corpus of `edited_prose`.
        lms: names of the models.
    """
    rated = read_rated_outputs(
        gug, text_column="Sentence", rating_column="Average", reading=Reading(where=(Condition("Dataset", "train"),))
    )
    prose, signatures = edited_prose(corpus), {}
    for lm in lms:
        reader = FeatureReader(lm)
        size = _BY_SMOLLM2 if lm == "smollm2" else N_PROSE
        constants = fit_constants(rated.texts, prose[:size], WEIGHTS_OF[lm], reader=reader)
        (folder / CONSTANTS_FILES[lm]).write_text(constants.to_json(), encoding="utf-8")
        signatures[lm] = constants.signature
    return signatures


def _features(reader: FeatureReader, texts: Sequence[str], name: str) -> dict[str, Floats]:
    sentences = read_sentences(check_texts(texts, name, allow_empty=False))
    features = reader.read(sentences.read, spare_names=True)
    values = features.values[features.n_words > 0]
    return dict(zip(reader.names, values.T, strict=True))


def _rounded(values: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(f"{value:.6g}") for name, value in values.items()}
