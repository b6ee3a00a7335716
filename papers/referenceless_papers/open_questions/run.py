"""The open questions by name, and their report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from referenceless_papers.common.cells import Missing, PartResult
from referenceless_papers.common.report import Report
from referenceless_papers.common.run import Part, measure_parts
from referenceless_papers.open_questions.compressions import compressions
from referenceless_papers.open_questions.embedding_kernel import embedding_kernel
from referenceless_papers.open_questions.encoder_layers import encoder_layers
from referenceless_papers.open_questions.gaming import gaming
from referenceless_papers.open_questions.language_models import language_models
from referenceless_papers.open_questions.neighbour_theory import theory
from referenceless_papers.open_questions.own_domain import own_domain
from referenceless_papers.open_questions.peoples_texts import fallback, peoples_texts
from referenceless_papers.open_questions.post_edits import post_edits
from referenceless_papers.open_questions.preferences import preferences
from referenceless_papers.open_questions.ranking import ranking

_NETWORKS = {
    "Kann et al.: an LSTM of 2 × 512 units on all 32 million words": "about six hours of a processor's core; "
    "`reproduce lstm` trains it on 2 million, above",
    "Dušek et al.: S1 to S6, lexicalised ones and variants at the published size": "a pass over S1's rated texts takes "
    "15 s of a core, 500 passes 2.1 hours, five folds with five seeds 52 hours; `reproduce dusek --network published "
    "--device cuda --seeds 5` trains them on a GPU",
}


def networks(_: Path) -> PartResult:
    """Name the networks that were not trained, each with the reason."""
    return PartResult(missing=[Missing(what, why) for what, why in _NETWORKS.items()])


PARTS = {
    "theory": Part("When an average of neighbours estimates well", theory),
    "gaming": Part("Climbing on the metric", gaming),
    "embedding-kernel": Part("Neighbours in a sentence-embedding space", embedding_kernel),
    "encoder-layers": Part("BERTScore Neighbors: which layer", encoder_layers),
    "compressions": Part("Sentence compression: a stand-in for its Tables 3 and 6", compressions),
    "language-models": Part("How much text a language model needs, and of which kind", language_models),
    "own-domain": Part("A little text of the own domain, or much of another", own_domain),
    "ranking": Part("Relative ranking of outputs of one MR", ranking),
    "preferences": Part("Preferences beside ratings", preferences),
    "peoples-texts": Part("Estimators of systems' outputs on people's texts, and the reverse", peoples_texts),
    "fallback": Part("Falling back on rule-based texts", fallback),
    "post-edits": Part("Post-edit effort as the rating", post_edits),
    "networks": Part("Networks that were not trained", networks),
}
"""The parts by name."""


def open_questions(
    data_dir: Path, names: Sequence[str] | None = None, *, tell: Callable[[str], None] | None = None
) -> Report:
    """Measure parts; see `measure_parts`."""
    return Report(
        "Open questions, measured",
        "What Ethayarajh & Sadigh (2020), Kann, Rothe & Filippova (2018) and Dušek, Novikova & Rieser (2017) leave "
        "open, suggest or report without a figure. None of these rows has a published counterpart. Written by "
        "`referenceless reproduce open-questions --data-dir DIR -o out/`.",
        "",
        measure_parts("", PARTS, data_dir, names, tell=tell),
    )
