"""Special tokens of tokenizers are counted and told, and no correction holds one."""

import pytest
from command_lines import typed
from text_files import write

from referenceless_metrics.core.files.special_tokens import SpecialTokens, special_token_notes
from slor_metric.fluency.explanations import explain
from slor_metric.fluency.metric import FluencyNgram

TEXTS = [
    "The cat is <unk> here.",
    "It is [UNK] <unk> today.",
    "A plain sentence stands here.",
    "It was well @-@ known.",
]


@pytest.mark.parametrize("token", ["<unk>", "<UNK>", "[UNK]", "<pad>", "<s>", "</s>", "@-@", "<|endoftext|>", "[MASK]"])
def test_a_special_token_is_found(token):
    assert SpecialTokens([f"It is {token} here."]).counts == {token: 1}
    assert SpecialTokens(["a < b > c [1] and me@work.org", "<b>bold</b>", "list[int]"]).notes == []


def test_texts_are_counted_once_for_each_token():
    told = "3 of 4 texts hold special tokens of a tokenizer (<unk> in 2, [UNK] in 1, @-@ in 1): these are no words"
    assert SpecialTokens(TEXTS).notes == [told]
    assert list(special_token_notes([("plain", TEXTS[2:3]), ("ours", TEXTS)])) == [f"ours: {told}"]


@pytest.mark.parametrize("format", ["table", "csv"])
def test_commands_tell_them_once(folder, format):
    write("a.txt", TEXTS)
    write("b.txt", [text.replace("<unk>", "not") for text in TEXTS])
    told = "texts hold special tokens of a tokenizer ("
    scored = typed(f"score a.txt --metric fluency_ngram -f {format}")
    assert scored.err.count(f"note: 3 of 4 {told}") == 1
    compared = typed("compare a.txt b.txt --metric fluency_ngram --n-samples 10")
    assert compared.err.count(told) == 2
    assert f"a: 3 of 4 {told}" in compared.err


def test_no_correction_holds_a_special_token():
    better = explain(
        FluencyNgram(), ["Browns is <unk> fast food food close to the the station.", "He go to to school."]
    )["better"]
    assert better[0] == "" or "<unk>" not in better[0]
    assert better[1] != ""
