"""A judge's report card: figures by their definitions, intervals that hold, and tables that do not fit together."""

import json

import numpy as np
import pandas as pd
import pytest
from command_lines import typed
from numpy.random import default_rng

from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.judges.judged_outputs import judged_outputs
from referenceless_metrics.human_evaluation.judges.report_card import cohen_kappa, jackknife, report_card
from referenceless_metrics.human_evaluation.scores.mean_intervals import mean_interval


def verdicts(n=60, seed=0):
    """A judge's verdicts on two systems' outputs of n items, who errs on long texts; half of them rated by three."""
    generator = default_rng(seed)
    rows, rated = [], []
    for item in range(n):
        for system in ("base", "ours"):
            truth, n_words = int(generator.random() < 0.5), int(generator.integers(1, 30))
            judge = truth if generator.random() < 0.8 else int(n_words > 15)
            rows.append({"item": item, "system": system, "judge": judge, "text": "word " * n_words})
            rows[-1] |= {"slice": "even" if item % 2 == 0 else "odd", "position": int(generator.integers(1, 3))}
            if item < n // 2:
                rated += [
                    {"item": str(item), "system": system, "rating": truth if generator.random() < 0.9 else 1 - truth}
                    for _ in range(3)
                ]
    return pd.DataFrame(rows), pd.DataFrame(rated)


def figure(card, what, of="all"):
    (found,) = [each for each in card.figures if (each.what, each.of) == (what, of)]
    return found


def test_figures_of_verdicts_are_those_of_the_joined_table():
    scores, ratings = verdicts()
    judged = judged_outputs(scores, ratings)
    card = report_card(judged)
    rows = judged.rated
    yes = rows[rows["human"] == 1]
    sensitivity = figure(card, "sensitivity")
    assert sensitivity.value == pytest.approx((yes["judge"] == 1).mean())
    clusters = np.unique(yes["item"], return_inverse=True)[1]
    ends = mean_interval(yes["judge"].to_numpy(dtype=float), clusters, 0.95)
    assert (sensitivity.low, sensitivity.high) == pytest.approx(ends)
    assert figure(card, "Cohen's κ").value == pytest.approx(
        cohen_kappa(rows["judge"].to_numpy(float), rows["human"].to_numpy(float))
    )
    even = rows[rows["slice"] == "even"]
    assert figure(card, "accuracy", "even").value == pytest.approx((even["judge"] == even["human"]).mean())
    assert figure(card, "r of length and error").value > 0
    first = rows[rows["position"] == 1]
    assert figure(card, "mean error", "position 1").value == pytest.approx((first["judge"] - first["human"]).mean())


def test_a_corrected_rate_is_nearer_to_people_than_the_judge():
    generator = default_rng(1)
    truth = generator.random(400) < 0.5
    judge = np.where(truth, 1, generator.random(400) < 0.4).astype(int)  # generous
    scores = pd.DataFrame({"item": range(400), "judge": judge})
    ratings = pd.DataFrame({"item": range(100), "rating": truth[:100].astype(float)})
    card = report_card(judged_outputs(scores, ratings))
    corrected, plain = figure(card, "corrected mean"), figure(card, "mean by the judge")
    assert corrected.n == 100
    assert corrected.low <= truth.mean() <= corrected.high < plain.value
    share = truth[:100].mean()
    assert corrected.high - corrected.low < 2 * 1.96 * np.sqrt(share * (1 - share) / 100)


def test_drift_is_told_of_the_outputs_that_were_scored_twice():
    scores, ratings = verdicts()
    before = scores.assign(judge=np.where(np.arange(len(scores)) % 10 == 0, 1 - scores["judge"], scores["judge"]))
    card = report_card(judged_outputs(scores, ratings, before.iloc[:100]))
    assert figure(card, "share changed").value == pytest.approx(0.1)
    assert figure(card, "accuracy", "now, scored twice").value == figure(card, "accuracy").value


@pytest.mark.parametrize("draws, most", [(60, 1.0), pytest.param(150, 0.99, marks=pytest.mark.long)])
def test_other_scores_have_a_correlation_whose_interval_holds(draws, most):
    inside = []
    for seed in range(draws):
        generator = default_rng(seed)
        of_item = generator.normal(size=40).repeat(2)  # two outputs an item, which are alike
        human = of_item + generator.normal(size=80)
        judge = of_item + generator.normal(size=80)
        _, low, high = jackknife(pearson, judge, human, np.arange(80) // 2, 0.95)
        inside.append(low <= 0.5 <= high)
    assert 0.9 <= np.mean(inside) <= most


def test_a_tie_of_raters_is_no_verdict():
    scores, ratings = verdicts()
    tied = pd.DataFrame({"item": "50", "system": "ours", "rating": [0, 1]})
    judged = judged_outputs(scores, pd.concat([ratings, tied]))
    assert judged.notes == ("1 outputs are left out, since as many raters say yes as no.",)
    assert len(judged.rated) == 60


def test_tables_that_do_not_fit_together_are_named():
    scores, ratings = verdicts()
    with pytest.raises(InputError, match="system 'base', item '0'; ratings: system 'base', item 'q0'"):
        judged_outputs(scores, ratings.assign(item="q" + ratings["item"]))
    with pytest.raises(InputError, match="item '3' of system 'ours' twice"):
        judged_outputs(pd.concat([scores, scores.iloc[7:8]]), ratings)


def test_the_command_writes_one_page_and_one_json(folder):
    scores, ratings = verdicts()
    scores.rename(columns={"judge": "score"}).to_csv("judge.csv", index=False)
    ratings.to_csv("ratings.csv", index=False)
    line = "evaluate --scores judge.csv --ratings ratings.csv"
    found = json.loads(typed(f"{line} --format json").out)
    assert (found["outputs"], found["rated"], found["verdicts"]) == (120, 60, True)
    assert {"sensitivity", "Cohen's κ", "corrected mean"} <= {row["what"] for row in found["rows"]}
    typed(f"{line} -o card.html")
    assert "Judge and people, on 60 of 120 outputs: Cohen&#39;s κ" in (folder / "card.html").read_text(encoding="utf-8")
