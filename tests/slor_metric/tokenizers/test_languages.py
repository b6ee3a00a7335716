"""Models of other languages, from text that the tests make: trained, saved, loaded and scored."""

import random

import numpy as np
import pytest
from refusals import refused

from slor_metric.estimator import SLOR
from slor_metric.language_models.ngram import NgramLanguageModel, train_ngram
from slor_metric.tokenizers.words import check_language

#: For each language the separator of parts, then subjects, verbs and objects in its order, then the end.
PARTS = """
ru | _ | Мама, Сестра, Учитель, Старый друг | читает, покупает | книгу, газету, дом | .
ar | _ | الأم, المعلم, الطالب | يقرأ, يشتري | الكتاب, الجريدة | .
hi | _ | माँ, शिक्षक, लड़की | किताब, अख़बार | पढ़ती है, देखती है | ।
ja |  | 母は, 先生は, 友達は | 本を, 新聞を, 家を | 読みます, 買います, 見ます | 。
th |  | แม่, ครู, เพื่อน | อ่าน, ซื้อ, เห็น | หนังสือ, บ้าน |
"""
LANGUAGES = {
    line.split(" |")[0]: [part.strip() for part in line.split(" |")[1:]] for line in PARTS.strip().splitlines()
}


def sentences(language, n, seed=0):
    space, *parts, end = LANGUAGES[language]
    rng = random.Random(seed)
    return [space.replace("_", " ").join(rng.choice(part.split(", ")) for part in parts) + end for _ in range(n)]


def scrambled(text, seed=0):
    rng = random.Random(seed)
    units = text.split() if " " in text else list(text)
    order = rng.sample(units, len(units))
    return (" " if " " in text else "").join(order[::-1] if order == units else order)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_beat_their_scrambles_and_other_alphabets(language, tmp_path):
    path = tmp_path / f"{language}.npz"
    train_ngram(sentences(language, 400), path, language=language, vocab_size=300, progress=False)
    model = NgramLanguageModel.load(path)
    assert model.language == language
    assert model.tokenizer_name == ("characters" if language in ("ja", "th") else "wordpiece")
    metric = SLOR(model)
    good = sentences(language, 30, seed=1)
    result = metric.predict(good)
    assert result.coverage == 1
    bad = metric.predict([scrambled(text, seed) for seed, text in enumerate(good)])
    covered = bad.covered
    assert (result.values[covered] > bad.values[covered]).mean() > 0.9
    assert "looks_english" not in result.columns
    foreign = metric.predict(["Ж" * 20 if language != "ru" else "漢字" * 10, "qqqq zzzz"])
    assert not (foreign.values > np.median(result.values)).any()


@pytest.mark.parametrize("language", ["english", "EN", "", "e"])
def test_refuses_what_is_no_code(language):
    with refused("two or three small letters"):
        check_language(language)
    with refused("`language`"):
        train_ngram(["a b"], language=language)
    with refused("`language`", TypeError):
        check_language(3)
