"""p(text | source): sequence-to-sequence models against their own loss, causal ones against whole texts."""

import pytest
from lazily import lazily
from numpy.testing import assert_allclose
from refusals import refused

from slor_metric.language_models import load_language_model
from slor_metric.language_models.base import read_likelihoods
from slor_metric.language_models.hf.model import HuggingFaceLanguageModel
from slor_metric.language_models.hf.seq2seq import Seq2SeqLanguageModel

torch = lazily("torch")
transformers = lazily("transformers")

SOURCES = ["name[Alimentum] area[city]", "", "a much longer source than the others have, with words", "x"]
TEXTS = ["Alimentum is in the city.", "Yes.", "", "x"]


@pytest.fixture(scope="module")
def t5():
    torch.manual_seed(0)
    config = transformers.T5Config(
        vocab_size=384, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=2
    )
    model = transformers.T5ForConditionalGeneration(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.3)
    return model


@pytest.fixture(scope="module")
def causal(models):
    return models("bloom").model  # which reads texts of any length


@pytest.fixture(scope="module")
def tokenizer():
    return transformers.ByT5Tokenizer()  # a token a byte: none spans a source and its text


def test_equals_the_model_s_own_loss(t5, tokenizer):
    lm = Seq2SeqLanguageModel(t5, tokenizer, batch_size=2, progress=False)
    for source, text, scored in zip(SOURCES, TEXTS, lm.token_logprobs(TEXTS, SOURCES), strict=True):
        labels = tokenizer(text, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            loss = t5(**tokenizer(source, return_tensors="pt"), labels=labels).loss
        assert len(scored) == len(text)
        total = scored.logprobs.sum() + scored.end_logprob
        assert total / labels.shape[1] == pytest.approx(-float(loss), abs=1e-4)  # BARTScore's mean
    assert lm.signature.startswith("seq2seq,")
    assert lm.token_logprobs([]) == []


def test_special_tokens_at_both_ends_are_no_pieces(t5, monkeypatch):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = "<s> <pad> </s> <unk> the cat sat".split()
    inner = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    inner.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    names = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=inner, **names)
    lm = Seq2SeqLanguageModel(t5, tokenizer, progress=False)
    (scored,) = lm.token_logprobs(["the cat"], ["sat"])
    assert scored.pieces == ("the", "cat")
    with torch.no_grad():
        encoded = tokenizer("sat", return_tensors="pt", return_token_type_ids=False)
        logits = t5(**encoded, decoder_input_ids=torch.tensor([[2, 0, 4, 5]])).logits
    expected = torch.log_softmax(logits[0], -1)[range(4), [0, 4, 5, 2]].numpy()
    assert_allclose([*scored.logprobs, scored.end_logprob], expected[1:], atol=1e-5)
    for limited, limit in ((t5.config, "max_position_embeddings"), (tokenizer, "model_max_length")):
        with monkeypatch.context() as patch, refused("at most 16 tokens"):
            patch.setattr(limited, limit, 16, raising=False)
            Seq2SeqLanguageModel(t5, tokenizer, progress=False).token_logprobs(["the " * 15], [""])


def test_a_causal_model_reads_the_source_first(causal, tokenizer):
    lm = HuggingFaceLanguageModel(causal, tokenizer, bos="</s>", source_end=" -> ", progress=False)
    whole = lm.token_logprobs([f"{source} -> {text}" for source, text in zip(SOURCES, TEXTS, strict=True)])
    for text, scored, all_ in zip(TEXTS, lm.token_logprobs(TEXTS, SOURCES), whole, strict=True):
        assert scored.pieces == all_.pieces[len(all_) - len(text) :]
        assert_allclose(scored.logprobs, all_.logprobs[len(all_) - len(text) :], atol=1e-4)


def test_sources_go_with_their_texts(t5, tokenizer):
    lm = Seq2SeqLanguageModel(t5, tokenizer, progress=False)
    sums = [scored.logprobs.sum() for scored in lm.token_logprobs(TEXTS, SOURCES)]
    assert_allclose(read_likelihoods(lm, None, TEXTS, SOURCES).model, sums)
    with refused("one source for each of the 4 texts, but got 1"):
        lm.token_logprobs(TEXTS, ["a"])
    from slor_metric.language_models.ngram import packaged

    with refused("reads sources", TypeError):
        read_likelihoods(packaged("word"), None, ["b"], ["a"])


def test_refuses_a_model_of_another_kind(causal, tokenizer):
    with refused("no encoder and decoder"):
        Seq2SeqLanguageModel(causal, tokenizer)


def test_a_prefix_says_the_kind_of_a_folder(t5, causal, tokenizer, tmp_path):
    for kind, model, loaded in (("seq2seq", t5, Seq2SeqLanguageModel), ("hf", causal, HuggingFaceLanguageModel)):
        model.save_pretrained(tmp_path / kind)
        tokenizer.save_pretrained(tmp_path / kind)
        assert type(load_language_model(f"{kind}:{tmp_path / kind}")) is loaded
