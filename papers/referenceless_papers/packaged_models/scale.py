"""The scale of `Fluency` in words: the share of people who object at each level, and sentences to look at.

GUG has five judgements a sentence, from 1 (incomprehensible) to 4 (perfect); the sentences of Lau et al. (2015) have
the mean of many speakers, from 1 to 4. Both are development data: no test split is read.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from referenceless_metrics.core.support.validation import Floats, Record
from referenceless_papers.packaged_models.fluency_choice import development_sets
from slor_metric.fluency.metric import Fluency

#: The levels from the best to the worst. A score belongs to the nearest, so the last holds all below −3.5.
LEVELS = (1, 0, -1, -2, -3, -4)
#: Limits for a corpus that is filtered.
LIMITS = (0, -1, -2, -3)
#: Highest judgement that objects, on a scale from 1 to 4, and mean below which a sentence is objected to.
OBJECTION, LOW_MEAN = 2, 3.0


def levels_of(scores: Floats) -> Floats:
    """Return the level that is nearest to each score, shape (n,); NaN if there is no score.

    >>> levels_of(np.array([1.9, 0.2, -1.4, -2.6, -9.0, np.nan])).tolist()
    [1.0, 0.0, -1.0, -3.0, -4.0, nan]
    """
    return np.asarray(np.clip(np.rint(scores), min(LEVELS), max(LEVELS)))


def share_of_objections(judgements: Sequence[float]) -> float:
    """Return the share of a sentence's judgements that object.

    >>> share_of_objections([1, 2, 3, 4])
    0.5
    """
    return float(np.mean(np.asarray(judgements) <= OBJECTION))


def shares_kept(values_of: Callable[[list[str]], Floats], prose: Sequence[str]) -> Record:
    """Return the shares of sentences that each of `LIMITS` keeps: as they are, with words swapped, and shuffled.

    Args:
        values_of: returns a value of each text, NaN if there is none, which no limit keeps.
        prose: sentences of edited prose.
    """
    draw = np.random.default_rng(0)
    words = [sentence.rstrip(".!?").split() for sentence in prose]
    texts = {
        "as written": list(prose),
        "every fourth word behind the next": [f"{' '.join(_swapped(each))}." for each in words],
        "words shuffled": [f"{' '.join(draw.permutation(each))}." for each in words],
    }
    values = {name: values_of(of_kind) for name, of_kind in texts.items()}
    return {
        name: {str(limit): round(float(np.mean(found > limit)), 3) for limit in LIMITS}
        for name, found in values.items()
    }


def _swapped(words: Sequence[str]) -> list[str]:
    """Return words of which the second and the third of every four have changed places.

    >>> _swapped(["one", "two", "three", "four", "five", "six"])
    ['one', 'three', 'two', 'four', 'five', 'six']
    """
    swapped = list(words)
    for place in range(1, len(words) - 1, 4):
        swapped[place : place + 2] = swapped[place + 1], swapped[place]
    return swapped


def objections_by_level(scores: Floats, objections: Floats) -> Record:
    """Return, for each level with a sentence, the number of its sentences and the mean of their shares of objections.

    Args:
        scores: shape (n,), NaN if there is none.
        objections: the share of people who object to each sentence, shape (n,).
    """
    levels = levels_of(scores)
    found: Record = {}
    for level in LEVELS:
        at_level = objections[levels == level]
        if at_level.size:
            found[str(level)] = {"n": int(at_level.size), "object": round(float(at_level.mean()), 3)}
    return found


def measured_scale(data: Path) -> Record:
    """Return the share of people who object at each level, on GUG's train and dev splits and on Lau 2015.

    Args:
        data: the folder that holds gug and lau-2015.
    """
    gug = pd.read_csv(data / "gug" / "gug_annotations.tsv", sep="\t", quoting=csv.QUOTE_NONE)
    gug = gug[gug["Dataset"].isin(["train", "dev"])]
    lau = pd.read_csv(data / "lau-2015" / "wikipedia_100.tsv", sep="\t")
    by_judges = np.array([share_of_objections(json.loads(given)) for given in gug["Crowd Flower Judgements"]])
    by_mean = (lau["rating"].to_numpy(float) < LOW_MEAN).astype(float)
    metric = Fluency()
    return {
        "GUG train and dev, judgements of 1 or 2": objections_by_level(
            metric.predict(gug["Sentence"].tolist()).values, by_judges
        ),
        "Lau 2015, sentences with a mean below 3": objections_by_level(
            metric.predict(lau["sentence"].tolist()).values, by_mean
        ),
    }


def drawn_sentences(texts: Mapping[str, Sequence[str]], size: int = 300, seed: int = 0) -> pd.DataFrame:
    """Return at most `size` texts at random of each level, within a quarter of it, with the columns level, set, text.

    Args:
        texts: the texts of each set, by its name.
        size: number of texts to draw at each level.
        seed: seed of the draw.
    """
    names = [name for name, of_set in texts.items() for _ in of_set]
    every = [text for of_set in texts.values() for text in of_set]
    frame = pd.DataFrame({"set": names, "text": every}).drop_duplicates("text", ignore_index=True)
    frame["score"] = Fluency().predict(frame["text"].tolist()).values
    parts = []
    for level in LEVELS:
        near = frame[(frame["score"] - level).abs() <= 0.25]
        drawn = near.sample(min(size, len(near)), random_state=seed)
        parts.append(drawn.assign(level=level)[["level", "set", "text"]])
    return pd.concat(parts, ignore_index=True)


def development_texts(data: Path) -> dict[str, list[str]]:
    """Return the texts of the development sets, by set."""
    return {name: texts for name, (texts, _) in development_sets(data).items()}
