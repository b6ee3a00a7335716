"""Joins of scores with ratings: the right outputs meet, whatever a file numbers, calls or leaves out."""

import json

import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import read, write, write_table

N = 15
_DRAW = default_rng(0)
HUMAN = {system: _DRAW.integers(0, 6, N).tolist() for system in ("base", "ours")}
SCORES = {system: [-value + round(float(_DRAW.normal()), 3) for value in HUMAN[system]] for system in HUMAN}
TEXTS = {system: [f"Sentence {n} of {system}." for n in range(N)] for system in HUMAN}
DOCUMENT = [f"news-{n // 5}" for n in range(N)]


def r_of(line):
    """Pearson's r and the number of rated outputs of a command line."""
    found = as_json(f"evaluate {line}")
    row = next(row for row in found["rows"] if (row["what"], row["of"]) == ("Pearson r", "all"))
    return round(row["value"], 9), row["n"]


def expected():
    """The same of the outputs as they were made."""
    import numpy as np

    of = [np.concatenate([np.array(values[system], float) for system in HUMAN]) for values in (SCORES, HUMAN)]
    return round(float(np.corrcoef(of[0], -of[1])[0, 1]), 9), 2 * N


def comet(system):
    """Write the file that `comet-score --to_json` makes of one system, whose segments it counts from 0."""
    rows = [{"src": "s", "mt": text, "COMET": score} for text, score in zip(TEXTS[system], SCORES[system], strict=True)]
    write(f"comet_{system}.json", json.dumps({f"{system}.txt": rows}))


def mqm(name, **shift):
    """MQM annotations with the number of the segment in its document and in the test set, which may begin elsewhere."""
    first = shift.get("first", 1)
    rows = [
        (system, DOCUMENT[n], n % 5 + 1, n + first, rater, f"<v>{TEXTS[system][n]}</v>", "Style", "Minor")
        for system in HUMAN
        for n in range(N)
        for rater in ("r1", "r2")
        for _ in range(HUMAN[system][n])
    ]
    free = [
        (system, DOCUMENT[n], n % 5 + 1, n + first, rater, TEXTS[system][n], "no-error", "no-error")
        for system in HUMAN
        for n in range(N)
        for rater in ("r1", "r2")
        if HUMAN[system][n] == 0
    ]
    header = ["system", "doc", "doc_id", "seg_id", "rater", "target", "category", "severity"]
    left_out = shift.get("without", ())
    places = [place for place, column in enumerate(header) if column not in left_out]
    chosen = [[row[place] for place in places] for row in (header, *rows, *free)]
    write(name, ["\t".join(map(str, row)) for row in chosen])


@pytest.mark.parametrize("first", [0, 1, 7])
def test_systems_of_one_metric_in_files_of_their_own_meet_their_ratings_by_items_or_texts(folder, first):
    """Lines that COMET scored are counted as the ratings count them; from anywhere else, the texts decide."""
    for system in HUMAN:
        comet(system)
    mqm("mqm.tsv", first=first)
    line = "--scores comet_base.json --scores comet_ours.json --ratings mqm.tsv"
    assert r_of(line) == expected()
    told = typed(f"evaluate {line}").err
    assert "COMET: the scores of comet_base.json and comet_ours.json are of 2 systems" in told
    assert ("joined by the text of the output" in told) is (first not in (0, 1))


def test_files_that_number_from_0_and_from_1_are_refused_without_texts(folder):
    for first, name, values in ((1, "scores", SCORES), (0, "ratings", HUMAN)):
        cells = [(n + first, system, value) for system in HUMAN for n, value in enumerate(values[system])]
        write_table(f"{name}.csv", ["item", "system", name.rstrip("s")], cells)
    told = typed("evaluate --scores scores.csv --ratings ratings.csv", 1).err
    assert "the scores count items from 1 to 15, and the ratings from 0 to 14" in told


def test_a_file_without_systems_has_the_one_that_it_is_called_as(folder):
    (folder / "sl").mkdir()
    for system in HUMAN:
        write(f"sl/{system}.txt", [f"chrF2 = {100 + score}" for score in SCORES[system]])
    mqm("mqm.tsv")
    assert r_of("--scores sl/base.txt --scores sl/ours.txt --ratings mqm.tsv") == expected()
    assert r_of("--scores sl/ours.txt --ratings mqm.tsv")[1] == N


def test_files_that_are_called_by_the_metric_first_are_told_of_their_systems(folder):
    for system in HUMAN:
        write(f"comet.{system}.txt", map(str, SCORES[system]))
    mqm("mqm.tsv")
    line = "--scores comet.base.txt --scores comet.ours.txt --ratings mqm.tsv"
    told = typed(f"evaluate {line}").err
    for system in HUMAN:
        assert f"each line of comet.{system}.txt is a score by comet of the system '{system}'" in told
    assert r_of(line) == expected()


def test_files_that_score_wrote_for_each_system_are_systems_of_their_metrics(folder, monkeypatch):
    """Whatever the files are called, their texts are those of one system each; one text is of both systems."""
    monkeypatch.setitem(TEXTS, "ours", [*TEXTS["ours"][:-1], TEXTS["base"][-1]])
    for system in HUMAN:
        rows = [(text, score, -score) for text, score in zip(TEXTS[system], SCORES[system], strict=True)]
        write_table(f"{system}.seg.csv", ["text", "chrf", "ter"], rows)
    mqm("mqm.tsv")
    line = "--scores base.seg.csv --scores ours.seg.csv --ratings mqm.tsv"
    assert r_of(f"{line} --score-column chrf") == expected()
    found = as_json(f"evaluate {line} --score-column chrf --score-column ter")
    assert {row["score"] for row in found["rows"]} == {"people", "chrf", "ter", "chrf less ter"}


def test_files_of_one_score_with_texts_of_all_systems_are_two_metrics(folder):
    for place, name in enumerate(("one", "two")):
        rows = [(TEXTS[s][n], SCORES[s][n] + place * n) for s in HUMAN for n in range(N)]
        write_table(f"{name}.csv", ["text", "score"], rows)
    mqm("mqm.tsv")
    found = as_json("evaluate --scores one.csv --scores two.csv --ratings mqm.tsv")
    assert {row["score"] for row in found["rows"]} == {"people", "one", "two", "one less two"}


@pytest.mark.parametrize(
    "named",
    ["--item-column seg_id", "--item-column doc --item-column doc_id", "--item-column doc --item-column seg_id"],
)
def test_columns_that_are_named_are_those_of_an_export_too(folder, named):
    """Segments 6 and later of the test set begin with 1 in their documents: only the named column is meant."""
    cells = [
        (n + 1, DOCUMENT[n], n % 5 + 1, system, score) for system in HUMAN for n, score in enumerate(SCORES[system])
    ]
    write_table("scores.csv", ["seg_id", "doc", "doc_id", "system", "comet"], cells)
    mqm("mqm.tsv", without=["target"])
    assert r_of(f"--scores scores.csv --ratings mqm.tsv --score-column comet {named}") == expected()


def test_a_column_that_one_file_lacks_is_told(folder):
    cells = [(n + 1, system, score) for system in HUMAN for n, score in enumerate(SCORES[system])]
    write_table("scores.csv", ["segment", "system", "score"], cells)
    rated = [(n + 1, system, value) for system in HUMAN for n, value in enumerate(HUMAN[system])]
    write_table("ratings.csv", ["item", "system", "rating"], rated)
    told = typed("evaluate --scores scores.csv --ratings ratings.csv --item-column segment").err
    assert "ratings.csv has no column 'segment' (--item-column): its column 'item' counts there" in told


def test_few_common_outputs_are_refused_and_texts_that_differ_too(folder):
    cells = [(n, "a", n % 7, f"Text {n}.") for n in range(40)]
    write_table("scores.csv", ["item", "system", "score", "text"], cells)
    write_table("far.csv", ["item", "system", "rating"], [(n + 28, "a", n % 5) for n in range(40)])
    told = typed("evaluate --scores scores.csv --ratings far.csv", 1).err
    assert "of 40 rated outputs, 12 meet one of the 40 scores" in told
    assert "(only scores have '0' and '1', only ratings '40' and '41')" in told
    write_table("other.csv", ["item", "system", "rating", "text"], [(n, "a", n % 5, f"Other {n}.") for n in range(40)])
    told = typed("evaluate --scores scores.csv --ratings other.csv", 1).err
    assert "item '0' of system 'a' is 'Text 0.' in the scores and 'Other 0.' in the ratings, as in 40 of 40" in told
    marked = [(n, "a", n % 5, f"Text  {n}." if n else "Text!") for n in range(40)]
    write_table("marked.csv", ["item", "system", "rating", "text"], marked)
    told = typed("evaluate --scores scores.csv --ratings marked.csv").err
    assert "and so differ the texts of 1 of 40 outputs that items join" in told


def test_lists_are_means_and_marks_and_left_out_rows_are_told(folder):
    lists = [[n % 3, n % 5] for n in range(20)]
    rows = [{"item": n, "score": cell, "rating": n % 4, "kind": "ab"[n % 2]} for n, cell in enumerate(lists)]
    write("lists.jsonl", map(json.dumps, rows))
    line = "evaluate --scores lists.jsonl --ratings lists.jsonl"
    means = [sum(cell) / 2 for cell in lists]
    write_table("means.csv", ["item", "score", "rating"], [(n, means[n], n % 4) for n in range(20)])
    assert r_of("--scores lists.jsonl --ratings lists.jsonl") == r_of("--scores means.csv --ratings means.csv")
    assert "score 'score': each cell's is the mean of the numbers in its list" in typed(line).err
    assert "lists.jsonl: --where kind=a keeps 10 of 20 rows" in typed(f"{line} --where kind=a").err
    marked = [(n, -1 if n < 3 else n + 0.5, n % 4) for n in range(20)]
    write_table("marked.csv", ["item", "score", "rating"], marked)
    line = "evaluate --scores marked.csv --ratings marked.csv"
    assert "score 'score': 3 of 20 are -1, and all others from 3.5 to 19.5" in typed(line).err
    assert as_json(f'{line} --values="-1="')["outputs"] == 17


def test_earlier_scores_are_joined_by_the_texts_too(folder):
    rated = [(f"Text  {n}.", n % 4) for n in range(20)]
    write_table("ratings.csv", ["text", "rating"], rated)
    write_table("now.csv", ["text", "score"], [(f"Text {n}. ", n % 5) for n in range(20)])
    write_table("before.csv", ["text", "score"], [(f" Text {n}.", n % 5 + n % 2) for n in range(20)])
    found = as_json("evaluate --scores now.csv --ratings ratings.csv --earlier before.csv")
    (change,) = [row for row in found["rows"] if row["what"] == "share changed"]
    assert (found["rated"], change["n"], change["value"]) == (20, 20, 0.5)


def test_documents_of_a_tools_file_are_clusters_in_every_command(folder):
    mqm("mqm.tsv")
    cells = [(n + 1, system, TEXTS[system][n], SCORES[system][n]) for system in HUMAN for n in range(N)]
    write_table("scores.csv", ["seg_id", "system", "text", "score"], cells)
    for system in HUMAN:
        write(f"{system}.txt", TEXTS[system])
    told = typed("evaluate --scores scores.csv --ratings mqm.tsv")
    assert "items are told by column 'seg_id' of both files" in told.err
    assert "15 items lie in 3 clusters, which the file tells (column 'doc')" in told.err
    alone = typed("evaluate --scores scores.csv --ratings mqm.tsv --cluster-column item")
    assert "lie in 3 clusters" not in alone.err
    people = as_json("human-score --ratings mqm.tsv")["rows"]
    expected = next(row for row in people if row.get("less"))
    write("docs.txt", DOCUMENT)
    for option in ("", "--cluster-column doc", "--cluster-column docs.txt"):
        said = typed(f"report base.txt ours.txt --metric fluency_ngram --ratings mqm.tsv {option} -o page.html").err
        assert "--cluster-column doc" not in said
        page = read("page.html")
        assert "15 items in 3 clusters" in page
        assert f"p = {expected['p']:.4f}" in page
    line = "report base.txt ours.txt --metric fluency_ngram --ratings mqm.tsv --cluster-column docc -o page.html"
    assert "there is no column 'docc' (--cluster-column)" in typed(line, 1).err


def test_weights_of_marked_errors_are_taken_by_every_command_on_ratings(folder):
    mqm("mqm.tsv")
    cells = [(n + 1, system, SCORES[system][n]) for system in HUMAN for n in range(N)]
    write_table("scores.csv", ["seg_id", "system", "score"], cells)
    weights = "--mqm-weights Minor=2,Major=7"
    found = as_json(f"evaluate --scores scores.csv --ratings mqm.tsv {weights}")["rows"]
    people = as_json(f"human-score --ratings mqm.tsv {weights}")["rows"]
    usual = as_json("human-score --ratings mqm.tsv")["rows"]
    means = [row["mean"] for row in people if not row["less"]]
    assert means != [row["mean"] for row in usual if not row["less"]]
    assert [row["value"] for row in found if row["what"] == "mean rating"] == pytest.approx(means)
    lines = [f"compare --scores scores.csv --ratings mqm.tsv {each}" for each in ("", "--mqm-weights Minor=0")]
    usual, free = (as_json(line)["rows"][0]["accuracy with ties"] for line in lines)
    assert usual < 0.95 < free == pytest.approx(1)  # without weights all outputs are equal, and the scores tie


def test_joins_by_text_keep_the_documents_of_the_ratings():
    import pandas as pd

    from referenceless_metrics.human_evaluation.commands.judged_joins import _by_text

    scores = pd.DataFrame({"item": ["1", "2"], "text": ["a b", "c d"], "judge": [0.1, 0.2]})
    ratings = pd.DataFrame({"item": [("d", "7"), ("d", "8")], "text": ["a b", "c d"], "rating": [1, 2]})
    assert "cluster" not in _by_text(scores, ratings.assign(cluster="d"))[0]
    assert list(_by_text(scores, ratings)[0]["cluster"]) == ["1", "2"]


def test_a_column_that_tells_the_items_of_all_systems_joins_two_tables(folder):
    scored = [(system, n + 7, SCORES[system][n], n / 7) for system in HUMAN for n in reversed(range(N))]
    rated = [(system, n + 7, -HUMAN[system][n]) for system in HUMAN for n in range(N)]
    write_table("scores.csv", ["system", "seg", "comet", "chrf"], scored)
    write_table("ratings.csv", ["system", "seg", "z"], rated)
    line = "--scores scores.csv --ratings ratings.csv --rating-column z"
    assert r_of(f"{line} --score-column comet") == expected()
    named = as_json(f"compare {line} --score-column comet --item-column seg")["rows"]
    assert as_json(f"compare {line} --score-column comet")["rows"] == named
    for command in ("compare", "evaluate"):
        told = typed(f"{command} {line}", 1).err
        assert f"  referenceless {command} {line} --score-column comet --score-column chrf --item-column seg" in told


def test_lines_that_end_a_message_keep_the_ratings(folder):
    mqm("mqm.tsv")
    for system in HUMAN:
        comet(system)
    files = "--scores comet_base.json --scores comet_ours.json"
    one = "compare --scores comet_base.json --ratings mqm.tsv"
    assert f"  referenceless {one}\n" in typed(f"{one} --cluster-column docc", 1).err
    rated = [(system, n + 1, -HUMAN[system][n]) for system in HUMAN for n in range(N)]
    write_table("ratings.csv", ["system", "seg", "rating"], rated)
    line = f"{files} --ratings ratings.csv"
    assert f"  referenceless evaluate {line} --item-column seg" in typed(f"evaluate {line}", 1).err
    looked = typed("look mqm.tsv comet_base.json comet_ours.json").out
    assert "human-score --ratings mqm.tsv --errors" in looked
    assert f"Together:\nreferenceless compare {files} --ratings mqm.tsv" in looked


ALIKE = "systems are told by their names without the ends that these share: 'hyp.base.de' is 'base', 'hyp.ours.de' is"


def write_named_by_files():
    """Write scores of systems that are called as files, in a table and in a file each, beside ratings of systems."""
    rows = [(f"hyp.{system}.de", n, SCORES[system][n]) for system in HUMAN for n in range(N)]
    write_table("scores.csv", ("system", "item", "score"), rows)
    for system in HUMAN:
        write_table(f"hyp.{system}.de.csv", ("item", "score"), list(enumerate(SCORES[system])))
    rows = [(system, n, HUMAN[system][n], TEXTS[system][n]) for system in HUMAN for n in range(N)]
    write_table("ratings.csv", ("system", "item", "rating", "text"), rows)


@pytest.mark.parametrize("scores", ["--scores scores.csv", "--scores hyp.base.de.csv --scores hyp.ours.de.csv"])
def test_systems_whose_names_differ_by_common_ends_are_the_same(folder, scores):
    write_named_by_files()
    r, n = expected()
    assert r_of(f"{scores} --ratings ratings.csv") == (-r, n)  # these ratings are no penalties
    assert ALIKE in typed(f"evaluate {scores} --ratings ratings.csv").err
    assert ALIKE in typed(f"compare {scores} --ratings ratings.csv").err


@pytest.mark.parametrize("base, ours, n", [("hyp.base.de", "ours", N), ("base", "third", 0)])
def test_ends_of_names_tell_nothing_if_a_name_is_known_or_one_is_of_another_system(folder, base, ours, n):
    write_named_by_files()
    lines = [
        line.replace("base,", f"{base},").replace("ours,", f"{ours},") for line in read("ratings.csv").splitlines()
    ]
    write("ratings.csv", lines)
    told = typed("evaluate --scores scores.csv --ratings ratings.csv", 0 if n else 1)
    assert "without the ends" not in told.err
    assert (f"on {n} of {2 * N} outputs" in told.out) == (n > 0)


def test_outputs_find_the_ratings_of_systems_that_are_called_so_without_their_ends(folder):
    write_named_by_files()
    for system, texts in TEXTS.items():
        write(f"hyp.{system}.de", texts)
    files = "hyp.base.de hyp.ours.de --ratings ratings.csv"
    told = typed(f"human-score {files}")
    assert ALIKE in told.err
    assert "hyp.base.de" in told.out
    assert ALIKE in typed(f"report {files} --metric slor -o page.html").err


def write_esa():
    """Write Appraise's scores of two systems in 5 documents, whose segments are numbered through the test set from 0.

    Each document is rated by two raters, so that the numbers are told to be those of segments.
    """
    rows = [
        f"r{rater},{system},{n},TGT,eng,deu,{10 * HUMAN[system][n] + rater},doc-{n // 3}#{system},False,[],{n}.0,9.0"
        for rater in (1, 2)
        for system in HUMAN
        for n in range(N)
    ]
    write("esa.csv", rows)
    metrics = [
        (system, f"doc-{n // 3}", n, f"doc-{n // 3}/{n}", HUMAN[system][n], SCORES[system][n])
        for system in HUMAN
        for n in range(N)
    ]
    write_table("scores.csv", ("system", "document", "item", "segment", "score", "other"), metrics)


@pytest.mark.parametrize(
    "columns", ["", "--item-column document --item-column item", "--item-column segment", "--cluster-column document"]
)
def test_an_item_that_holds_its_document_joins_with_one_that_does_not(folder, columns):
    write_esa()
    line = f"--scores scores.csv --ratings esa.csv {columns}"
    assert r_of(f"{line} --score-column score") == (1.0, 2 * N)
    told = typed(f"compare {line} --score-column score --score-column other").out
    assert f" {2 * N} " in told
    assert "Permutations are of 5 whole clusters" in told


def test_numbers_that_begin_again_in_each_document_are_not_joined_without_it(folder):
    write_esa()
    rows = [(system, n % 3, HUMAN[system][n]) for system in HUMAN for n in range(3)]
    write_table("few.csv", ("system", "item", "score"), rows)
    write(
        "esa.csv", [line.replace(f",{n},TGT", f",{n % 3},TGT") for n, line in enumerate(read("esa.csv").splitlines())]
    )
    typed("evaluate --scores few.csv --ratings esa.csv", 1)


def test_documents_of_a_tools_ratings_are_clusters_of_permutations_unless_items_are_named(folder):
    write_esa()
    columns = "--score-column score --score-column other --item-column segment"
    line = f"compare --scores scores.csv --ratings esa.csv {columns}"
    told = typed(line)
    assert "15 items lie in 5 clusters, which the file tells (column 'document')" in told.err
    assert "WMT's metrics tasks take items as independent, as --cluster-column item does" in told.out
    assert "Permutations take items as independent" in typed(f"{line} --cluster-column item").out


def repeated_outputs(*, apart):
    """Write COMET's scores of two systems that say the same on lines 3 and 9, and ratings of the items by their names.

    Args:
        apart: whether the other system's outputs for these lines differ.
    """
    texts = {system: list(TEXTS[system]) for system in HUMAN}
    texts["base"][3] = texts["base"][9]
    if not apart:
        texts["ours"][3] = texts["ours"][9]
    scored = {
        f"{system}.txt": [
            {"mt": text, "COMET": score} for text, score in zip(texts[system], SCORES[system], strict=True)
        ]
        for system in HUMAN
    }
    write("comet.json", json.dumps(scored))
    rows = [
        (f"seg-{n:c}", system, texts[system][n - 97], HUMAN[system][n - 97]) for system in HUMAN for n in range(97, 112)
    ]
    write_table("ratings.csv", ["item", "system", "text", "rating"], rows)


def test_equal_outputs_with_scores_of_their_own_meet_the_ratings_of_their_items(folder):
    repeated_outputs(apart=True)
    assert r_of("--scores comet.json --ratings ratings.csv") == (-expected()[0], 2 * N)
    told = typed("compare --scores comet.json --ratings ratings.csv")
    assert f"on {2 * N} outputs of 2 systems" in told.out.replace("\n", " ")
    assert "are joined by the texts of the outputs" in told.err


def test_equal_outputs_that_nothing_tells_apart_are_left_out_of_a_join_with_a_note(folder):
    repeated_outputs(apart=False)
    assert r_of("--scores comet.json --ratings ratings.csv")[1] == 2 * (N - 2)
    for command in ("evaluate", "compare"):
        told = typed(f"{command} --scores comet.json --ratings ratings.csv").err
        assert "4 of 30 ratings are left out: their texts stand on several lines of the scores" in told


def test_scores_without_items_are_joined_by_texts_beside_a_file_that_has_items(folder):
    repeated_outputs(apart=True)
    for system in HUMAN:
        rows = zip(TEXTS[system], SCORES[system], strict=True)
        lines = [
            json.dumps({"source": f"s{n}", "hypothesis": text, "prediction": -s}) for n, (text, s) in enumerate(rows)
        ]
        write(f"{system}.jsonl", lines)
    told = typed("evaluate --scores comet.json --scores base.jsonl --scores ours.jsonl --ratings ratings.csv")
    assert "column 'hypothesis' of the scores holds the outputs" in told.err
    assert "prediction agrees better" in told.out or "prediction is shown" in told.out


def pearmut(name):
    """Write a log of Pearmut with documents of three items each."""
    entries = []
    for first in range(0, N, 3):
        of = range(first, first + 3)
        texts = [{system: TEXTS[system][n] for system in HUMAN} for n in of]
        items = [{"item_id": f"seg_{n}", "src": "s", "tgt": tgt} for n, tgt in zip(of, texts, strict=True)]
        marks = [{system: {"score": HUMAN[system][n], "error_spans": []} for system in HUMAN} for n in of]
        entries.append({"user_id": "r1", "item_i": first, "item": items, "annotation": marks})
    write(name, map(json.dumps, entries))


def test_where_keeps_systems_that_an_export_tells_without_a_column(folder):
    repeated_outputs(apart=True)
    pearmut("pearmut.jsonl")
    for line in ("compare --scores comet.json", "human-score --ratings pearmut.jsonl"):
        assert "ours" not in typed(f"{line} --where system!=ours").out
        assert "no row meets --where system=x; the systems are base" in typed(f"{line} --where system=x", 1).err


def test_hints_on_a_log_with_ratings_and_errors_name_what_works(folder):
    pearmut("pearmut.jsonl")
    write("docs.txt", ["d"] * 99)
    told = typed("human-score --ratings pearmut.jsonl --cluster-column docs.txt", 1).err
    assert "or leave --cluster-column out: pearmut.jsonl tells documents itself" in told
    assert "without --errors the mean ratings are" in typed("human-score --ratings pearmut.jsonl --errors").out
