"""Kernels that Ethayarajh & Sadigh (2020) compare with BLEU*, and the variants of BLEU* that their Section 6 suggests.

They are entry points of the group `referenceless_metrics.kernels`, as anybody's kernels can be.
"""

from bleu_neighbors_metric.kernels.kernel import BLEU_STAR_OPTIONS, Kernel

ROUGE_L = Kernel(
    "word-level ROUGE-L F with Porter stemming, as rouge-score computes it",
    0.06,
    "referenceless_papers.kernels.rouge_l:rouge_l_pool",
    text_options=(),
    options={
        "stem": "Porter-stem words (true)",
        "tokenize": "'rouge_score', or a tokeniser of BLEUNeighbors such as 'intl' ('rouge_score')",
    },
)
METEOR = Kernel(
    "METEOR with stems and WordNet's synonyms, as nltk computes it",
    0.18,
    "referenceless_papers.kernels.meteor:meteor_pool",
    text_options=(),
    options={
        "wordnet": "folder of WordNet's files (nltk's data, else /usr/share/wordnet)",
        "tokenize": "'rouge_score', or a tokeniser of BLEUNeighbors such as '13a' ('none': white space)",
    },
    models=("wordnet",),
)
BERTSCORE = Kernel(
    "BERTScore F1: greedy matching of a local encoder's token vectors, rescaled with a baseline",
    0.10,
    "referenceless_papers.kernels.bertscore:bertscore_pool",
    text_options=(),
    options={
        "encoder": "name or folder of a Transformers encoder, a (model, tokenizer) pair, or a function from texts "
        "to arrays of token vectors (required)",
        "layer": "which hidden layer, as BERTScore counts them (the last)",
        "baseline": "score that becomes 0; 'pool' for the mean of random pairs of the pool, null for none ('pool')",
        "batch_size": "texts to a batch of the encoder (32)",
        "device": "where the encoder runs ('cpu')",
    },
    models=("encoder",),
    required=("encoder",),
)
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
