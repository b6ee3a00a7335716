"""Kernels that were never published: the variants of BLEU* that Section 6 of Ethayarajh & Sadigh (2020) suggests.

They are entry points of the group `referenceless_metrics.kernels`, as anybody's kernels can be.
"""

from bleu_neighbors_metric.kernels.registry import BLEU_STAR_OPTIONS, Kernel

CONTENT = Kernel(
    "BLEU* on texts without their stop words",
    None,
    "referenceless_papers.kernels.bleu_star_rewritten:content_pool",
    options={"stop_words": "'english', or a list of words ('english')"},
)
PARTS_OF_SPEECH = Kernel(
    "BLEU* on n-grams of part-of-speech tags",
    None,
    "referenceless_papers.kernels.bleu_star_rewritten:part_of_speech_pool",
    text_options=tuple(name for name in BLEU_STAR_OPTIONS if name != "tokenize"),
    options={"tagger": "'textblob', or a function from a text to its tags ('textblob')"},
)
IDF = Kernel(
    "BLEU* with n-grams weighted by inverse document frequency in the pool",
    None,
    "referenceless_papers.kernels.bleu_star_idf:idf_pool",
)
LEARNED = Kernel(
    "n-gram precisions weighted by order, the weights fitted on the pool by leave-one-out",
    None,
    "referenceless_papers.kernels.bleu_star_learned:learned_pool",
    learns=True,
)
