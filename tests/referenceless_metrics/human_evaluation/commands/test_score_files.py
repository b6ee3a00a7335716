"""`compare --scores`, as it is typed."""

import json

import pytest
from command_lines import done, left, typed
from text_files import write, write_table


@pytest.fixture
def scores(tmp_path):
    rows = [
        {"item": item, "system": system, "score": item % 3 + shift * (1 + item % 2), "doc": item // 2}
        for system, shift in (("base", 0), ("ours", 0.5))
        for item in range(20)
    ]
    write(tmp_path / "scores.jsonl", map(json.dumps, rows))
    return str(tmp_path / "scores.jsonl")


def test_findings_are_told_in_every_format(scores, tmp_path):
    told = done("compare --cluster-column doc --margin 1 --scores", scores).stdout
    assert "score: ours scores higher than base at 95 %: difference +0.75" in told.replace("\n", " ")
    apart = done("compare --cluster-column doc --unpaired --scores", scores).stdout
    assert "Intervals and p allow for clusters: items of one cluster count as dependent." in apart
    caption = done("compare --cluster-column doc -f latex --scores", scores).stdout
    assert "on 20 items in 10 clusters, paired by item, with 95\\% intervals that allow for clusters" in caption
    found = json.loads(done("compare --baseline ours -f json --scores", scores).stdout)
    assert (found["baseline"], found["rows"][1]["difference"]) == ("ours", -0.75)
    assert found["findings"][0].startswith("score: base scores lower than ours")
    for suffix in ("csv", "parquet"):
        done("compare --scores", scores, "-o", tmp_path / f"findings.{suffix}")
        assert (tmp_path / f"findings.{suffix}").stat().st_size > 100


def test_a_page_and_a_picture_show_means_and_differences(scores, tmp_path):
    done("compare --slice-column doc --scores", scores, "-o", tmp_path / "page.html", "--plot", tmp_path / "p.svg")
    page, picture = ((tmp_path / name).read_text() for name in ("page.html", "p.svg"))
    assert "score: ours scores higher than base" in page
    assert "ours less base, 3" in page
    for shown in (page, picture):
        assert "base (20 items) 0.950" in shown
        assert "ours less base 0.750" in shown


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "give the outputs of systems, or --scores FILE"),
        (["a.txt", "--scores", "FILE"], "and not both"),
    ],
)
def test_bad_command_lines_are_refused(scores, arguments, message):
    status, _, told = left(["compare", *(scores if argument == "FILE" else argument for argument in arguments)])
    assert status
    assert message in " ".join(told.split())


def test_systems_that_are_equal_pass_a_gate_and_are_called_so(folder):
    write_table("equal.csv", ["item", "system", "score"], [(i, s, i % 7 / 3) for i in range(20) for s in "xy"])
    told = typed("compare --scores equal.csv --fail-if-worse --margin 0.01", 0)
    assert "By score, y and x have equal scores on all items (" in told.out
    assert "y (score): equal: " in told.err


def test_a_gate_takes_lower_as_better_if_the_name_or_the_user_says_so(folder):
    rows = [(i, s, i % 7 / 3 + (s == "y") + i % 2 / 9 * (s == "y")) for i in range(80) for s in "xy"]
    write_table("ter.csv", ["item", "system", "ter"], rows)
    gate = "compare --scores ter.csv --scale 0-9 --fail-if-worse"
    assert "y (ter): not worse, for it is shown to be better" in typed(f"{gate} --lower-is-better none", 0).err
    told = typed(gate, 1).err
    assert "lower ter counts as better, as its name tells (--lower-is-better none if not)" in told
    assert "ter (lower is better)" in typed(f"{gate} --lower-is-better ter", 1).out
    assert "y (ter): worse: The mean score of y (ter) less that of x, of which lower is better, is +1.056" in told
    assert "y (ter): not worse by 2: " in typed(f"{gate} --lower-is-better ter --margin 2", 0).err


def test_columns_with_a_comma_between_are_told_how_to_be_named(scores):
    told = typed(f"compare --scores {scores} --score-column score,doc", 1).err
    assert "these are 2 columns, and each is named by itself: --score-column score --score-column doc" in told


def test_scores_of_people_are_called_so(folder):
    rows = [
        (s, f"d{i // 4}", i % 4, "ann", "Fluency", "minor" if i % 3 else "no-error") for i in range(24) for s in "xy"
    ]
    write_table("mqm.tsv", ["system", "doc", "doc_id", "rater", "category", "severity"], rows, delimiter="\t")
    told = typed("compare --scores mqm.tsv", 0).out
    assert "These are means of people's scores; the test for these is that of `human-score`" in " ".join(told.split())
    assert "nothing about people" not in told
    assert "compare --scores" not in typed("look mqm.tsv", 0).out  # one file, one test


def test_words_names_and_what_was_assumed(folder):
    for name in ("base", "ours"):
        (folder / name).mkdir()
        write_table(f"{name}/v.csv", ["q", "verdict"], [(f"q{i}", "no" if i % 3 else name) for i in range(9)])
    files = "--scores base/v.csv --scores ours/v.csv --name first=base/v.csv --score-column verdict"
    told = typed(f'compare {files} --values "no=0,base=1,ours=2"', 0)
    assert "note: items are told by column 'q', which all systems share" in told.err
    assert "ours is not shown to differ from first" in told.out
    assert '--values "base=…,no=…"' in typed(f"compare {files}", 1).err
    assert "--name x=y.csv: no system is read from y.csv" in typed(f"compare {files} --name x=y.csv", 2).err


def test_different_items_are_compared_only_if_the_user_says_so(folder):
    rows = [(f"{s}{i}", s, i % 5 + (s == "y")) for i in range(20) for s in "xy"]
    write_table("apart.csv", ["item", "system", "score"], rows)
    assert "have no common item with scores" in typed("compare --scores apart.csv", 1).err
    told = typed("compare --scores apart.csv --unpaired", 0).out
    assert "Means of different items are compared" in told
    assert "not scored for all" not in told


def test_the_documents_of_an_export_are_clusters_and_it_is_said(folder):
    """Of MQM tables, in `compare --scores` and `human-score` alike; the column of items takes items as independent."""
    header = ("system", "doc", "seg_id", "rater", "target", "category", "severity")
    rows = [
        (system, f"d{n // 3}", n, "r1", "a text", "Fluency", "Major" if (n % 3 == 0) == (system == "b") else "Minor")
        for system in ("a", "b")
        for n in range(30)
    ]
    write_table("mqm.tsv", header, rows, delimiter="\t")
    note = "30 items lie in 10 clusters, which the file tells (column 'doc'), and items of one cluster count as"
    for line in ("compare --scores mqm.tsv", "human-score --ratings mqm.tsv"):
        assert note in typed(line).err
        by_name, alone = typed(f"{line} --cluster-column doc"), typed(f"{line} --cluster-column item")
        assert by_name.out == typed(line).out != alone.out
        assert "which the file tells" not in by_name.err + alone.err
    told = typed("compare --scores mqm.tsv --cluster-column nothing", 1).err
    assert "there are no clusters 'nothing' (--cluster-column) in MQM annotations: seg_id, doc, document, item" in told
