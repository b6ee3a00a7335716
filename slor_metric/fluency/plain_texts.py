"""Texts in which nothing is to be looked for: they hold no markup, or are one plain sentence.

Most sentences of prose are told so by one scan over their bytes (`native/plain_texts.cpp`), without regular
expressions. What the scan leaves open, the rules of `markup` and `sentences` decide.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Unsigned8
from slor_metric.tokenizers.encoder import part_ascii

#: The bits of `scan`: nothing in a text is anything but prose; a text is one sentence that is read as it stands.
PROSE_ALONE, PLAIN_SENTENCE = 1, 2


def scan(texts: Sequence[str]) -> Unsigned8:
    """Return what is sure of each of n texts, as bits, shape (n,); nothing is of texts beyond ASCII.

    >>> scan(["A cat sat.", "A *cat* sat.", "A cat. It sat.", "Anna: A cat sat."]).tolist()
    [3, 2, 1, 1]
    """
    parted, flags = part_ascii(texts), np.empty(len(texts), dtype=np.uint8)
    native.call("scan_texts", parted.characters, parted.lengths, flags)
    return flags
