"""The pages of the SLOR family: tokens and words, each with its addition to the score."""

import re

import numpy as np
import pytest
from page_standards import NASTY, check_fragment
from refusals import refused
from text_files import read

from referenceless_metrics.pages.app.explainer import ORDERS, explainer
from slor_metric import SLOR, WPSLOR
from slor_metric.example import example_texts
from slor_metric.explain import BIN_LABELS, BINS, coloured, plot_tokens
from slor_metric.fluency.metric import Fluency

EXAMPLE = example_texts()
REFERENCES = [list(of_text) for of_text in EXAMPLE.references]


def score(part, texts, references=None):
    return part.score({"texts": list(texts)} | ({} if references is None else {"references": references}), {})


@pytest.fixture(scope="module")
def rouge_lm():
    return explainer("rouge_lm")


@pytest.fixture(scope="module")
def scored(rouge_lm):
    return score(rouge_lm, EXAMPLE.texts, REFERENCES)


def test_tokens_and_their_colours(scored, rouge_lm):
    contributions = np.array([-3.0, *BINS, 9.0])
    tokens = coloured("abcdefgh", contributions, BINS, {"odd": contributions > 2})
    assert [token.bin for token in tokens] == [0, 1, 2, 3, 4, 5, 6, 6]
    assert [token.marks for token in tokens[-3:]] == [(), ("odd",), ("odd",)]
    html = rouge_lm.explanation_html(scored, 0)
    values = [float(value.replace("−", "-")) for value in re.findall(r'class="value">([^<]+)<', html)]
    assert np.mean(values) == pytest.approx(scored.result.wpslor[0], abs=0.01)
    assert html.count('class="swatch') == len(BIN_LABELS) == len(BINS) + 1
    assert f'id="explained-score">{scored.result.wpslor[0]:.3f}<' in html


def test_what_rouge_lm_adds_up(scored, rouge_lm):
    for place, value in enumerate(scored.result.values):
        html = rouge_lm.explanation_html(scored, place)
        found = re.search(r"= ([+−\d.]+) \+ \(([+−\d.]+)\) = <strong>([+−\d.]+)<", html)
        first, second, total = (float(part.replace("−", "-")) for part in found.groups())
        assert total == pytest.approx(value, abs=6e-4)
        assert first + second == pytest.approx(value, abs=0.011)
        for reference in REFERENCES[place]:
            assert reference in html
    alone = score(rouge_lm, ["one text"], [["one reference"]])
    assert "= 0.00 + (0.00) = <strong>0.000<" in rouge_lm.explanation_html(alone, 0)


@pytest.mark.parametrize(
    "name, nothing", [("slor", "token"), ("wpslor", "token"), ("rouge_lm", "token"), ("fluency", "word")]
)
def test_every_fragment_is_well_formed_and_escapes_texts(name, nothing):
    texts = [NASTY, "", "  ", "word " * 1000, "the \x00 \x1b[31m cat", "Zwölf 數據 🙂", "plain", "the zorbified cat"]
    part = explainer(name)
    scored = score(part, texts, [[NASTY, "one"]] * len(texts) if name == "rouge_lm" else None)
    explained = [part.explanation_html(scored, place) for place in range(len(texts))]
    for html in [part.summary_html(scored), *(part.table_html(scored, order) for order in ORDERS), *explained]:
        check_fragment(html)
    assert f"This text has no {nothing}" in explained[1]
    assert "The first 400 of 1000" in explained[3]
    assert np.isnan(scored.result.values[1])
    if name == "slor":
        assert '<span class="piece unknown" lang="" dir="auto">zorbified</span>' in explained[7]
        assert "unknown to the model" in explained[7]


def test_words_of_fluency_and_their_marks():
    part = explainer("fluency")
    scored = score(part, ["She recieved a letter letter.", "1, 2, 3"])
    html = part.explanation_html(scored, 0)
    assert "looks misspelt" in html
    assert "said again" in html
    assert "likeliest fault" not in html
    named = part.explanation_html(scored, 0, True)
    assert "The likeliest fault is at <strong>recieved</strong>: spelling (probability" in named
    check_fragment(named)
    told = float(re.findall(r'id="explained-score">([^<]+)<', html)[0].replace("−", "-"))
    assert told == np.round(scored.result.values[0], 3)
    assert "but it has no score: mostly numbers and signs" in part.explanation_html(scored, 1)
    assert part.explanations_html(scored, True) == [part.explanation_html(scored, place, True) for place in (0, 1)]
    assert "Log-odds per piece" in part.table_html(scored, ORDERS[0])
    assert "Mean Fluency" in part.summary_html(scored)


def test_another_model_is_named():
    assert "over **WordPieces** of English" in explainer(WPSLOR()).introduction()
    other = explainer("slor", lm="small")
    signature = SLOR("small").language_model.signature
    assert f"The model is `{signature}`." in other.introduction()
    with refused("model", TypeError):
        explainer("slor", model="gpt2")


@pytest.mark.parametrize("metric", [WPSLOR, Fluency])
def test_the_least_fluent_texts_are_drawn(metric, tmp_path):
    made = metric()
    texts = [*EXAMPLE.texts, "This is a long sentence . " * 9]
    plot_tokens(made, [*texts, ""], tmp_path / "plot.svg")
    values = made.predict(texts).values
    drawn = read(tmp_path / "plot.svg")
    assert f"Tokens of 11 texts by {made.name}; the lowest, " in drawn
    assert f"{values.min():.2f}: {texts[int(values.argmin())]}" in drawn
    with refused("no text has one"):
        plot_tokens(made, [""], tmp_path / "none.svg")
