"""Gates: the status says whether something got worse, and equal systems seldom fail."""

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
import toy_metrics
from command_lines import typed
from numpy.random import default_rng
from scipy import stats
from text_files import read, write, write_table

from referenceless_metrics.cli import cli
from referenceless_metrics.command_line.running import run
from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
from referenceless_metrics.human_evaluation.commands.gates import one_sided


@pytest.fixture(autouse=True)
def files(folder):
    rng = default_rng(0)
    texts = [f"the {size} cat sat on the {place} ." for size in ("big", "small", "old") for place in ("mat", "sofa")]
    write("good.txt", texts * 4)
    write("bad.txt", [" ".join(rng.permutation(text.split())) for text in texts * 4])
    judged = [
        (item, system, rater, 2 + 2 * shift + (item * item + shift * (item // 3) + len(rater) * item) % 3)
        for item in range(20)
        for system, shift in (("good.txt", 1), ("bad.txt", 0))
        for rater in ("ann", "bert")
    ]
    write_table("ratings.csv", ("item", "system", "rater", "rating"), judged)
    write_table("alone.csv", ("item", "system", "rater", "rating"), [row for row in judged if row[1] == "good.txt"])
    write_table(
        "scores.csv",
        ("item", "system", "score"),
        [(i, s, 2 + (i % 5) - (s == "bad") * (i % 3)) for i in range(40) for s in ("good", "bad")],
    )
    preferred = [(item, "good.txt", "bad.txt", "a" if item % 8 else "b", "ann") for item in range(40)]
    write_table("preferences.csv", ("item", "system_a", "system_b", "preference", "rater"), preferred)


@pytest.mark.parametrize(
    "line, status, told",
    [
        ("compare good.txt bad.txt --metric slor", 1, "bad: worse: The mean SLOR of bad less that of good"),
        ("compare bad.txt good.txt --metric slor", 0, "good: not worse, for it is shown to be better"),
        ("compare good.txt good.txt --metric slor --margin 0.1", 0, "not worse by 0.1"),
        ("compare good.txt bad.txt --metric slor --margin 3.6", 3, "cannot be told whether it is worse by 3.6"),
        ("compare good.txt bad.txt --metric slor --margin 0.1", 1, "worse by more than 0.1"),
        ("compare --scores scores.csv --score-column score --scale 0-6", 1, "bad (score): worse: The mean score"),
        ("human-score --ratings ratings.csv --scale 1-7", 1, "bad.txt: worse: The mean rating"),
        (
            "human-score --ratings ratings.csv --baseline bad.txt",
            0,
            "good.txt: not worse, for it is shown to be better",
        ),
        (
            "human-score --ratings preferences.csv",
            1,
            ": The win rate of bad.txt less one half is -0.375,",
        ),
        ("human-score --ratings alone.csv", 3, "there is none to compare with the baseline"),
    ],
)
def test_a_system_that_got_worse(line, status, told):
    err = typed(f"{line} --fail-if-worse", status).err
    assert told in err
    if line.startswith("compare g"):
        assert "A lower SLOR is no finding about people" in err
    assert "people rate" not in err


@pytest.mark.parametrize(
    "file, least, status, told",
    [
        ("good.txt", -9, 0, ""),
        ("good.txt", 9, 1, "is below 9 (--fail-under)"),
        ("nothing.txt", -9, 3, "cannot be told whether the mean of slor is at least -9"),
    ],
)
def test_a_mean_that_is_too_low(file, least, status, told):
    write("nothing.txt", ["", ""])
    for format in ("table", "csv", "json"):
        out, err = typed(f"score {file} --metric slor --fail-under {least} --format {format}", status)
        assert out
        assert told in err


@pytest.mark.parametrize("more", ["", " --worst 3"])
@pytest.mark.parametrize("least, status", [(-9, 0), (9, 1)])
def test_the_verdict_on_a_mean_stands_in_every_output(least, status, more):
    line = f"score good.txt --metric slor --fail-under {least}{more}"
    than = f"{'is below' if status else 'is at least'} {least} (--fail-under); exit status {status}"
    for format in ("table", "html", "latex"):
        assert than in html.unescape(typed(f"{line} -f {format}", status).out).replace("−", "-")
    done = typed(f"{line} -f json", status)
    gate = json.loads(done.out)["gate"]
    assert gate["status"] == status
    assert (gate["finding"] in done.err) == (status == 1)


def test_a_mean_of_few_texts_passes_no_gate():
    """An empty output has no value: five good ones of fifty say nothing of a model that collapsed."""
    write("collapsed.txt", ["the big cat sat on the mat ."] * 5 + [""] * 45)
    line = "score collapsed.txt --metric slor --fail-under -9"
    told = "only 5 of 50 texts have a value (45 empty text), and --min-coverage is 0.5"
    for format in ("table", "csv"):
        assert told in typed(f"{line} --format {format}", 3).err
    assert "cannot be told" not in typed(f"{line} --min-coverage 0.1", 0).err
    assert (
        "is below 9 (--fail-under); 5 of 50 texts have a value"
        in typed("score collapsed.txt --metric slor --fail-under 9 --min-coverage 0", 1).err
    )
    err = typed("score good.txt --metric slor --min-coverage 0.9", 2).err
    assert "--min-coverage is of a gate: add --fail-under VALUE" in err


def test_the_metrics_beside_the_first_are_gated_too_but_by_no_margin():
    """Fluent outputs of other inputs: only BLEU and TER, of which lower is better, tell that they are worse."""
    texts = Path("good.txt").read_text().splitlines()
    write("fluent.txt", texts[1:] + texts[:1])
    line = "compare good.txt fluent.txt --metric slor --references good.txt --with bleu,ter --n-samples 200"
    found = typed(f"{line} --fail-if-worse", 1)
    assert "By TER (lower is better), fluent is higher than good." in found.out
    for told in (
        "fluent (BLEU): worse: BLEU of fluent less that of good is -",
        "fluent (TER): worse: TER of fluent less that of good, of which lower is better, is +",
    ):
        assert told in found.err
    assert "fluent (SLOR): worse" not in found.err
    err = typed(f"{line} --fail-if-worse --margin 9", 0).err
    assert "This verdict is by SLOR alone, in whose unit --margin is, and not by BLEU and TER. A lower SLOR is" in err
    # A further metric has the interval of its own mean.
    err = typed("compare good.txt bad.txt --metric slor --metric wpslor --fail-if-worse", 1).err
    assert re.search(
        r"bad \(WPSLOR\): worse: The mean WPSLOR of bad less .* after Bonferroni's correction for 2 diff", err
    )


@pytest.mark.parametrize("line", ["good.txt blank.txt --metric slor", "--scores blank.csv"])
def test_a_system_without_any_value_cannot_be_told(line):
    write("blank.txt", [""] * 24)
    scored = [(i, s, 2 if s == "good" else "") for i in range(24) for s in ("good", "blank")]
    write_table("blank.csv", ("item", "system", "score"), scored)
    err = typed(f"compare {line} --fail-if-worse", 3).err
    assert "cannot be told whether a system is worse: " in err
    typed(f"compare {line}", 1)


def test_a_bound_above_0_shows_that_a_system_is_not_worse():
    """The finding's test is two-sided, and shows no difference; the one-sided bound lies above 0."""
    rows = [(i, s, 3 + (s == "ours") * (0.09 + (-1) ** i)) for i in range(400) for s in ("base", "ours")]
    write_table("up.csv", ("item", "system", "score"), rows)
    done = typed("compare --scores up.csv --scale 0-6 --fail-if-worse", 0)
    assert "no difference is shown" in done.out
    assert "ours (score): not worse, for both bounds are above 0: " in done.err


def write_emptied(n: int, name: str = "emptied.txt", of: str = "good.txt") -> None:
    """Write the texts of a file with the first n of them empty."""
    texts = Path(of).read_text().splitlines()
    write(name, [""] * n + texts[n:])


@pytest.mark.parametrize(
    "n_empty, more, status, told",
    [
        (
            13,
            "",
            3,
            "emptied has no value of SLOR for 13 of 24 segments for which good has one (p = 0.0001, one-sided)",
        ),
        (13, "", 3, "; only 11 of 24 segments have a value of both (emptied 11, good 24), and --min-coverage is 0.5"),
        (8, "", 3, "emptied has no value of SLOR for 8 of 24 segments for which good has one (p = 0.0039, one-sided)"),
        (8, "--margin 0.5", 3, "cannot be told whether it is worse: emptied has no value of SLOR for 8"),
        (8, "--min-coverage 0", 0, "+0; 16 of 24 segments have a value of both (emptied 16, good 24)"),
        (4, "", 0, "+0; 20 of 24 segments have a value of both (emptied 20, good 24)"),
        (4, "--min-coverage 0.9", 3, "only 20 of 24 segments have a value of both"),
    ],
)
def test_a_system_with_fewer_values_than_the_baseline_does_not_pass(n_empty, more, status, told):
    write_emptied(n_empty)
    done = typed(f"compare good.txt emptied.txt --metric slor --fail-if-worse {more}", status)
    assert told in done.err
    # The finding says the same: its test is two-sided.
    assert ("which the means leave out" in done.out) == (n_empty >= 8)


def test_coverage_hides_no_loss_and_blocks_no_repair():
    write_emptied(8, "worse.txt", of="bad.txt")
    err = typed("compare good.txt worse.txt --metric slor --fail-if-worse --n-samples 10000", 1).err
    assert re.search(r"one-sided p < 0\.0001 \(two-sided, in the table: p [<=] 0\.000\d\); 16 of 24 segments have", err)
    assert "16 of 24 segments have a value of both (worse 16, good 24)" in err
    write_emptied(8)
    done = typed("compare emptied.txt good.txt --metric slor --fail-if-worse", 0)
    assert (
        "emptied has no value of SLOR for 8 of 24 segments for which good has one (McNemar's exact test, p = 0.0078)"
        in done.out
    )
    # A better mean of what is left is no better system.
    write_emptied(8, of="good.txt")
    done = typed("compare bad.txt emptied.txt --metric slor --fail-if-worse", 3)
    assert "for it is shown to be better" in done.err
    assert "cannot be told whether it is worse: emptied has no value of SLOR for 8" in done.err
    # A third system that collapsed takes the segments from the comparison of the others.
    write_emptied(20, "third.txt")
    write_emptied(0, "same.txt")
    err = typed("compare good.txt same.txt third.txt --metric slor --fail-if-worse", 3).err
    assert "only 4 of 24 segments have a value of all systems" in err


def test_missing_scores_are_values_that_lack():
    rows = [(i, s, "" if s == "ours" and i < 12 else 1 + i % 5) for i in range(40) for s in ("base", "ours")]
    write_table("missing.csv", ("item", "system", "score"), rows)
    line = "compare --scores missing.csv --scale 1-5 --fail-if-worse"
    done = typed(line, 3)
    assert (
        "ours has no score for 12 of 40 items for which base has one (McNemar's exact test, p = 0.0005), which"
        in done.out
    )
    assert "ours has no score for 12 of 40 items for which base has one (p = 0.0002, one-sided)" in done.err
    assert "28 of 40 items have a value of both (ours 28, base 40)" in typed(f"{line} --min-coverage 0", 0).err
    assert "only 28 of 40 items" in typed(f"{line} --min-coverage 0.9", 3).err
    err = typed("compare --scores missing.csv --min-coverage 0.9", 2).err
    assert "--min-coverage is of a gate: add --fail-if-worse" in err
    err = typed("compare good.txt bad.txt --min-coverage 0.9", 2).err
    assert "--min-coverage of outputs is that of their gate: add --fail-if-worse" in err


def test_outputs_that_raters_left_out_are_values_that_lack():
    rows = [(i, s, "" if s == "ours" and i < 12 else 2 + i % 3) for i in range(40) for s in ("base", "ours")]
    write_table("left.csv", ("item", "system", "rating"), rows)
    line = "human-score --ratings left.csv --scale 1-5 --fail-if-worse"
    assert "ours has no rating for 12 of 40 items for which base has one" in typed(line, 3).err
    assert "28 of 40 items have a value of both" in typed(f"{line} --min-coverage 0", 0).err
    assert "--min-coverage is of a gate" in typed(f"{line.removesuffix(' --fail-if-worse')} --min-coverage 0", 2).err
    # Those of one document are one failure.
    write_table("documents.csv", ("item", "system", "document", "rating"), [(i, s, i // 12, v) for i, s, v in rows])
    told = typed(f"{line.replace('left', 'documents')} --cluster-column document", 0).err
    assert "28 of 40 items have a value of both" in told
    # Outputs without a row were not drawn.
    write_table("drawn.csv", ("item", "system", "rating"), [row for row in rows if row[2] != ""])
    assert "cannot be told" not in typed(line.replace("left", "drawn"), 0).err


def test_a_verdict_names_its_one_sided_test():
    """The finding's test is two-sided: between the two lie losses that only the gate shows."""
    draw = default_rng(3)
    losses = draw.normal(0, 1, 400)
    losses += 1.8 * losses.std(ddof=1) / 400**0.5 - losses.mean()
    rows = [
        (i, s, 5 + i % 3 - (s == "ours") * loss) for i, loss in enumerate(losses.tolist()) for s in ("base", "ours")
    ]
    write_table("between.csv", ("item", "system", "score"), rows)
    done = typed("compare --scores between.csv --fail-if-worse", 1)
    assert "no difference is shown between ours and base" in done.out
    assert "; the finding's test is two-sided, and shows no difference" in done.err
    told = re.search(r"one-sided p = (\S+) \(two-sided, in the table, skewness not taken out: p = (\S+)\);", done.err)
    p, two_sided = map(float, told.groups())
    assert two_sided == pytest.approx(2 * stats.t.sf(1.8, 399), abs=1e-4)
    assert abs(p - stats.t.sf(1.8, 399)) < 0.005  # but for the skewness, which the gate takes out


def test_a_verdict_says_what_it_rests_on():
    """Bounds of several differences are simultaneous, and the two-sided p of the table stands beside the verdict's."""
    line = "compare good.txt bad.txt --metric slor --n-samples 200 --fail-if-worse"
    alone = typed(line, 1).err
    assert "is -" in alone
    assert ", one-sided 95% bounds" in alone
    assert re.search(r"one-sided p < 0\.0001 \(two-sided, in the table: p ≤ 0\.005\d*\)", alone)
    write("worst.txt", ["cat the the"] * 24)
    both = typed(line.replace("bad.txt", "bad.txt worst.txt"), 1).err
    assert both.count("simultaneous one-sided (Bonferroni over 2) 95% bounds") == 2


def test_a_verdict_by_a_metric_of_no_worth_says_so():
    """Ratings that are drawn at random: the estimates are no better than their mean, and the gate says so."""
    rng = default_rng(1)
    words = np.array("the cat dog sat ran on by a mat house old big new red".split())
    rows = [(" ".join(rng.permutation(words)[:7]), int(rng.integers(1, 6))) for _ in range(48)]
    write_table("pool.csv", ("text", "rating"), rows)
    warning = r"warning: from leaving rated texts out, the verdict on estimates of BLEUNeighbors is: no better than the"
    pool = "--metric bleu_neighbors --pool pool.csv"
    assert warning in typed(f"compare good.txt good.txt {pool} --n-samples 20 --fail-if-worse", 3).err
    assert "warning: from leaving" not in typed("compare good.txt good.txt --metric slor --fail-if-worse").err
    err = typed(f"score good.txt {pool} --fail-under 9 --min-coverage 0", 1).err
    assert warning in err.replace("bleu_neighbors is:", "BLEUNeighbors is:")


@pytest.mark.parametrize("n, draws", [(15, 30), pytest.param(15, 1000, marks=pytest.mark.long)])
def test_equal_systems_fail_in_one_of_twenty(n, draws):
    """Two systems whose items have a common difficulty and errors of one kind, at the one-sided level of .95."""
    rng = default_rng(n)
    failed = 0
    for _ in range(draws):
        difficulty = rng.normal(0, 1, n)
        systems = [(name, [str(value) for value in difficulty + rng.exponential(0.5, n)]) for name in "ab"]
        mean = compare_systems(systems, SacrebleuAdapter(toy_metrics.Given()), n_samples=1).rows[1].difference
        failed += mean.interval(one_sided(0.95, 1))[1] < 0
    assert failed / draws <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / draws)


def write_differences(differences: list[float], spread: float = 1.0) -> str:
    """Write scores of two systems with these differences, and return the command that gates them."""
    rows = [
        (i, name, 1 + spread * (i % 7) + d * (name == "ours"))
        for i, d in enumerate(differences)
        for name in ("base", "ours")
    ]
    write_table("differences.csv", ("item", "system", "score"), rows)
    return "compare --scores differences.csv --baseline base --fail-if-worse"


def test_no_verdict_rests_on_a_mean_that_is_skewed_by_a_few_items():
    losses = ([-0.2, -0.3, -0.1, -0.25, -0.15] * 8)[:39]
    line = write_differences([*losses, 0.6])
    line += " --scale 0-8"
    for margin in ("", " --margin 0.001"):
        err = typed(line + margin, 3).err
        assert "that a verdict takes about 269 items or clusters like these, and here are 40" in err
    line = write_differences([0.002, -0.001] * 20 + [-0.1])
    assert "items or clusters like these" in typed(f"{line} --scale 0-8 --margin 0.05", 3).err
    assert "not shown to be worse" in typed(line, 0).err


def test_own_failures_are_found():
    """Nine failures of sixty skew the mean away from its upper bound: a verdict takes fewer items."""
    line = write_differences([0.1, -0.1] * 25 + [-1.0] * 9, spread=0.02)
    assert "ours (score): worse: " in typed(line, 1).err


def test_without_the_ends_of_the_scale_few_items_give_no_verdict():
    line = write_differences([-2.0, -2.1, -1.9] * 10)
    err = typed(line, 3).err
    assert "nobody named the ends of the scale (--scale LOW-HIGH)" in err
    assert "cannot be told whether it is worse, though the finding shows that it is worse: " in err
    proposed = re.search(
        r"(--scale=\S+), if you count on all scores to lie there, a verdict takes about (\d+), and without ends 59",
        err,
    )
    assert proposed is not None
    assert int(proposed[2]) <= 30
    assert "ours (score): worse: " in typed(f"{line} {proposed[1]}", 1).err
    assert "ours (score): worse: " in typed(f"{line} --scale -2-8", 1).err
    assert "a verdict takes about 47 " in typed(f"{line} --scale -20-12", 3).err
    small = write_differences([-0.2, -0.21, -0.19] * 10)
    told = re.search(
        "a verdict takes 59, and fewer only with ends less than about ([0-9.]+) apart", typed(small, 3).err
    )
    assert float(told[1]) == pytest.approx(0.2 / (1 - 0.05 ** (1 / 30)), abs=0.06)  # the rule of three


def test_few_items_give_no_verdict():
    line = write_differences([-0.5, -0.6, -0.4] * 4)
    assert "is of 12 items or clusters, and 20 are needed" in typed(line, 3).err


def test_a_small_loss_on_nearly_all_items_is_no_verdict_if_few_items_may_gain_much():
    rows = [
        (i, name, 0.9 - (0.05 + 0.002 * (i % 3)) * (name == "ours")) for i in range(20) for name in ("base", "ours")
    ]
    write_table("near.csv", ("item", "system", "score"), rows)
    line = "compare --scores near.csv --baseline base --fail-if-worse"
    err = typed(line, 3).err
    assert (
        "kinds of items that 20 items or clusters miss may move the mean by 0.139, and a verdict takes about 57" in err
    )
    assert "scores seem to lie from 0 to 1; --scale LOW-HIGH says otherwise" in err
    assert "ours (score): worse: " in typed(f"{line} --scale 0.8-1", 1).err
    assert "a score of 'score' is 0.85, which lies outside" in typed(f"{line} --scale 0.88-1", 2).err


def document_scores(better: float, documents: int = 8) -> str:
    """Write scores of two systems on items in documents, and return the command that gates them."""
    rows = [
        (i, s, i // 5, round(0.5 + 0.01 * (i % 5) + (s == "ours") * (better + 0.003 * (i // 5 % 3)), 4))
        for i in range(5 * documents)
        for s in ("base", "ours")
    ]
    write_table("documents.csv", ("item", "system", "document", "score"), rows)
    return "compare --scores documents.csv --baseline base --cluster-column document --fail-if-worse"


@pytest.mark.parametrize("more", ["", "--margin 0.01", "--scale 0-1"])
def test_a_gate_never_contradicts_the_finding_that_a_system_is_better(more):
    done = typed(f"{document_scores(0.1)} {more}", 0)
    assert "ours scores higher than base at 95 %" in done.out
    assert "ours (score): not worse" in done.err
    assert "for it is shown to be better" in done.err
    if "--margin" in more:
        assert "no verdict" not in done.out


def test_too_few_clusters_are_told_with_their_number_whatever_the_finding():
    for difference, finding in ((-0.1, "ours scores lower than base"), (-0.003, "ours is not shown to differ")):
        done = typed(document_scores(difference), 3)
        assert finding in done.out
        assert "is of 8 items or clusters, and 20 are needed" in done.err
        assert ("though the finding shows that it is worse" in done.err) == (difference == -0.1)
    assert "both have scores of fewer than 5 items or clusters" in typed(document_scores(0.1, 3), 3).err
    help = typed("compare --help-all", 0).out
    assert "(below 10 segments in `compare` by a metric, 20 items or clusters in all else, say)" in " ".join(
        help.split()
    )


def test_a_gate_on_people_passes_what_they_are_shown_to_prefer():
    rated = [(i, name, 3 + i % 2 + (name == "ours") * (i % 3)) for i in range(12) for name in ("base", "ours")]
    write_table("rated.csv", ("item", "system", "rating"), rated)
    done = typed("human-score --ratings rated.csv --baseline base --fail-if-worse --margin 0.1", 0)
    assert "ours: not worse by 0.1, for it is shown to be better" in done.err
    preferred = [(item, "ours", "base", "a" if item else "b", "ann") for item in range(12)]
    write_table("few.csv", ("item", "system_a", "system_b", "preference", "rater"), preferred)
    done = typed("human-score --ratings few.csv --baseline base --fail-if-worse --margin 0.01", 0)
    assert "ours: not worse by 0.01, for it is shown to be better" in done.err


def test_few_segments_are_told_with_their_number():
    write("short.txt", ["the cat sat ."] * 6)
    write("other.txt", ["cat the sat ."] * 6)
    err = typed("compare short.txt other.txt --metric slor --fail-if-worse", 3).err
    assert "has no interval: it is of 6 segments, and 10 are needed" in err


def test_ratings_have_the_bounds_that_scores_have():
    for n, status, told in ((15, 3, "is of 15 items or clusters, and 20 are needed"), (40, 1, "ours: worse: ")):
        rated = [(i, name, 4 + i % 2 - (name == "ours") * (i % 3)) for i in range(n) for name in ("base", "ours")]
        write_table("rated.csv", ("item", "system", "rating"), rated)
        line = "human-score --ratings rated.csv --scale 1-5 --baseline base --fail-if-worse"
        assert told in typed(line, status).err
    losses = [
        (i, name, 4.5 - (0.1 + 0.01 * (i % 2)) * (name == "ours")) for i in range(40) for name in ("base", "ours")
    ]
    write_table("rated.csv", ("item", "system", "rating"), losses)
    assert "(scores lie from 1 to 5)" in typed(line, 3).err


@pytest.mark.parametrize(
    "line",
    [
        "compare --scores missing.csv --fail-if-worse",
        "compare --scores scores.csv --system-column nobody --fail-if-worse",
        "compare good.txt missing.txt --metric slor --fail-if-worse",
        "human-score --ratings scores.csv --rating-column nothing --fail-if-worse",
        "score missing.txt --metric slor --fail-under=0",
    ],
)
def test_an_error_is_no_verdict(line):
    assert "rror: " in typed(line, 2).err


@pytest.mark.parametrize("line, status", [("demo", 1), ("compare --scores scores.csv --fail-if-worse", 2)])
def test_a_fault_of_the_program_is_no_verdict(line, status, monkeypatch, capsys):
    def broken(**_):
        raise AssertionError("a fault")

    monkeypatch.setattr(cli, "main", broken)
    if status == 1:  # Python shows the traceback, and leaves with 1
        with pytest.raises(AssertionError):
            run(cli, line.split())
        return
    with pytest.raises(SystemExit) as stop:
        run(cli, line.split())
    assert stop.value.code == status
    assert "AssertionError: a fault" in capsys.readouterr().err


def test_a_table_has_a_dash_where_there_is_no_verdict_on_the_margin():
    rows = [(i, s, i // 5, 0.5 + 0.01 * (i % 5) + 0.1 * (s == "b")) for i in range(40) for s in "ab"]
    write_table("few.csv", ("item", "system", "document", "score"), rows)
    line = "compare --scores few.csv --cluster-column document --fail-if-worse --margin 0.01"
    out = typed(line, 3).out
    assert "False" not in out
    *_, row = [line for line in out.splitlines() if line.startswith("b  ")]
    assert row.endswith("–")


def write_between():
    """Write scores of which only a one-sided test shows a loss, and return the command that gates them."""
    draw = default_rng(3)
    losses = draw.normal(0, 1, 400)
    losses += 1.8 * losses.std(ddof=1) / 400**0.5 - losses.mean()
    rows = [
        (i, s, 5 + i % 3 - (s == "ours") * loss) for i, loss in enumerate(losses.tolist()) for s in ("base", "ours")
    ]
    write_table("between.csv", ("item", "system", "score"), rows)
    return "compare --scores between.csv"


@pytest.mark.parametrize("format", ["table", "json", "html", "markdown", "latex"])
def test_a_verdict_stands_in_every_output(format):
    """Beside a finding that shows no difference, and with the reason why the two differ."""
    done = typed(f"{write_between()} --fail-if-worse --format {format}", 1)
    out = html.unescape(done.out)
    assert "no difference is shown between ours and base" in out
    told = "By the one-sided test of the gate ours (score) is worse, though the two-sided one shows no difference: exit"
    assert f"{told} status 1." in out
    verdict = done.err.splitlines()[-2]
    assert verdict.startswith("ours (score): worse: ")
    assert f"Gate: {verdict}" in out.replace("−", "-").replace("\\%", "%")
    assert "gate" not in typed(f"{write_between()} --format {format}").out.lower().replace("--fail-if-worse", "")


@pytest.mark.parametrize(
    "line, status, verdict",
    [
        ("compare good.txt bad.txt --metric slor", 1, "worse"),
        ("compare good.txt bad.txt --metric slor --margin 3.6", 3, "cannot be told"),
        ("compare good.txt good.txt --metric slor", 0, "not shown to be worse"),
        ("compare good.txt bad.txt --metric slor --unpaired --scale=-9-9", 1, "worse"),
        ("compare good.txt bad.txt --metric slor --bad '<1' --margin 0.5", 1, "worse"),
        ("human-score --ratings ratings.csv --scale 1-7", 1, "worse"),
        ("human-score --ratings alone.csv", 3, "cannot be told"),
        ("human-score --ratings preferences.csv", 1, "worse"),
    ],
)
def test_the_verdict_of_each_command_is_data_and_on_its_page(line, status, verdict):
    done = typed(f"{line} --fail-if-worse --format json", status)
    gate = json.loads(done.out)["gate"]
    assert (gate["status"], gate["verdict"]) == (status, verdict)
    assert gate["verdicts"][0]["finding"] in done.err
    if status == 1:
        assert 0 <= gate["verdicts"][0]["p_one_sided"] < 0.05
    typed(f"{line} --fail-if-worse -o page.html", status)
    page = html.unescape(read("page.html")).replace("−", "-")
    assert f"exit status {status}." in page
    assert f"Gate: {done.err.splitlines()[-1]}" in page


def test_rows_alone_have_one_verdict_beside_them():
    done = typed(f"{write_between()} --fail-if-worse --format csv", 1)
    assert done.err.count("ours (score): worse") == 1
    assert "gate" not in done.out


def test_a_difference_has_one_sign_in_the_table_and_in_the_verdict():
    """Of figures of which lower is better, too: the system's less the baseline's."""
    rows = [(i, s, (2 if s == "ours" else 3) - i % 2) for i in range(80) for s in ("base", "ours")]
    write_table("bad.csv", ("item", "system", "score"), rows)
    done = typed("compare --scores bad.csv --score-column score --bad '<=1' --fail-if-worse --format json", 1)
    (difference,) = [row["difference"] for row in json.loads(done.out)["rows"] if row["difference"] is not None]
    assert difference == 0.5
    assert "The share of ours (share with score <= 1) less that of base, of which lower is better, is +0.5" in done.err
    done = typed("compare --scores bad.csv --score-column score --bad '<=1' --baseline ours --fail-if-worse", 0)
    assert "less that of ours, of which lower is better, is -0.5" in done.err
