"""The kernel that counts function words of other languages, against its plain twin."""

from collections import Counter, defaultdict

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strange_texts import FRENCH, GERMAN, JAPANESE, unknown_scripts

from slor_metric.language_models.classes import packaged_classes
from slor_metric.language_models.function_words import FUNCTION_WORDS
from slor_metric.language_models.other_languages import WORD, FunctionWordCounter

FEW = ["the", "a", "is", "in", "no", "die", "stadt"]
N_FREQUENT = 1000


class Twin:
    def __init__(self, vocabulary):
        self.ranks = {word: rank for rank, word in enumerate(vocabulary)}
        self.unknown = len(vocabulary)
        most_frequent = set(vocabulary[:500])
        self.own, self.shared = defaultdict(tuple), defaultdict(tuple)
        for language, listed in FUNCTION_WORDS.items():
            words = set(WORD.findall(listed))
            if len(words & most_frequent) <= len(words) / 2:
                for word in words:
                    kind = self.shared if word in most_frequent else self.own
                    kind[word] += (language,)

    def count(self, text, unnamed):
        words, others = WORD.findall(text.lower()), WORD.findall(unnamed.lower())
        ranks = [self.ranks.get(word, self.unknown) for word in others]
        frequent = [word for word, rank in zip(others, ranks, strict=True) if rank < N_FREQUENT]
        best, most = [0, 0, len(frequent)], 0.0
        languages = Counter(language for word in words if word in self.own for language in self.own[word])
        for language, own in languages.items():
            shared = sum(language in self.shared[word] for word in words if word in self.shared)
            explained = [
                language in (self.shared[word] if word in self.shared else self.own.get(word, ())) for word in frequent
            ]
            english = len(frequent) - sum(explained)
            if 1.5 * own + shared - english > most:
                best, most = [own, shared, english], 1.5 * own + shared - english
        return [*best, sum(rank >= 15_000 for rank in ranks)]


@pytest.fixture(scope="module", params=["packaged", "few"])
def readers(request):
    vocabulary = packaged_classes().words if request.param == "packaged" else FEW
    return FunctionWordCounter(vocabulary, N_FREQUENT), Twin(vocabulary)


def assert_as_the_twin(readers, texts, unnamed):
    counter, twin = readers
    assert counter.count(texts, unnamed).tolist() == [*map(twin.count, texts, unnamed)]


OF_NO_LANGUAGE = ["Kraków", "don't", "x²", "٣", "İ", "_", "\ud800"]
WORDS = st.sampled_from([*" ".join(FUNCTION_WORDS.values()).split(), *FEW, *OF_NO_LANGUAGE])
TEXT = st.lists(WORDS | st.text(max_size=4), max_size=12).map(" ".join)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=4))
def test_counts_equal_the_twin(readers, pairs):
    assert_as_the_twin(readers, [text for text, _ in pairs], [unnamed for _, unnamed in pairs])


def test_texts_of_languages(readers):
    texts = [*GERMAN, *FRENCH, *JAPANESE, *unknown_scripts(50), "", "Die, die!", "De la la."]
    assert_as_the_twin(readers, texts, texts)


def test_real_texts(readers, data_dir):
    texts = pd.read_csv(data_dir("fluency") / "simplicity_da_with_references.csv")["source"].tolist()
    assert_as_the_twin(readers, texts, texts[::-1])


def test_counts_of_a_sentence():
    counter = FunctionWordCounter(packaged_classes().words, N_FREQUENT)
    # German has "das", "ist" and "die", and shares "in" with English; "ist" and "stadt" are rare
    assert counter.count(["Das ist die Stadt in Rom"], ["ist die stadt in"]).tolist() == [[3, 1, 0, 2]]
