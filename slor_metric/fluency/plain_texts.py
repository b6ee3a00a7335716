"""A quick test for texts that need no closer look: they hold no markup, or are one plain sentence.

Most sentences of prose are recognised by one scan over their bytes (`native/plain_texts.cpp`), without regular
expressions. The rules of `markup` and `sentences` read the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Unsigned8
from slor_metric.tokenizers.encoder import JoinedTexts

#: The bits of `scan`: nothing in a text is anything but prose; a text is one sentence that is read as it stands; or one
#: that is read without its quotation marks and the spaces around it; or one that is read without what stands in
#: brackets, too; beside prose there are at most technical names in a text; and a text is one sentence only if no mark
#: inside it ends another.
PROSE_ALONE, PLAIN_SENTENCE, QUOTED_SENTENCE, ASIDE_SENTENCE, NAMES_ALONE, MARKS_INSIDE = 1, 2, 4, 8, 16, 32
#: The bits of sentences.
ANY_SENTENCE = PLAIN_SENTENCE | QUOTED_SENTENCE | ASIDE_SENTENCE


def scan(texts: Sequence[str]) -> Unsigned8:
    """Return the properties that are certain of each of n texts, as bits, shape (n,).

    A sentence with characters beyond ASCII is certain if they are Latin letters, dashes and apostrophes. Some texts of
    prose alone are left open too: with a bracket after a letter beyond ASCII, or characters that are stored with the
    same first bytes as emoji and arrows.

    >>> scan(["A cat sat.", "A *cat* sat.", "A cat. It sat.", '"A cat," he said.', "A cat (Tom) sat.", "GPT4"]).tolist()
    [3, 2, 35, 5, 9, 16]
    """
    joined, flags = JoinedTexts.of(texts), np.empty(len(texts), dtype=np.uint8)
    native.call("scan_texts", joined.utf8, joined.lengths, flags)
    return flags
