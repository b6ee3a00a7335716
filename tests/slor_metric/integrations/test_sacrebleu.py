"""SLOR, WPSLOR and ROUGE-LM as metrics of sacrebleu, with a language model made here."""

import math

import numpy as np
import pytest
from command_lines import python
from refusals import refused
from small_metrics import CANDIDATES, LengthModel

from slor_metric.estimator import ROUGELM
from slor_metric.integrations.sacrebleu import ROUGELMMetric, SLORMetric
from slor_metric.language_models.base import TokenLogprobs

REFERENCES = ["the cat sat on a mat", "green ideas", "x", "mat", "the cat sat", "the cat on a mat"]
OTHER = ["the mat", "ideas sleep", "furiously", "mat mat mat", "", "on cat the"]


class Impossible(LengthModel):
    """Holds texts with "zzz" impossible."""

    def token_logprobs(self, texts):
        scored = super().token_logprobs(texts)
        return [
            TokenLogprobs(s.pieces, np.where(["zzz" in piece for piece in s.pieces], -math.inf, s.logprobs))
            for s in scored
        ]


def test_an_impossible_text_is_not_covered():
    metric = SLORMetric(Impossible())
    assert metric.corpus_score(["a bb", "zzz"]).coverage == 0.5
    assert math.isfinite(metric.corpus_score(["a bb", "zzz"], n_bootstrap=50)._ci)
    with refused("SLOR covers none of the 2 segments"):
        metric.corpus_score(["zzz", ""])


def test_rouge_lm_keeps_the_scale_of_the_first_corpus():
    lists = [[reference] for reference in REFERENCES]
    first = ROUGELM(LengthModel()).score(CANDIDATES, lists)
    second = ROUGELM(LengthModel(), statistics=first.statistics).score(OTHER, lists)
    metric = ROUGELMMetric(LengthModel())
    with refused(r"`statistics` of ROUGE-LM"):
        metric.sentence_score(CANDIDATES[0], REFERENCES[:1])
    assert metric.corpus_score(CANDIDATES, [REFERENCES]).score == pytest.approx(0, abs=1e-12)
    assert metric.corpus_score(OTHER, [REFERENCES]).score == pytest.approx(second.mean)
    assert metric.sentence_score(OTHER[0], REFERENCES[:1]).score == pytest.approx(second.values[0])
    given = ROUGELMMetric(LengthModel(), statistics=first.statistics.as_dict())
    assert given.corpus_score(OTHER, [REFERENCES]).score == pytest.approx(second.mean)


_TRANSFORMER = """
import sys
import transformers
from sacrebleu.significance import PairedTest
from slor_metric.language_models.hf.model import HuggingFaceLanguageModel
from slor_metric.integrations.sacrebleu import SLORMetric

if __name__ == "__main__":
    texts = ["the cat sat on the mat", "a dog ran in the park", "the dog sat"] * 20
    transformers.set_seed(0)
    config = transformers.GPT2Config(vocab_size=384, n_embd=64, n_layer=2, n_head=4, bos_token_id=1, eos_token_id=1)
    lm = HuggingFaceLanguageModel(transformers.GPT2LMHeadModel(config), transformers.ByT5Tokenizer())
    lm.fit_unigram(texts)
    metric = SLORMetric(lm)
    systems = [("Baseline: a", texts), ("b", texts), ("c", [text[::-1] for text in texts])]
    one, two = (PairedTest(systems, {"x": metric}, None, "bs", 100, n_jobs=n)()[1]["SLOR"] for n in (1, 2))
    assert [vars(result) for result in one] == [vars(result) for result in two], (one, two)
    assert one[1].p_value == 1.0
    print("done")
"""


def test_a_transformer_in_several_processes():
    pytest.importorskip("transformers")
    # in a process of its own: torch's threads and sacrebleu's forks could wait for one another for ever
    assert python(_TRANSFORMER).stdout.strip() == "done"
