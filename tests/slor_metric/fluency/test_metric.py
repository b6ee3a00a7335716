"""Fluency: on text that is none, against people's ratings, and the sums of its contributions."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused
from text_files import ROOT, read

from slor_metric import SLOR, WPSLOR
from slor_metric.example import example_texts
from slor_metric.fluency.constants import packaged_constants
from slor_metric.fluency.metric import Fluency, FluencyNgram
from slor_metric.fluency.said_again import COST_OF_SAYING_AGAIN
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.classes import packaged_classes
from slor_metric.language_models.prose import ForeignTextWarning
from tests.support import rated_sentences as rated
from tests.support import strange_texts as strange

TEXTS = [
    "The mayor opened the new bridge on Sunday.",
    "What the children liked best was the old steam train.",
    "He go to school yesterday and eat lunch.",
    "She recieved a letter letter from the goverment.",
]


@pytest.fixture(scope="module")
def metric():
    return FluencyNgram()


def test_mean_log_odds_stand_beside(metric):
    """Of single sentences without names they are SLOR and WPSLOR, of other texts they are not."""
    of_metrics = {
        "log_odds_per_word": SLOR(unknown="score"),
        "log_odds_per_piece": WPSLOR(unknown="score"),
    }
    several = [f"{TEXTS[0]} {TEXTS[1]}"]
    for column, of_text in of_metrics.items():
        assert_allclose(getattr(metric.predict(TEXTS), column), of_text.predict(TEXTS).values)
        assert abs(getattr(metric.predict(several), column)[0] - of_text.predict(several).values[0]) > 0.01


def test_the_packaged_file_holds_what_the_signature_covers():
    assert packaged_constants("ngram").to_json() == read(packaged_file("fluency.json"))


@settings(max_examples=6)
@given(st.lists(st.text(max_size=40), max_size=5))
def test_contributions_add_up_and_no_text_depends_on_others(metric, texts):
    texts = [*texts, *TEXTS, *example_texts().texts]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ForeignTextWarning)
        result = metric.predict(texts)
        alone = [metric.predict([text]).values[0] for text in texts]
    found = metric.contributions(texts)
    assert_array_equal(result.values, alone)
    told = np.array([text.score for text in found])
    assert_allclose(told[result.covered], result.values[result.covered], atol=1e-9)
    assert [len(text) for text in found] == result.n_tokens.tolist()
    for text in found:
        assert len(text.words) == len(text.contributions)
    for text in found[-len(TEXTS) :]:
        assert text.worst.sum() == 3


def test_the_bad_places_are_marked(metric):
    found = metric.contributions([TEXTS[3], "Dogs dogs run in the park in the park in the park."])
    words = np.array(found[0].words)
    assert words[found[0].misspellings].tolist() == ["recieved", "goverment"]
    assert words[found[0].repetitions].tolist() == ["letter"]
    assert found[0].words == ("She", "recieved", "a", "letter", "letter", "from", "the", "goverment", ".")
    again = np.array(found[1].words)[found[1].repetitions].tolist()
    assert again == "dogs park in the park".split()


@pytest.mark.parametrize("n", [40, pytest.param(500, marks=pytest.mark.long)])
def test_nothing_strange_is_as_fluent_as_half_of_the_sound_sentences(metric, data_dir, n):
    texts, ratings = rated.gug(data_dir, "train", "dev")
    good = float(np.median(metric.predict([text for text, r in zip(texts, ratings, strict=True) if r == 4]).values))
    frequent = [word for word in packaged_classes().words[:3000] if word.isalpha()]
    kinds = {
        "scripts": strange.unknown_scripts(20 * n),
        "numbers": strange.number_lists(n),
        "punctuation": strange.punctuation_rows(n),
        "one word": strange.repeated_words(frequent, n),
        "mash": strange.keyboard_mash(n),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ForeignTextWarning)
        for kind, texts in kinds.items():
            values = metric.predict(texts).values
            assert not (values > good).any(), (kind, texts[int(np.nanargmax(values))])


def test_texts_of_several_sentences(metric):
    sentences = ["It was good.", "The food come quickly from to.", "We will come back soon."]
    alone = metric.predict(sentences).values
    result = metric.predict([" ".join(sentences), "\n".join(sentences), sentences[0], "", "12."])
    assert_allclose(result.values[:3], [alone.mean(), alone.mean(), alone[0]])
    assert result.n_sentences.tolist() == [3, 3, 1, 0, 1]
    assert result.worst[:3].tolist() == [alone[1], alone[1], alone[0]]
    assert np.isnan(result.worst[3:]).all()
    assert result.worst_sentence.tolist() == [2, 2, 1, 0, 0]
    # said again in another sentence it costs once, in the same one word by word
    again = metric.predict(
        ["She lived here. She lived here.", "She lived here.", "She lived here she lived here."]
    ).values
    assert again[0] == pytest.approx(again[1] - COST_OF_SAYING_AGAIN / 2)
    assert again[2] < again[1] - 0.5


def test_ends_and_titles(metric):
    texts = [TEXTS[0], TEXTS[0][:-1], "A Brief History of Time", "- Mix the eggs with sugar", TEXTS[0] + " He left"]
    result = metric.predict(texts)
    assert result.note.tolist() == ["", "no final full stop", "title or headline", "list item", "no final full stop"]
    assert result.values[0] - result.values[1] == pytest.approx(0.15)
    assert result.values[2] > 0
    assert result.n_tokens[1] == result.n_tokens[0] - 1


@pytest.mark.parametrize(
    "text, like, read_over",
    [
        ("The European Union (EU) adopted the rule.", "The European Union adopted the rule.", ""),
        ("The rule (German: Verordnungsentwurf) was adopted.", "The rule was adopted.", ""),
        ('She called it "the best day" of her life.', "She called it the best day of her life.", ""),
        ("\U0001f389 She liked the movie. \U0001f44d", "She liked the movie.", "emoji"),
        ("**She** liked the [movie](https://a.org).", "She liked the movie.", "link, markup"),
        ("@ann She liked the movie. #cinema #fun", "She liked the movie.", "mention, hashtag"),
        ("<p>She liked the movie!!</p>", "She liked the movie!", "markup"),
        ("```\nx = f(y)\n```\nShe liked the movie.", "She liked the movie.", "code"),
        ("'She liked the movie.'", "She liked the movie.", ""),
        ("she liked the movie.", "She liked the movie.", ""),
        ("She liked the movie. Das ist nicht gut.", "She liked the movie.", ""),
    ],
)
def test_brackets_quotations_and_what_is_no_prose_cost_nothing(metric, text, like, read_over):
    result = metric.predict([text, like])
    assert result.values[0] == pytest.approx(result.values[1])
    assert result.read_over.tolist() == [read_over, ""]
    assert metric.contributions([text])[0].score == pytest.approx(result.values[0])


@pytest.mark.parametrize(
    "text, like",
    [
        ("GPT-4 and LLaMA-2 outperform BERT on GLUE.", "He and she outperform them on exams."),
        ("See https://example.com/a?b=3 for more details.", "See Appendix for more details."),
        ("Call `fit()` before the test.", "Call Anna before the test."),
        ("Anna Kowalczyk met Krzysztof Wojciechowski in Szczecin.", "Anna Smith met John Brown in London."),
        ("The opera Così fan tutte was performed in Vienna.", "The opera Carmen was performed in Vienna."),
    ],
)
def test_names_that_no_model_knows_cost_nothing(metric, text, like):
    values = metric.predict([text, like]).values
    assert values[0] > values[1] - 0.3
    assert set("`" + metric.contributions([text])[0].words[-2] + "`") & set(text)  # words as they stand in the text


@pytest.mark.filterwarnings("ignore::slor_metric.language_models.prose.ForeignTextWarning")
def test_what_is_left_without_a_score(metric):
    reasons = {
        "def f(x): return x": "no prose",
        "https://example.com": "no prose",
        "Das ist gut.": "another language",
        "Ich gehe nach Hause. Es war gut. Das ist nicht gut.": "another language",
        "\u3053\u3093\u306b\u3061\u306f \u4e16\u754c": "another language",
        "Paula likes old houses.": None,
    }
    assert dict(zip(reasons, metric.predict(list(reasons)).reasons, strict=True)) == reasons
    found = metric.predict(["She liked the movie. Das ist nicht gut."])
    assert found.note.tolist() == ["another language"]
    assert found.worst_sentence.tolist() == [1]


def test_a_list_of_words_is_below_prose(metric):
    nouns = "apple dog river table window garden school bread water summer music paper bridge train ship bird".split()
    lists = [" ".join(nouns[i : i + 4]) + end for i in range(12) for end in ("", ".")]
    assert (metric.predict(lists).values < 0).all()  # the mean of edited prose


def test_real_sentences_stay_above_broken_ones(metric):
    good = [
        "Hello how is the weather",
        "Times change, people change.",
        "The opera Così fan tutte was performed in Vienna.",
    ]
    broken = [
        "Hello is weather the how",
        "Times changes, people changes.",
        "The opera Così fan tutte performed was Vienna in.",
    ]
    assert (metric.predict(good).values > metric.predict(broken).values).all()


def test_agreement_with_people(metric, data_dir):
    bars = {
        "GUG test": (rated.gug(data_dir, "test"), 0.54),
        "Simplicity-DA": (rated.simplicity_da(data_dir), 0.51),
        "nlg-ratings": (rated.nlg_naturalness(data_dir), 0.29),
        "WebNLG 2020": (rated.webnlg_fluency(data_dir), 0.27),
    }
    for name, ((texts, ratings), least) in bars.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error", ForeignTextWarning)  # none of them is foreign
            result = metric.predict(texts)
        assert result.coverage >= 0.985, name
        assert rated.correlation(result.values, ratings) >= least, name
    headlines = metric.predict(rated.huse_headlines(data_dir))
    assert headlines.coverage >= 0.985
    assert headlines.looks_english.mean() > 0.5


def test_bad_arguments():
    with refused("`max_unknown`"):
        Fluency(max_unknown=2)
    with refused("`measure`", TypeError):
        Fluency(measure=3)
    with refused("at least 20"):
        Fluency().fit(TEXTS, [1, 2, 3, 4])


IMPERATIVES = """
Stir the rice constantly.|They stir the rice constantly.
Serve immediately.|They serve it immediately.
Finely chop the onions.|They finely chop the onions.
Press the button for three seconds.|You press the button for three seconds.
Open the door and wait for the signal.|You open the door and wait for the signal.
Add the flour and the eggs.|They add the flour and the eggs.
Turn off the power before you clean the device.|They turn off the power before they clean the device.
Remove the cover from the back of the phone.|You remove the cover from the back of the phone.
Call your doctor if the pain does not stop.|You call your doctor if the pain does not stop.
Do not leave the children alone in the car.|You do not leave the children alone in the car.
Keep the medicine in a dry place.|They keep the medicine in a dry place.
Write your name at the top of the page.|You write your name at the top of the page.
Walk along the river until you reach the bridge.|They walk along the river until they reach the bridge.
Take the first street on the left.|You take the first street on the left.
Heat the oil in a large pan.|They heat the oil in a large pan.
Send the form to the office by Friday.|They send the form to the office by Friday.
Check the tyres before a long journey.|We check the tyres before a long journey.
Wash your hands with soap and warm water.|They wash their hands with soap and warm water.
Read the instructions carefully.|They read the instructions carefully.
Let the dough rest for an hour.|They let the dough rest for an hour.
"""


def test_imperatives_cost_what_the_card_says():
    pairs = [line.split("|") for line in IMPERATIVES.strip().splitlines()]
    told, stated = (Fluency().predict(list(texts)).values for texts in zip(*pairs, strict=True))
    assert round(float((told - stated).mean()), 1) == -0.5
    assert (round(float(told[1]), 1), round(float(stated[1]), 1)) == (-3.1, 0.5)
    card = " ".join(read(ROOT / "hub_cards/metrics/fluency.md").split())
    assert "an imperative costs 0.5 in the mean of 20 pairs" in card
    assert '"Serve immediately." has −3.1, "They serve it immediately." 0.5' in card
