"""Advice on the packaged example and on made ratings: the choice, the expectation, and refusals."""

import html
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from command_lines import as_json, done, invoke, typed
from refusals import refusals
from text_files import read, write, write_table

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.tuning.calibration import calibrate
from bleu_neighbors_metric.tuning.parts import pool_learning_curve
from referenceless_metrics import look
from referenceless_metrics.advice.advise import advise
from referenceless_metrics.advice.candidates import choose
from referenceless_metrics.advice.output import advice_rows, advice_summary, render_page
from referenceless_metrics.advice.untrained import Untrained
from referenceless_metrics.assessment.agreement import (
    CANNOT_TELL,
    CORRECTED_TOLD,
    GROUPS,
    NEAR_COPIES,
    OTHER_SYSTEMS,
    SLOTTED,
    SYSTEMS,
    TEXTS,
    UNPROVEN,
    agreement,
)
from referenceless_metrics.assessment.assessment import assess
from referenceless_metrics.assessment.meta_evaluation import rank_correlation
from referenceless_metrics.assessment.near_copies import near_copies
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.demo import write_example_files
from referenceless_metrics.frameworks.commands import serve
from slor_metric import Fluency

ADVICE = partial(advise, quality_estimator=False, fluency=False)
POOL = example_pool()
_POOL_ROWS = list(zip(POOL.texts, POOL.ratings, strict=True))


@pytest.fixture(scope="module")
def advice():
    return ADVICE(POOL)


def test_the_best_is_chosen_and_carries_the_one_verdict(advice):
    rho = advice.expected
    assert advice.metric.texts_ == POOL.texts
    assert advice.metric.calibration_.summary == advice.assessment.verdict.summary
    assert f"expect ρ {rho.value:.2f} [{rho.low:.2f}, {rho.high:.2f}] on further texts" in advice.findings[0]
    assert (OTHER_SYSTEMS in advice.findings[0]) == (advice.verdict not in UNPROVEN)
    assert any("human-score" in line for line in advice.findings)


def test_the_page_needs_nothing_and_escapes(advice):
    page = render_page(advice, "<script>")
    shown = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    assert "script>" not in shown
    assert not re.search(r"(src|href)=.?http|url\(.?http", page)
    assert "--advice" not in shown
    assert "--advice &#39;a b&#39; -o" in render_page(advice, "x", ["--metric", "a", "--pool", "b"], "a b")
    assert len(re.findall('class="points"', shown)) == 1  # ratings over estimates
    assert advice._repr_html_().startswith(f"<p>{html.escape(advice.findings[0])}</p>")
    assert {row["candidate"] for row in advice_rows(advice)} == {
        "published BLEU Neighbors",
        "BLEU Neighbors",
    }
    assert advice_summary(advice)["use"] == advice.chosen.name


def test_the_choice_is_not_measured_on_what_it_was_made_with():
    ratings = np.random.default_rng(0).normal(size=60)
    worthless = np.random.default_rng(1).normal(size=(8, 60))
    place, assessed = choose([{TEXTS: one} for one in worthless], ratings, {}, 0)
    best = max(rank_correlation(one, ratings) for one in worthless)
    assert rank_correlation(worthless[place], ratings) == best
    assert rank_correlation(assessed[TEXTS], ratings) < best
    good = ratings + worthless[0]
    place, assessed = choose([{TEXTS: worthless[1]}, {TEXTS: good}], ratings, {}, 0)
    np.testing.assert_array_equal(assessed[TEXTS], good)  # all agree: the chosen one's own
    assert place == 1


def test_a_candidate_with_a_handful_of_estimates_is_chosen_only_if_all_are():
    ratings = np.random.default_rng(0).normal(size=60)
    noise = np.random.default_rng(1).normal(size=60)
    few = np.where(np.arange(60) < 29, ratings, np.nan)
    place, assessed = choose([{TEXTS: few}, {TEXTS: noise}], ratings, {}, 0)
    assert place == 1
    np.testing.assert_array_equal(assessed[TEXTS], noise)
    assert choose([{TEXTS: np.where(np.arange(60) < 29, noise, np.nan)}, {TEXTS: few}], ratings, {}, 0)[0] == 1


def test_no_rank_correlation_of_a_handful_of_estimates_is_shown(advice):
    left_out = {TEXTS: np.where(np.arange(len(POOL.texts)) < 9, advice.estimates, np.nan)}
    first = advice.candidates.index(advice.chosen)
    assessments = list(advice.assessments)
    assessments[first] = assess(left_out, advice.texts, advice.ratings)
    shown = advice_rows(replace(advice, assessments=tuple(assessments)))[first]
    assert np.isnan(shown["spearman_corrected"])
    assert shown["coverage"] == pytest.approx(9 / len(POOL.texts))


def test_fluency_stands_beside_the_metrics_that_learn():
    systems = tuple("ab"[i % 2] for i in range(len(POOL.texts)))
    advice = advise(replace(POOL, groupings={SYSTEMS: systems}), quality_estimator=False)
    values = Fluency().predict(advice.texts).values
    rho = rank_correlation(values, advice.ratings)
    *learning, row = advice_rows(advice)
    assert row.keys() == learning[0].keys()
    assert (row["candidate"], row["chosen"], row["coverage"]) == ("Fluency (no ratings)", "", 1.0)
    assert row["spearman_corrected"] == row["spearman_corrected_of_near_copies"] == pytest.approx(rho)
    assert row["spearman_corrected_of_systems"] != row["spearman_corrected"]
    assert any(f"Fluency, which needs no ratings, has ρ {rho:.2f} [" in finding for finding in advice.findings)
    assert "Fluency (no ratings)" in render_page(advice, "x")
    assert advice.untrained.finding in advice.findings


def test_fluency_of_next_to_no_texts_has_no_correlation():
    """Of texts in another language it scores a few by chance."""
    values = np.where(np.arange(20) < 2, 1.0, np.nan)
    few = agreement(values, np.arange(20.0), [f"t{n}" for n in range(20)], baseline=9.5)
    told = Untrained("Fluency (no ratings)", "", {TEXTS: few, SYSTEMS: few}).finding
    assert told == (
        "Fluency, which needs no ratings, gives 10.0% of these texts a score: too few to hold against the ratings."
    )


def test_worthless_estimates_are_not_recommended():
    shuffled = np.random.default_rng(0).permutation(POOL.ratings)
    advice = ADVICE(replace(POOL, ratings=shuffled))
    assert advice.verdict in UNPROVEN
    first, second = advice.findings[:2]
    assert "Of the ways to learn from these ratings, BLEU Neighbors, `BLEUNeighbors()`" in first
    assert not re.search(r"\bUse\b|nan", first)
    assert "came first by rank correlation with near copies left out" in first
    assert second == "Do not report these estimates as quality."
    assert [row["chosen"] for row in advice_rows(advice)] == ["", "first, unproven"]


def test_fluency_is_proposed_if_it_ranks_texts_and_nothing_learned_does():
    """Of 24 texts nothing can be told of what learns from them; empty texts are left out first."""
    nouns = "cat dog bird king tree house car man girl boat door lake".split()
    fair = [f"The old {noun} was near the {nouns[-1 - place]}." for place, noun in enumerate(nouns)]
    poor = [f"Near {noun} the was {nouns[-1 - place]} old the." for place, noun in enumerate(nouns)]
    rated = RatedTexts(["", *fair, *poor, " "], np.array([9.0, *[1.0] * 12, *[0.0] * 12, 5.0]), sources=None)
    advice = advise(rated, quality_estimator=False)
    assert advice.verdict == CANNOT_TELL
    assert advice.texts == (*fair, *poor)
    assert "2 rated texts are empty and were left out." in advice.findings
    assert advice.findings[1].startswith("Take Fluency in its place, which needs no ratings: ρ 0.")


def test_a_column_of_systems_that_nobody_named_is_pointed_out(folder):
    rows = [(text, rating, "ab"[i % 2]) for i, (text, rating) in enumerate(_POOL_ROWS)]
    write_table("rated.csv", ["text", "rating", "system"], rows)
    line = "advise rated.csv --no-quality-estimator --no-fluency"
    assert "there is a column 'system', and systems are not told apart: --system-column system" in typed(line).err
    assert "not told apart" not in typed(f"{line} --system-column system").err
    assert "not told apart" not in typed("score rated.csv --metric bleu_neighbors --pool rated.csv").err


def test_columns_of_raters_are_proposed(folder):
    rows = [(text, rating, rating + i % 2, "ab"[i % 2]) for i, (text, rating) in enumerate(_POOL_ROWS)]
    write_table("wide.csv", ["text", "rater_1", "rater_2", "system"], rows)
    (line,) = [line for line in look("wide.csv").commands if line.split()[1] == "advise"]
    assert line.endswith("--rating-column rater_1 --rating-column rater_2 --system-column system")
    assert line in typed("advise wide.csv", 1).err
    done(f"{line.removeprefix('referenceless ')} --no-quality-estimator --no-fluency")


def near_copies_in(texts):
    groups = near_copies(texts).groups
    return set(np.flatnonzero(np.bincount(groups)[groups] > 1).tolist())


def test_systems_left_out_decide():
    systems = tuple("abc"[i % 3] for i in range(len(POOL.texts)))
    advice = ADVICE(replace(POOL, groupings={SYSTEMS: systems}))
    assert list(advice.assessment.agreements) == [TEXTS, NEAR_COPIES, SYSTEMS]
    # Near copies straddle these systems: leaving them out decides, since it gives less.
    assert advice_summary(advice)["left_out"] == NEAR_COPIES
    unlike = [place for place in range(len(POOL.texts)) if place not in near_copies_in(POOL.texts)]
    rated = RatedTexts([POOL.texts[i] for i in unlike], POOL.ratings[unlike])
    advice = ADVICE(replace(rated, groupings={SYSTEMS: tuple(systems[i] for i in unlike)}))
    made = f"estimates by {advice.chosen.name} made without their ratings"
    assert advice.findings[-1].startswith(f"Of 3 pairs of systems, {made}")
    assert OTHER_SYSTEMS not in advice.findings[0]
    assert "on outputs of a further system (in simulations, such 95% bounds held" in advice.findings[0]
    assert advice_summary(advice)["left_out"] == SYSTEMS
    assert {"spearman_corrected", "spearman_corrected_of_systems", "coverage"} <= advice_rows(advice)[0].keys()
    page = render_page(advice, "x")
    assert "ρ, corrected, systems left out" in page
    assert "By group" in page
    assert "estimate, each text left out" in advice.plot().svg


test_bad_ratings = refusals(
    lambda change: ADVICE(replace(POOL, **change)),
    [
        ({"texts": ["a"] * 96}, "1 distinct rated texts are too few"),
        ({"ratings": np.ones(96)}, "all ratings are 1"),
        ({"groupings": {SYSTEMS: ("a",) * 95 + ("b",)}}, "the group b has one text"),
    ],
    error=InputError,
)


def test_groups_of_one_text_each_are_texts_left_out_one_by_one():
    singles = replace(POOL, groupings={GROUPS: tuple(f"item {n}" for n in range(96))})
    advice = advise(singles, quality_estimator=False)
    assert len(advice.texts) == 96
    rhos = {left_out: agreed.corrected for left_out, agreed in advice.assessment.agreements.items()}
    assert abs(rhos[GROUPS].value - rhos[TEXTS].value) < 0.1


def test_what_is_no_better_than_the_mean_is_not_offered_to_score_with(folder):
    rows = [(f"text {n} {n * 7 % 11} {n * 5 % 13}", 1 + n * n % 7 % 3) for n in range(36)]
    write_table("noise.csv", ["text", "rating"], rows)
    result = done("advise noise.csv --no-quality-estimator --no-fluency -o out")
    assert "\nNo better than the mean: " in result.stdout
    write_table("few.csv", ["text", "rating"], rows[:24])
    few = done("advise few.csv --no-quality-estimator --no-fluency")
    assert re.search(r"\nCannot tell yet: \d+ rated texts left out .*have estimates, 30 are needed \(", few.stdout)
    assert "Do not report these estimates as quality." in few.stdout
    assert "--advice" not in result.stderr
    told = "These ratings do not show that a metric learns from them: rate more texts, or score without"
    assert told in result.stderr
    assert result.stderr.endswith("referenceless serve --metric fluency\n")


def test_a_verdict_on_further_systems_says_how_to_ask_for_the_rated_ones_and_steps_carry_the_text_column(folder):
    rows = [(f"text {n} {n * 7 % 11} {n * 5 % 13}", 1 + n * n % 7 % 3, "abc"[n % 3]) for n in range(60)]
    write_table("noise.csv", ["output", "rating", "system"], rows)
    line = "advise noise.csv --text-column output --no-quality-estimator --no-fluency -o out"
    result = done(f"{line} --system-column system")
    assert "That is of outputs of further systems: " in result.stdout
    assert "(leave out --system-column)" in result.stdout
    assert "score without: referenceless score FILE --text-column output\n" in result.stderr
    assert "of further systems" not in done(line.replace("-o out", "-o other")).stdout


def test_the_command_writes_a_metric_and_a_page(folder, monkeypatch):
    write_example_files(folder)
    result = done("advise pool.csv --no-quality-estimator -o out")
    assert "expect ρ" in result.stdout
    assert result.stdout.split()[:4] == ["candidate", "chosen", "Spearman,", "of"]  # as `calibrate` calls it
    assert BLEUNeighbors.load("out/metric.index").verdict_ is not None
    assert "<code>referenceless sample</code>" in read("out/advice.html")
    line = f"report outputs.txt outputs.txt --n-samples 50 -o {folder / 'page.html'} --advice"
    done(f"{line} out")
    assert "<h1>BLEU Neighbors: 2 systems" in read("page.html")
    assert "names no metric" in invoke(f"{line} page.html").output
    Path("none").mkdir()
    Path("bytes").write_bytes(b"\xff")
    for place in ("none", "bytes"):
        assert "there is no page that `referenceless advise`" in str(invoke(f"{line} {place}").exception)
    assert "absent: there is no such file or folder" in str(invoke(f"{line} absent").exception)
    write("lists.jsonl", json.dumps({"candidates": example_candidates()[:3]}))
    for command in (
        "score outputs.txt",
        "compare outputs.txt outputs.txt --n-samples 20",
        "rerank lists.jsonl",
        "compare outputs.txt outputs.txt --unpaired",
        "cite",
    ):
        assert "pool:96." in done(f"{command} --advice out").output
    twice = " ".join(typed("score outputs.txt --advice out --text-column a --text-column b", 2).err.split())
    assert "score outputs.txt --advice out --text-column a`" in twice
    twice = " ".join(typed("score outputs.txt --advice out --pool pool.csv", 2).err.split())
    assert "--pool takes one value, and --advice FOLDER brings one: leave out one of them" in twice
    refusal = invoke("human-score pool.csv --ratings pool.csv --advice out").exception
    assert "learned from 96 of the rated outputs" in str(refusal)
    pytest.importorskip("fastapi")
    served = []
    monkeypatch.setattr(
        serve, "_server", lambda _, service, *place, **how: SimpleNamespace(run=lambda: served.append(service))
    )
    verdict = done("serve --advice out").stderr.splitlines()[1]
    assert verdict == BLEUNeighbors.load("out/metric.index").verdict_.summary
    assert served[0].title == "bleu_neighbors"


@pytest.mark.parametrize("grouped", [False, True])
def test_advise_and_calibrate_say_one_number_in_every_form(folder, grouped):
    names = ["ab"[place % 2] for place in range(len(POOL.texts))]
    write_table("pool.csv", ("text", "rating", "system"), zip(POOL.texts, POOL.ratings, names, strict=True))
    systems = "--system-column system" if grouped else ""
    advise_line = f"advise pool.csv --no-quality-estimator {systems}"
    advised, shown = as_json(advise_line), done(f"{advise_line} -o out").stdout
    rated = replace(POOL, groupings={SYSTEMS: tuple(names)} if grouped else {})
    advice = ADVICE(rated)
    calibration = calibrate(advice.metric, rated)
    rho, alone = advice.expected, calibration.spearman
    assert advised["expected_spearman"] == rho.value <= alone.value  # the choice may cost some ρ
    assert advised["verdict"] == advice.verdict == calibration.verdict
    calibrated, table = as_json(f"calibrate pool.csv {systems}"), done(f"calibrate pool.csv {systems}").stdout
    prefix = {TEXTS: "", NEAR_COPIES: "near_copy_", SYSTEMS: "system_"}[calibration.assessment.strictest]
    assert calibrated["rows"][0][f"{prefix}spearman_corrected"] == alone.value
    assert calibrated["verdict"] == advised["verdict"]
    expected, measured = (f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" for one in (rho, alone))
    for output in (shown, "\n".join(advice.findings), html.unescape(read("out/advice.html"))):
        assert f"expect ρ {expected}" in output.replace("\u2212", "-")  # a page has true minus signs
        assert rho == alone or f"in all of them it is {measured}" in output
    assert f"(ρ {measured}" in table
    for below in (shown, table):  # the meaning of the corrected ρ stands at both tables
        assert f"{CORRECTED_TOLD}." in below
    last_left_out = list(advice.assessment.agreements)[-1]
    assert f"of the ways that learn is the one with the highest ρ over all texts, {last_left_out} left out" in shown
    (ways,) = (line for line in table.splitlines() if line.startswith("Spearman, corrected  "))
    texts = calibration.leave_one_out.corrected
    last = f"{alone.value:.3f} [{alone.low:.3f}, {alone.high:.3f}]"
    assert ways.index(f"{texts.value:.3f}") <= ways.index(last)  # the strictest way is the last column
    kept = done("calibrate out/metric.index").stdout  # the findings, with the choice and systems
    assert f"(ρ {expected}" in kept
    assert advice.verdict in kept.splitlines()[0]
    gain = pool_learning_curve(advice.metric).gain
    curve = as_json("calibrate pool.csv --learning-curve")
    assert advised["gain_of_last_doubling"] == curve["gain_of_last_doubling"] == pytest.approx(gain)
    for output in (shown, "\n".join(curve["findings"]), "\n".join(advised["findings"])):
        assert f"The last doubling brought {gain:+.3f}" in output


def test_sources_make_texts_with_the_same_slots_one():
    from quality_estimation_metric import QualityEstimator
    from quality_estimation_metric.example import RATINGS, SOURCES
    from quality_estimation_metric.example import TEXTS as RATED

    rated = RatedTexts(list(RATED), np.array(RATINGS, dtype=float), sources=list(SOURCES))
    advice = advise(rated)
    assert [each.name for each in advice.candidates][-1] == "quality estimator"
    assert advice.assessment.strictest == SLOTTED
    fitted = QualityEstimator().fit(RATED, RATINGS, SOURCES).verdict_
    assert fitted == advice.assessments[-1].verdict  # one number, whichever command measures it


def test_no_green_mark_over_systems_without_ratings(folder):
    texts = [f"{word} {rest}" for word in ("good", "bad", "fair", "odd") for rest in POOL.texts]
    ratings = [1.0 - 0.3 * ("good", "bad", "fair", "odd").index(text.split()[0]) for text in texts]
    write_table("pool.csv", ("text", "rating"), zip(texts, ratings, strict=True))
    write("a.txt", texts[:20])
    write("b.txt", texts[100:120])
    assert "Useful for the rated systems alone: " in done("advise pool.csv --no-quality-estimator -o out").stdout
    done("report a.txt b.txt --n-samples 20 --advice out -o page.html")
    assert (
        "kept 18 of 20 texts, dropped 2 (0 by the limit"
        in done("filter a.txt --advice out --keep 'bleu_neighbors > -9' -o kept.txt").stderr
    )
    for page in ("page.html", "out/advice.html"):
        assert 'class="badge weak"' in read(page)
        assert 'class="badge useful"' not in read(page)


def test_a_file_in_place_of_the_folder_is_refused_with_the_call_that_writes_one(folder):
    write_table("pool.csv", ("text", "rating"), [("a text", 1.0)])
    found = invoke("advise pool.csv --format csv -o advice.csv")
    assert "referenceless advise pool.csv --format csv > advice.csv" in str(found.exception)
    assert not (folder / "advice.csv").exists()


def test_the_table_for_a_paper_has_its_texts_its_method_and_the_signature(folder):
    write_example_files(folder)
    line = "advise pool.csv --no-quality-estimator -f"
    shown = done(f"{line} latex").stdout
    caption = next(part for part in shown.splitlines() if part.startswith(r"\caption{"))
    assert "96 texts with 96 ratings, each left out. Spearman, corrected: the rank correlation" in caption
    assert r"\toprule" in shown
    assert r"pool:96." in shown.replace("\\allowbreak{}", "").replace(r"\textbar{}", "|")
    told = done(f"{line} markdown").stdout
    assert "| candidate | chosen | Spearman, corrected | of near copies | coverage |" in told
    assert "Signature of BLEU Neighbors: kernel:bleu" in told
