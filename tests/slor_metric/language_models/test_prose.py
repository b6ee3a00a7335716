"""The rule on text that the packaged models do not know: one for three metrics; and the guess at the language."""

import warnings

import pytest

from slor_metric import SLOR, WPSLOR, Fluency
from slor_metric.language_models.classes import packaged_letters
from slor_metric.language_models.function_words import FUNCTION_WORDS
from slor_metric.language_models.prose import ForeignTextWarning, ProseReader, packaged_prose
from tests.support import strange_texts as strange

ENGLISH = [
    "The council decided to repair the old station next year.",
    "My grandmother bakes a cake every Sunday.",
    "Nobody knew where the dog had gone.",
    "In winter many people go skiing in the mountains.",
]
METRICS = (SLOR, WPSLOR, Fluency)


@pytest.mark.filterwarnings("ignore::slor_metric.language_models.prose.ForeignTextWarning")
@pytest.mark.parametrize("make", METRICS)
def test_one_rule(make):
    reasons = {
        "Lorem ipsum dolor sit amet.": "too many unknown tokens",
        "42": "mostly numbers and signs",
        "1. 2. 3.": "mostly numbers and signs",
        "q": "too short to judge",
        "\U0001f44d\U0001f44d": "mostly numbers and signs",
        "9" * 40: "one letter or digit over and over",
        "a" * 40: "one letter or digit over and over",
        "aaaaaa bbbbbb": "one letter or digit over and over",
        "hahaha": "no known token",
        "Die Stadt hat den alten Bahnhof renoviert.": "another language",
        strange.JAPANESE[0]: "no known token",
        "": "empty text",
        "\u200b": "no tokens",
        "Yes.": None,
        "Thank you!": None,
        "Das Haus ist rot.": "another language",
        ENGLISH[0]: None,
    }
    result = make().predict(list(reasons))
    assert dict(zip(reasons, result.reasons, strict=True)) == reasons
    assert [text for text, short in zip(reasons, result.short, strict=True) if short][-2:] == ["Yes.", "Thank you!"]
    assert not result.short[-2:].any()
    every = make(unknown="score").predict(list(reasons))
    assert [text for text, covered in zip(reasons, every.covered, strict=True) if not covered] == ["", "\u200b"]
    assert every.values[-1] == result.values[-1]
    assert "unknown:score" in every.signature


def test_what_looks_english():
    found = packaged_prose().read([*ENGLISH, "", "Ja!", "1 2 3"])
    assert found.looks_english.all()  # of the last ones there is too little to tell
    for texts in (strange.GERMAN, strange.FRENCH, strange.JAPANESE):
        assert not packaged_prose().read(texts).looks_english.any()


def test_short_sentences_of_known_words():
    foreign = [
        "Die Stadt will Autos verbannen.",  # the first and the third word are English too
        "Mein Bruder kommt morgen an.",
        "El perro come carne.",
        "No tengo dinero.",
        "Non ho tempo.",
        "De man leest een boek.",
        "Elle est partie.",
        "Qui est le président de la France ?",
        "A casa tem um jardim.",
        "Hon bor i en stad.",
    ]
    english = [
        "Die Hard is a Christmas film.",
        "La La Land won six Oscars.",
        "Will Smith won an Oscar.",
        "She sang La Vie en Rose.",
        "Les Misérables opened in London in 1985.",
        "El Niño returns this winter.",
        "He ordered a pizza margherita and a tiramisu.",
        "Add salt, pepper, oregano.",
        "Iron rusts.",
        "Nguyen Van Thieu fled Saigon.",
        "No man is an island.",
        "Hut roofs leak.",
        "Sauté onions, garlic and chorizo.",
        "Marinate tofu in soy sauce.",
        "Kubernetes pods restart.",
    ]
    reader = packaged_prose()
    assert [text for text in foreign if not reader.read([text]).foreign[0]] == []
    assert not reader.read(english).foreign.any()


def test_the_own_language_of_a_vocabulary_is_no_other():
    german = FUNCTION_WORDS["German"].split()
    reader = ProseReader(packaged_letters(), [*german, "stadt", "autos", "haus"])
    assert not reader.read(["Die Stadt will nur noch Autos."]).foreign[0]
    assert reader.read(["El perro no tiene una casa."]).foreign[0]


def test_one_warning_a_batch():
    with pytest.warns(ForeignTextWarning, match="100% of these 6 texts") as caught:
        packaged_prose().read(strange.JAPANESE).warn_if_foreign("WPSLOR")
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for texts in (ENGLISH, ["Guten Morgen, Welt"], []):  # the second is too short to tell
            packaged_prose().read(texts).warn_if_foreign("WPSLOR")
