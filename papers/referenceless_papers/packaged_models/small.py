"""The packaged small model from its training folder: the file, its learning curve, and the faults that it sees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_metrics.core.files.archive import read_archive
from referenceless_metrics.core.files.reading import Condition, Reading
from referenceless_papers.kann.rated_outputs import read_rated_outputs
from referenceless_papers.packaged_models.labels import read_corpora
from referenceless_papers.packaged_models.pairs import accuracies, make_pairs
from referenceless_papers.training.lstm import SNAPSHOTS, read_start
from referenceless_papers.training.lstm_network import torch_parameters
from referenceless_papers.training.network_files import shrink, write_network
from slor_metric.fluency.metric import Fluency, FluencyNgram
from slor_metric.fluency.neural import word_shortfalls
from slor_metric.formulas import sum_by_text
from slor_metric.language_models.known import CONTINUES
from slor_metric.language_models.lstm.model import SmallLanguageModel
from slor_metric.language_models.lstm.storage import LSTM_FILE, SCHEMA, SMALL_FILE

#: Share of the weights trained on both corpora in the packaged weights, chosen on development sets.
SHARE_OF_NEW = 0.75


def make_small(folder: Path, output: Path) -> dict[str, Any]:
    """Write the packaged file from a folder of `train small`, the same bytes each time, and return a description."""
    output.mkdir(parents=True, exist_ok=True)
    path = output / SMALL_FILE
    shrink(folder / LSTM_FILE, path)
    content = path.read_bytes()
    header, _ = read_archive(folder / LSTM_FILE, SCHEMA)
    return {
        "signature": SmallLanguageModel.load(path).signature,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        **{
            name: value
            for name, value in header["training"].items()
            if name in ("tokens", "perplexity", "tuned", "blended")
        },
    }


def blend(folder: Path, before: Path, output: Path, share: float = SHARE_OF_NEW) -> None:
    """Write the mean of the weights of a model and of its continuation, and the latter's counts.

    Along the line between the two lie models that keep the skills of the first (Wortsman et al. 2022, "Robust
    fine-tuning of zero-shot models"); the log-odds are over the frequencies of the first corpus.

    Args:
        folder: a folder of `train small`, begun with `before`.
        before: a small model in 8 bits.
        output: the folder to write, as `folder` is.
        share: share of the new weights in the mean.
    """
    shape, old, tokens, counts, tokenizer, _ = read_start(before)
    _, new, _, _, _, training = read_start(folder)
    parameters = {
        name: ((1 - share) * was.numpy() + share * is_now.numpy()).astype(np.float32)
        for (name, was), (_, is_now) in zip(torch_parameters(shape, old), torch_parameters(shape, new), strict=True)
    }
    output.mkdir(parents=True, exist_ok=True)
    write_network(output / LSTM_FILE, shape, parameters, tokens, counts, tokenizer, {**training, "blended": share})


def shortfall_scores(model: SmallLanguageModel, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the sum of the capped shortfalls of each text's words under a small model, Σ s / n^¾."""
    batch = model.batch_logprobs(texts)
    return sum_by_text(*word_shortfalls(batch, model.flags & CONTINUES > 0))


def learning_curve(folder: Path, gug: str, split: str = "dev") -> list[dict[str, float]]:
    """Return for each kept model the tokens it had read, its perplexity, and its shortfalls' r with GUG's ratings."""
    rated = read_rated_outputs(
        gug, text_column="Sentence", rating_column="Average", reading=Reading(where=(Condition("Dataset", split),))
    )
    points = []
    with TemporaryDirectory() as room:
        for path in sorted((folder / SNAPSHOTS).glob(f"*/{LSTM_FILE}")):
            training = read_archive(path, SCHEMA)[0]["training"]
            shrink(path, Path(room) / SMALL_FILE)
            scores = shortfall_scores(SmallLanguageModel.load(room), rated.texts)
            r = pearson(scores, np.array(rated.ratings))
            points.append({"tokens": training["tokens"], "perplexity": training["perplexity"], "pearson": r})
    return points


def judged_pairs(folder: Path, corpus: str, *, size: int = 500, smollm2: bool = True) -> dict[str, Any]:
    """Return the share of pairs judged right by each metric, on sentences that the small model did not learn from.

    Args:
        folder: a folder of `train small`.
        corpus: its training corpus. The packaged n-gram models have learned from 99 % of these sentences.
        size: pairs of each kind at most.
        smollm2: measure SmolLM2 too, beside the packaged small model, which takes a thousand times as long.
    """
    _, held_out = read_corpora([corpus], read_archive(folder / LSTM_FILE, SCHEMA)[0]["training"])
    pairs = make_pairs(held_out, size)
    with TemporaryDirectory() as room:
        shrink(folder / LSTM_FILE, Path(room) / SMALL_FILE)
        model = SmallLanguageModel.load(room)
        metrics: dict[str, Fluency] = {"ngram": FluencyNgram(), "small": Fluency("small", lm_options={"path": room})}
    if smollm2:
        metrics["smollm2"] = Fluency("smollm2")
    judged = {f'Fluency("{lm}")': accuracies(pairs, partial(_scores, metric)) for lm, metric in metrics.items()}
    judged["the small model alone"] = accuracies(pairs, lambda texts: shortfall_scores(model, texts).tolist())
    return {"pairs": {kind: len(found) for kind, found in pairs.items()}, "right": judged}


def _scores(metric: Fluency, texts: list[str]) -> list[float]:
    return [float(value) for value in metric.predict(texts).values]
