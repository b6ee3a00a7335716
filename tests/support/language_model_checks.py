"""Properties of every language model, of whatever kind."""

import numpy as np
import pytest

from slor_metric.language_models.base import LanguageModel


def ngrams_of(trie):
    """Every n-gram of a trie as the numbers of its words, with its node."""
    found = {}
    names = [()]
    for k in range(1, trie.order + 1):
        level = trie.level(k)
        heads = trie.parents(k) - trie.level(k - 1).start if k > 1 else np.zeros(level.stop, dtype=int)
        names = [(*names[h], int(w)) for h, w in zip(heads, trie.words[level], strict=True)]
        found.update(zip(names, range(level.start, level.stop), strict=True))
    return found


def check_language_model(lm):
    assert isinstance(lm, LanguageModel)
    assert lm.token_logprobs([]) == []
    empty, text = lm.token_logprobs(["", "the cat  sat\t."])
    assert empty.pieces == ()
    assert empty.logprobs.shape == (0,)
    assert len(text.pieces) == len(text.logprobs)
    assert text.logprobs.dtype == np.float64
    assert (text.logprobs < 0).all()
    for bad, message in (("a text", "bare str"), (["a", None], "item 1 is None"), (b"bytes", "texts"), (None, "texts")):
        with pytest.raises(TypeError, match=message):
            lm.token_logprobs(bad)
