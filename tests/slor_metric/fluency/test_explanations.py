"""The columns of `score --explain`: a word of the text, at which a fault is if one is named."""

import pytest

from slor_metric import Fluency


@pytest.mark.filterwarnings("ignore::slor_metric.language_models.prose.ForeignTextWarning")
def test_the_costliest_word_stands_in_the_text():
    texts = ["The cat sat on the mat.", "She have lived here for years.", "Die Stadt will Autos verbannen.", "?", ""]
    found = Fluency().explain(texts)
    words, starts, ends = found["costliest"], found["costliest_start"], found["costliest_end"]
    assert [text[start:end] for text, start, end in zip(texts, starts, ends, strict=True)] == words.tolist()
    assert words[0].isalpha()  # not the full stop
    assert (words[1], found["fault"][1]) == ("have", "agreement")
    assert words[2:].tolist() == ["", "", ""]  # no score
    assert found["better"][2:].tolist() == ["", "", ""]
