"""What every language model keeps, whatever it is made of."""

import numpy as np
import pytest

from slor_metric.language_models.base import LanguageModel


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
