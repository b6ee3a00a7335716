"""The BERTScore kernel (Zhang et al. 2020): each token is matched with the most similar one of the other text.

With cosine similarities of token vectors, P is the mean over the candidate's tokens of their best match in the pool
text, R the mean over the pool text's tokens of theirs in the candidate, and F1 = 2PR / (P + R). As in the authors'
package, an encoder's own tokens ([CLS], [SEP]) may be matched with but count for nothing themselves.

P and R may differ in sign, and P + R may then be nothing but rounding, with an F1 of any size. So F1 is at least -1, as
a cosine is, and 0 if P + R is not above 0.

F1 of unrelated texts is far above 0, so the authors rescale it with a baseline b, (F1 - b) / (1 - b). Theirs are tables
for encoders and layers that they measured on random pairs of sentences; here b is the mean over random pairs of the
pool's own texts, which any encoder has, or a number that is given. Similarities are exact to about 1e-6, single
precision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_neighbors_metric.kernels.kernel import KernelInput, Pool
from referenceless_metrics.core.support.computing import matmul
from referenceless_metrics.core.support.validation import Floats, Integers, check_number, check_whole, describe
from referenceless_papers.kernels.token_vectors import Encode, TokenVectors, token_encoder

FROM_POOL = "pool"
"""Name of the baseline that is measured on the pool."""

_LEAST_F1 = -1.0

_BASELINE_PAIRS = 20_000
_BASELINE_SEED = 12345

_BLOCK_TOKENS = 1 << 15
"""Pool tokens per block: the cosines with a candidate of 30 tokens then take 4 MB."""


class BertScorePool(Pool):
    """A pool matched by BERTScore F1.

    Args:
        texts: the pool, n texts.
        encode: function from texts to their token vectors (see `token_encoder`).
        baseline: the score that becomes 0; `pool` for the mean over random pairs of the pool's texts, None for none.

    Attributes:
        baseline_: the baseline in use, 0 for none.
    """

    def __init__(self, texts: Sequence[str], encode: Encode, *, baseline: float | str | None = FROM_POOL) -> None:
        super().__init__(len(texts))
        self._encode = encode
        self._places = {text: place for place, text in enumerate(texts)}
        self._pool = encode(texts)
        # Only texts with tokens are compared: `reduceat` would take the next text's first token for an empty one.
        self._filled = np.flatnonzero(np.diff(self._pool.begins))
        self._begins = np.append(self._pool.begins[self._filled], self._pool.begins[-1])
        self._blocks = _blocks(self._begins)
        self.baseline_ = 0.0
        self.baseline_ = self._measured_baseline() if baseline == FROM_POOL else float(baseline or 0.0)

    def _f1(self, own: TokenVectors, which: int) -> Floats:
        """Return F1 of one encoded text and each pool text, shape (n,), before rescaling."""
        begin, end = own.begins[which], own.begins[which + 1]
        vectors, own_weights = own.vectors[begin:end], own.weights[begin:end]
        precision, recall = np.zeros(len(self)), np.zeros(len(self))
        total = own_weights.sum()
        if not len(vectors) or total <= 0.0:
            return precision
        for block in self._blocks:
            first, stop = self._begins[block.start], self._begins[block.stop]
            starts, places = self._begins[block] - first, self._filled[block]
            cosine = matmul(vectors, self._pool.vectors[first:stop].T)
            best_of_own = np.maximum.reduceat(cosine, starts, axis=1)
            precision[places] = matmul(own_weights, best_of_own) / total
            weights = self._pool.weights[first:stop]
            best_of_pool = cosine.max(axis=0) * weights
            pool_totals = np.add.reduceat(weights, starts)
            matched = np.add.reduceat(best_of_pool, starts)
            np.divide(matched, pool_totals, out=matched, where=pool_totals > 0)
            recall[places] = np.where(pool_totals > 0, matched, 0.0)
            precision[places] = np.where(pool_totals > 0, precision[places], 0.0)
        both = precision + recall
        f1 = np.divide(2 * precision * recall, both, out=np.zeros(len(self)), where=both > 0)
        return np.maximum(f1, _LEAST_F1, out=f1)

    def _measured_baseline(self) -> float:
        """Return the mean F1 over random pairs of distinct pool texts."""
        if len(self) < 2:
            return 0.0
        n_texts = min(len(self), max(1, _BASELINE_PAIRS // (len(self) - 1)))
        chosen = np.random.default_rng(_BASELINE_SEED).choice(len(self), size=n_texts, replace=False)
        sums = 0.0
        for which in np.sort(chosen):
            row = self._f1(self._pool, int(which))
            sums += float(row.sum() - row[which])
        baseline = sums / (n_texts * (len(self) - 1))
        return baseline if baseline < 1.0 - 1e-6 else 0.0  # a pool of equals has no scale to offer

    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Return BERTScore F1 of each candidate and each pool text, and the candidates' numbers of tokens."""
        # Texts of the pool, as in leaving one out, are encoded already.
        new = [text for text in dict.fromkeys(candidates) if text not in self._places]
        tokens = self._encode(new)
        places = {text: place for place, text in enumerate(new)}
        out = np.empty((len(candidates), len(self)), dtype=np.float64)
        n_tokens = np.empty(len(candidates), dtype=np.int64)
        for row, text in enumerate(candidates):
            known = self._places.get(text)
            own, which = (tokens, places[text]) if known is None else (self._pool, known)
            out[row] = self._f1(own, which)
            n_tokens[row] = np.count_nonzero(own.weights[own.begins[which] : own.begins[which + 1]])
        return (out - self.baseline_) / (1.0 - self.baseline_), n_tokens


def _blocks(begins: Integers) -> list[slice]:
    """Cut the pool into runs of texts of at most `_BLOCK_TOKENS` tokens, or of one text."""
    blocks = []
    start, n = 0, len(begins) - 1
    while start < n:
        stop = int(np.searchsorted(begins, begins[start] + _BLOCK_TOKENS, side="right")) - 1
        stop = min(max(stop, start + 1), n)
        blocks.append(slice(start, stop))
        start = stop
    return blocks


def bertscore_pool(data: KernelInput) -> BertScorePool:
    """Prepare a pool with the options `encoder`, `layer`, `baseline`, `batch_size` and `device`."""
    options = data.kernel_options
    layer, baseline = options.get("layer"), options.get("baseline", FROM_POOL)
    batch_size, device = options.get("batch_size", 32), options.get("device", "cpu")
    if layer is not None:
        check_whole(layer, "kernel_options['layer']")
    check_whole(batch_size, "kernel_options['batch_size']", 1)
    if isinstance(baseline, str) and baseline != FROM_POOL:
        raise ValueError(
            f"Expected `kernel_options['baseline']` of bertscore to be 'pool', None or a number, but got {baseline!r}"
        )
    if baseline is not None and baseline != FROM_POOL:
        check_number(baseline, "kernel_options['baseline']", -1, 0.999999)
    if not isinstance(device, str):
        raise TypeError(f"Expected `kernel_options['device']` of bertscore to be a string, but got {describe(device)}")
    encode = token_encoder(
        options.get("encoder"), layer=layer, batch_size=int(batch_size), device=device, progress=data.progress
    )
    return BertScorePool(data.texts, encode, baseline=baseline)
