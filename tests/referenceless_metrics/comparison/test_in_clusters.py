"""Outputs in documents: the figures of scores in clusters, and sacrebleu's metrics on whole clusters."""

import json
from pathlib import Path

import numpy as np
import pytest
import toy_metrics
from command_lines import done, typed
from numpy.random import default_rng
from text_files import read, write, write_table

from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.output import render_comparison
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
from referenceless_metrics.human_evaluation.inference.estimated_means import holm, holm_levels

NAME = toy_metrics.Given().name
WORDS = "the small grey cat sat on a warm mat and saw one red bird".split()


def values_in(n_clusters, size=4, gain=0.5, seed=0):
    """Two systems' values, whose differences vary with the document."""
    rng = default_rng(seed)
    clusters = np.repeat(np.arange(n_clusters), size)
    base = rng.normal(0, 1, n_clusters * size)
    ours = base + gain + rng.normal(0, 0.3, n_clusters)[clusters] + rng.normal(0, 0.1, n_clusters * size)
    return clusters, base, ours


def compared(clusters, base, ours, **test):
    systems = [("base", list(map(str, base))), ("ours", list(map(str, ours)))]
    return compare_systems(systems, SacrebleuAdapter(toy_metrics.Given()), n_samples=20, clusters=clusters, **test)


@pytest.fixture
def table(folder):
    """Write outputs of two systems in documents, whose segments are numbered anew."""
    rng = default_rng(1)
    rows = []
    for document in range(8):
        for segment in range(4):
            good = WORDS[(document + segment) % 3 :][:10]
            bad = list(good)
            for _ in range(1 + document % 3):  # a document's outputs are bad alike
                place = rng.integers(len(bad))
                bad.insert(place, bad.pop(rng.integers(len(bad))))
            rows.append((f"d{document}", segment, " ".join(bad[::-1]), " ".join(good)))
    write_table("outputs.csv", ("doc", "seg", "v1", "v2"), rows)
    write("refs.txt", [f"{row[3]} {row[2]}" for row in rows])
    return "compare outputs.csv --text-column v1 --text-column v2 --metric slor"


def test_outputs_in_documents_have_the_figures_of_their_scores(table):
    found = json.loads(typed(f"{table} --cluster-column doc -f json").out)
    assert (found["clusters"], found["n_segments"]) == (8, 32)
    rows = []
    for name in ("v1", "v2"):
        typed(f"score outputs.csv --metric slor --text-column {name} -f csv -o {name}.csv")
        for line in Path(f"{name}.csv").read_text().splitlines()[1:]:
            cells = line.split(",")
            rows.append((cells[0], cells[1], name, cells[4]))
    write_table("scores.csv", ("doc", "seg", "system", "slor"), rows)
    line = "compare --scores scores.csv --score-column slor --item-column seg --cluster-column doc -f json"
    expected = json.loads(typed(line).out)["rows"]
    for ours, theirs in zip(found["rows"], expected, strict=True):
        assert ours["score"] == pytest.approx(theirs["mean"])
        assert (ours["low"], ours["high"]) == pytest.approx((theirs["low"], theirs["high"]))
    difference = found["rows"][1]
    names = ("difference", "difference_low", "difference_high", "p_value")
    assert [difference[name] for name in names] == pytest.approx(
        [expected[1][n] for n in ("difference", "from", "to", "p")]
    )
    alone = json.loads(typed(f"{table} -f json").out)["rows"][1]
    assert difference["difference"] == pytest.approx(alone["difference"])
    assert difference["difference_low"] != pytest.approx(alone["difference_low"], rel=1e-3)


def test_the_output_says_what_the_figures_are_of(table):
    told = typed(f"{table} --cluster-column doc --with chrf --references refs.txt")
    assert "32 segments in 8 clusters; SLOR with the 95% confidence interval of cluster-robust errors" in told.out
    assert "paired t test with cluster-robust errors (no test of chrF2: 8 clusters, and 10 are needed)" in told.out
    assert "8 clusters: fewer than 10 give no interval and no p of chrF2" in told.out
    assert "no difference is tested (8 clusters are too few for a test)" in told.out
    assert "bootstrap" not in told.out
    assert "|clusters:8" in told.out
    assert "there is a column" not in told.err
    assert "shuffles" not in told.out
    assert "|ar:" not in told.out
    assert "Holm" not in told.out
    assert "there is a column 'doc'. If outputs of one document" in typed(table).err


def test_a_paper_names_the_tests_that_were_made_and_no_other(table):
    latex = typed(f"{table} --cluster-column doc --with bleu,chrf --references refs.txt -f latex").out
    caption = latex[: latex.index("Signature")]
    assert "no test of BLEU and chrF2: 8 clusters, and 10 are needed" in caption
    assert "by the paired t test with cluster-robust errors" in caption
    for false in ("shuffles", "Holm", "ar:", "bs:", "resampled"):
        assert false not in latex


def test_p_and_intervals_are_corrected_for_the_tests_that_were_made():
    """Three systems in clusters: the figures are those of the same scores as `compare --scores` corrects them."""
    clusters, base, ours = values_in(8)
    _, _, theirs = values_in(8, gain=0.3, seed=0)
    systems = [("base", base), ("ours", ours), ("theirs", theirs + 0.3 * np.sin(np.arange(32)))]
    outputs = [(name, list(map(str, values))) for name, values in systems]
    found = compare_systems(outputs, SacrebleuAdapter(toy_metrics.Given()), n_samples=20, clusters=clusters)
    differences = [row.difference for row in found.rows[1:]]
    raw = [difference.p_value() for difference in differences]
    levels = holm_levels(raw, 0.95)
    rows = json.loads(render_comparison(found, "json"))["rows"][1:]
    for row, difference, p, level, adjusted in zip(rows, differences, raw, levels, holm(raw), strict=True):
        assert (row["p_value"], row["p_holm"]) == pytest.approx((p, adjusted))
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(difference.interval(level))
        assert (adjusted < 0.05) == (row["difference_low"] > 0)
    shown = render_comparison(found)
    assert "less baseline [interval, Holm's level]" in shown
    assert "* marks p < 0.05 of Given after Holm's correction over 2 comparisons; p is so corrected, too" in shown
    assert p_text(holm(raw)[0]) in shown
    caption = render_comparison(found, "latex")
    by = "the paired t test with cluster-robust errors"
    assert f"; those of differences from base at Holm's level by {by}; p against base by {by}, so corrected;" in caption


def test_the_gate_takes_twenty_clusters(table):
    worse = table.replace("v1 --text-column v2", "v2 --text-column v1")
    told = typed(f"{worse} --cluster-column doc --fail-if-worse", 3).err
    assert "8 items or clusters, and 20 are needed with the ends of the scale (--scale LOW-HIGH), 59 without" in told
    assert "cannot be told whether it is worse, though the finding shows that it is worse: " in told
    told = typed(f"{table} --cluster-column doc --fail-if-worse --margin 0.1", 0).err
    assert "v2: not worse by 0.1, for it is shown to be better" in told
    bounds = [compared(*values_in(n, gain=-0.5)).rows[1].one_sided for n in (8, 30)]
    assert np.isnan(bounds[0].bounds(0.9)).all()
    assert bounds[1].bounds(0.9)[1] < -0.3


def test_a_gate_of_equal_outputs_in_clusters_passes():
    clusters, base, _ = values_in(8)
    row = compared(clusters, base, base).rows[1]
    assert (row.results[NAME].p_value, row.difference.value, row.one_sided.estimate.standard_error) == (
        1.0,
        0.0,
        0.0,
    )


def test_metrics_of_sacrebleu_are_shuffled_by_cluster(table):
    """With a cluster for each segment they are those without clusters; whole documents give a greater p."""
    base = f"{table} --with chrf --references refs.txt --n-samples 500 -f json"
    text = Path("outputs.csv").read_text().splitlines()
    Path("outputs.csv").write_text(
        "\n".join([f"own,half,{text[0]}", *(f"{n},{n // 2},{line}" for n, line in enumerate(text[1:]))])
    )
    lines = (f"{base} {more}" for more in ("", "--cluster-column own", "--cluster-column half"))
    alone, own, half = (json.loads(typed(line).out)["rows"] for line in lines)
    assert [row["metric"] for row in alone] == ["SLOR", "chrF2"] * 2
    assert own[3]["p_value"] == alone[3]["p_value"]
    names = ("score", "low", "high")
    assert [own[1][name] for name in names] == pytest.approx([alone[1][name] for name in names])
    assert half[1]["score"] == alone[1]["score"]
    assert half[1]["low"] != pytest.approx(alone[1]["low"], abs=1e-3)


def test_a_caption_names_the_method_of_each_interval_and_of_p(table):
    """Of sacrebleu's metrics in clusters: resampled clusters, a paired bootstrap, and shuffles."""
    write("halves.txt", [str(n // 2) for n in range(32)])
    line = f"{table.replace('slor', 'chrf')} --references refs.txt --n-samples 500 --cluster-column halves.txt -f latex"
    caption = next(row for row in typed(line).out.splitlines() if r"\caption" in row)
    of_differences = "those of differences from v1 by paired bootstrap (1,000 resamples of clusters)"
    assert f"intervals of scores by resampled clusters; {of_differences}; p against v1 by approximate" in caption
    assert "randomisation (500 shuffles) of whole clusters" in caption


def test_few_clusters_give_no_interval():
    clusters, base, ours = values_in(4)
    found = compared(clusters, base, ours)
    assert found.rows[1].difference is None
    assert found.rows[1].results[NAME].p_value is None
    assert f"4 clusters: fewer than 5 give no interval and no p of {NAME}" in render_comparison(found)
    with pytest.raises(InputError, match="expected the cluster of each of the 16 segments, but got 15"):
        compared(clusters[1:], base, ours)


@pytest.mark.parametrize("clusters", ["", " --cluster-column doc"])
def test_a_file_may_be_standard_input_which_is_read_once(folder, clusters):
    rows = [(n // 2, " ".join(WORDS[n % 3 :])) for n in range(12)]
    write_table("a.csv", ("doc", "text"), rows)
    write_table("b.csv", ("doc", "text"), [(d, " ".join(reversed(text.split()))) for d, text in rows])
    line = f"compare {{}} b.csv --input-format csv --metric slor -f json{clusters}"
    piped = json.loads(done(line.format("-"), input=read("a.csv")).stdout)
    named = json.loads(done(line.format("a.csv")).stdout)
    assert [row["score"] for row in piped["rows"]] == [row["score"] for row in named["rows"]]
    assert piped.get("clusters") == named.get("clusters") == (6 if clusters else None)


def test_clusters_of_a_file_each(folder):
    rows = [(n // 2, " ".join(WORDS[n % 3 :])) for n in range(12)]
    write_table("a.csv", ("doc", "text"), rows)
    write_table("b.csv", ("doc", "text"), [(d, " ".join(reversed(text.split()))) for d, text in rows])
    write_table("c.csv", ("doc", "text"), [(d + n % 2, text) for n, (d, text) in enumerate(rows)])
    write("a.txt", [text for _, text in rows])
    line = "compare a.csv {} --metric slor --cluster-column doc"
    assert "12 segments in 6 clusters" in typed(line.format("b.csv")).out
    assert "12 segments in 6 clusters" in typed(line.format("a.txt")).out
    assert "column 'doc' of c.csv has other clusters than that of a.csv" in typed(line.format("c.csv"), 1).err
    assert (
        "lines of text hold no column 'doc'" in typed("compare a.txt a.txt --metric slor --cluster-column doc", 1).err
    )
    assert (
        "there is no column 'nothing' (--cluster-column)"
        in typed("compare a.csv b.csv --metric slor --cluster-column nothing", 1).err
    )
    assert "there is a column 'doc'" in typed("compare a.csv b.csv --metric slor").err


def test_clusters_may_be_the_lines_of_a_file(folder):
    """The same figures as of a column, whatever the files of the systems are."""
    rows = [(f"d{n // 2}", " ".join(WORDS[n % 3 :])) for n in range(12)]
    other = [(doc, " ".join(reversed(text.split()))) for doc, text in rows]
    write("docs.txt", [doc for doc, _ in rows])
    for name, of_system in (("a", rows), ("b", other)):
        write_table(f"{name}.csv", ("doc", "text"), of_system)
        write(f"{name}.txt", [text for _, text in of_system])
    write_table("all.csv", ("a", "b"), [(text, swapped) for (_, text), (_, swapped) in zip(rows, other, strict=True)])
    stacked = [(system, text) for system, of in (("a", rows), ("b", other)) for _, text in of]
    write_table("long.csv", ("system", "text"), stacked)
    write("twice.txt", [doc for doc, _ in rows * 2])
    line = "compare {} --metric slor -f json --cluster-column {}"
    expected = json.loads(typed(line.format("a.csv b.csv", "doc")).out)["rows"]
    for files, clusters in (
        ("a.txt b.txt", "docs.txt"),
        ("a.csv b.csv", "docs.txt"),
        ("all.csv --text-column a --text-column b", "docs.txt"),
        ("long.csv --system-column system", "twice.txt"),
        ("long.csv --system-column system", "docs.txt"),  # a line per item
    ):
        assert json.loads(typed(line.format(files, clusters)).out)["rows"] == expected
    write("few.txt", ["d1", "d2"])
    assert (
        "few.txt (--cluster-column) has 2 lines, but a.txt has 12"
        in typed(line.format("a.txt b.txt", "few.txt"), 1).err
    )
    err = " ".join(typed(line.format("long.csv --system-column system", "few.txt"), 1).err.split())
    assert "2 lines, but long.csv has 12 items in 24 rows: give 12 lines, one for each item" in err
    write("blank.txt", ["d1", *[""] * 11])
    assert "blank.txt:2: the line is blank" in typed(line.format("a.txt b.txt", "blank.txt"), 1).err
    assert "--cluster-column FILE.txt" in typed(line.format("a.txt b.txt", "nothing"), 1).err


@pytest.mark.parametrize(
    "line, told",
    [
        (
            "a.txt b.txt --metric slor --slice-column doc",
            "--slice-column is read with --scores: score the outputs first",
        ),
        ("a.txt b.txt --metric slor --every-look", "--every-look is read with --scores"),
        ("a.txt b.txt --metric slor --unpaired --all-pairs", "--all-pairs is of outputs for the same inputs"),
        ("a.txt b.txt --metric slor --unpaired --cluster-column doc", "--cluster-column is read with --scores"),
        ("a.txt b.txt --metric slor --ratings s.csv", "`referenceless report` shows ratings beside metrics of the"),
        ("a.txt b.txt --metric slor --margin 0.1", "--margin of outputs is that of their gate: add --fail-if-worse"),
        ("a.txt b.txt --metric slor --baseline b", "of outputs, the baseline is the first system"),
        ("--scores s.csv --metric slor", "--metric is for outputs, and --scores are compared as they are"),
        ("--scores s.csv --with bleu", "--with is for outputs"),
        ("--scores s.csv --text-column text", "--text-column is for outputs"),
    ],
)
def test_an_option_that_would_say_nothing_is_refused(line, told, folder):
    write("a.txt", ["a text"] * 12)
    write("b.txt", ["a text"] * 12)
    write_table("s.csv", ("item", "system", "score"), [(n, s, n % 5) for n in range(12) for s in "ab"])
    assert told in typed(f"compare {line}", 2).err


def test_a_page_says_of_what_its_intervals_are(table):
    typed(f"{table} --cluster-column doc -o page.html")
    page = Path("page.html").read_text()
    assert "by the paired t test with cluster-robust errors" in page
    assert "intervals and p cover the draw of the clusters" in page
