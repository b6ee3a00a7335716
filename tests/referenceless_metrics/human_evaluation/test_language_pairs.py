"""Outputs, ratings and scores of several pairs of languages are not pooled: they are refused until one is chosen."""

import json

import pytest
from command_lines import as_json, done, typed
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.human_evaluation.language_pairs import are_languages, language_pairs

pytestmark = pytest.mark.filterwarnings("ignore")

TARGETS = {"deu": 12, "jpn": 11}
"""Target languages, with the number of segments of each."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def judgements():
    """Rater, system, target language, segment and score: the second language gets 40 points less."""
    return [
        (rater, system, target, segment, 60 + 20 * (system == "ours") + segment - 40 * (target == "jpn"))
        for target, n_segments in TARGETS.items()
        for rater in ("r1", "r2")
        for system in ("base", "ours")
        for segment in range(1, n_segments + 1)
    ]


def appraise_csv():
    rows = [
        (rater, system, segment, "TGT", "eng", target, score, f"d{target}", "False", "[]", 1.5, 2.5)
        for rater, system, target, segment, score in judgements()
    ]
    first, *others = rows
    write_table("esa.csv", first, others)
    return "esa.csv"


def appraise_jsonl():
    shared = {"item_type": "TGT", "task_type": "Document", "source_language": "eng", "mqm_annotations": None}
    rows = [
        shared
        | {"annotator": rater, "target_id": system, "target_language": target, "document_id": f"d{target}"}
        | {"source_text": f"s{segment}", "score": score}
        for rater, system, target, segment, score in judgements()
    ]
    return str(write("esa.jsonl", map(json.dumps, rows)))


def mqm_tsv():
    columns = ["system", "doc", "doc_id", "rater", "target_language", "category", "severity"]
    rows = [
        (
            system,
            f"d{target}",
            segment,
            rater,
            target,
            "Style",
            "Minor" if (segment + (system == "ours")) % 3 else "Major",
        )
        for rater, system, target, segment, _ in judgements()
    ]
    write_table("mqm.tsv", columns, rows, delimiter="\t")
    return "mqm.tsv"


def long_table():
    columns = ["rater", "system", "target_language", "item", "rating"]
    rows = [(*judged[:3], f"{judged[2]}{judged[3]}", judged[4]) for judged in judgements()]
    write_table("da.csv", columns, rows)
    return "da.csv"


FORMS = [appraise_csv, appraise_jsonl, mqm_tsv, long_table]


@pytest.mark.parametrize("form", FORMS)
def test_ratings_of_two_pairs_are_refused_until_one_is_chosen(form):
    file = form()
    told = typed(f"human-score --ratings {file}", status=1).err
    assert "several pairs of languages, by column 'target_language'" in told
    assert "--where target_language=deu" in told
    for target, n_segments in TARGETS.items():
        rows = as_json(f"human-score --ratings {file} --where target_language={target}")["rows"]
        assert [row["rated"] for row in rows if not row["less"]] == [n_segments] * 2


@pytest.mark.parametrize("form", FORMS)
def test_the_lines_of_look_are_of_one_pair_and_work(form):
    found = look(form())
    assert any("several pairs of languages" in note and "'jpn'" in note for note in found.notes)
    assert all("--where target_language=deu" in line for line in found.commands)
    for line in found.commands:
        done(line.removeprefix("referenceless "))


@pytest.mark.parametrize("form", FORMS)
def test_a_slice_tells_pairs_apart(form):
    rows = as_json(f"human-score --ratings {form()} --slice-column target_language")["rows"]
    assert {row["slice"] for row in rows} == {"", *TARGETS}


def test_agreement_and_scores_are_not_of_two_pairs_either():
    told = [
        typed(f"agreement {long_table()}", status=1).err,
        typed(f"compare --scores {appraise_csv()} --score-column score", status=1).err,
        typed(f"compare --scores {long_table()} --score-column rating --rater-column rater", status=1).err,
    ]
    assert all("--where target_language=deu" in each for each in told)
    rows = as_json("compare --scores esa.csv --score-column score --slice-column target_language")["rows"]
    assert {row["slice"] for row in rows} == {"", *TARGETS}


def test_fields_without_a_header_have_names_for_conditions():
    file = appraise_csv()
    assert any("annotator, target_id, item_id, item_type, source_language" in note for note in look(file).notes)
    told = typed(f"human-score --ratings {file} --where lang=deu", status=1).err
    assert "there is no column 'lang' (--where)" in told
    assert "target_language" in told
    told = typed(f"human-score --ratings {file} --where target_language=ja", status=1).err
    assert "target_language has deu, jpn" in told


def test_scores_of_a_task_are_of_one_pair():
    rows = [
        ["COMET", languages, "newstest", "news", "d", "refA", system, str(item), f"0.{item}{len(system)}"]
        for languages in ("en-de", "en-ja")
        for system in ("ours", "b")
        for item in range(1, 9)
    ]
    write("comet.tsv", ["\t".join(row) for row in rows])
    assert "--where languages=en-de" in typed("compare --scores comet.tsv", status=1).err
    assert as_json("compare --scores comet.tsv --where languages=en-ja")["rows"][0]["items"] == 8


@pytest.mark.parametrize(
    ("name", "cells", "is_told"),
    [
        ("lp", ["en-de", "cs-uk"], True),
        ("src_lang", ["eng", "deu"], True),
        ("Target Language", ["German", "French"], True),
        ("direction", ["en-de", "de-en"], True),
        ("direction", ["up", "down"], False),
        ("language", ["de", "fr"], False),
    ],
)
def test_columns_of_pairs_are_told_by_name_and_cells(name, cells, is_told):
    assert are_languages(name, cells) == is_told
    assert (language_pairs([{name: cells}]) is not None) or not is_told
    assert language_pairs([{name: cells[:1]}]) is None


def test_a_condition_counts_in_the_files_that_have_its_column():
    """The scores are of one pair, and name no language."""
    rows = [(rater, system, target, f"{target}{n}", score) for rater, system, target, n, score in judgements()]
    write_table("da.csv", ["rater", "system", "target_language", "item", "rating"], rows)
    of_pair = {(row[1], row[3]): row[4] + len(row[1]) for row in rows if row[2] == "deu"}
    write_table("scores.csv", ["system", "item", "score"], [(*key, score) for key, score in of_pair.items()])
    files = "--scores scores.csv --ratings da.csv"
    assert "--where target_language=deu" in typed(f"evaluate {files}", status=1).err
    assert "on 24 of 24 outputs" in typed(f"evaluate {files} --where target_language=deu").out
    typed(f"compare {files} --where target_language=deu")
    assert "'lang'" in typed(f"evaluate {files} --where lang=deu", status=1).err


def outputs(pair, n_segments=12):
    """Rows with a pair of languages, an item, and an output each of `base` and `ours`."""
    return [
        (pair, f"{pair}{n}", f"The train {n} to {pair} came late.", f"It came {n} times.") for n in range(n_segments)
    ]


def outputs_in_columns():
    write_table("t.csv", ["lp", "item", "base", "ours"], [*outputs("en-de"), *outputs("en-ja", 11)])
    return "t.csv --text-column base --text-column ours"


def outputs_in_rows():
    rows = [
        (pair, item, system, text)
        for pair, item, *texts in [*outputs("en-de"), *outputs("en-ja", 11)]
        for system, text in zip(("base", "ours"), texts, strict=True)
    ]
    write_table("t.csv", ["lp", "item", "system", "text"], rows)
    return "t.csv --system-column system"


def outputs_in_files():
    rows = [*outputs("en-de"), *outputs("en-ja", 11)]
    for place, name in enumerate(("base.csv", "ours.csv"), start=2):
        write_table(name, ["lp", "item", "text"], [(row[0], row[1], row[place]) for row in rows])
    return "base.csv ours.csv"


OUTPUTS = [outputs_in_columns, outputs_in_rows, outputs_in_files]


@pytest.mark.parametrize("form", OUTPUTS)
def test_outputs_of_two_pairs_are_refused_until_one_is_chosen(form):
    files = form()
    told = typed(f"compare {files} --metric slor", status=1).err
    assert "several pairs of languages, by column 'lp': 'en-de' in" in told
    assert "--where lp=en-de" in told
    rows = as_json(f"compare {files} --metric slor --where lp=en-ja")["rows"]
    assert {row["n"] for row in rows} == {11}
    typed(f"compare {files} --metric slor --cluster-column lp")  # a column that is named tells them apart


@pytest.mark.parametrize("form", [outputs_in_rows, outputs_in_files])
def test_outputs_of_two_pairs_are_refused_unpaired(form):
    files = form()
    assert "--where lp=en-de" in typed(f"compare {files} --metric slor --unpaired", status=1).err
    typed(f"compare {files} --metric slor --unpaired --where lp=en-de")


@pytest.mark.parametrize("form", OUTPUTS)
def test_the_lines_of_look_for_outputs_are_of_one_pair_and_work(form):
    files = [word for word in form().split() if word.endswith(".csv")]
    told = done("look", *files).stdout
    lines = [line for line in told.splitlines() if line.startswith("referenceless compare")]
    assert lines
    for line in lines:
        assert "--where lp=en-de" in line
        done(line.removeprefix("referenceless "))


def rated_texts():
    rated = [*outputs("en-de", 20), *outputs("en-ja", 20)]
    rows = [(pair, text, 1 + n % 5) for n, (pair, _, *texts) in enumerate(rated) for text in texts]
    write_table("t.csv", ["lp", "text", "rating"], rows)


@pytest.mark.parametrize("line", ["advise t.csv --no-quality-estimator", "fit t.csv -o t.index"])
def test_nothing_is_learned_from_two_pairs_until_one_is_chosen(line):
    rated_texts()
    assert "--where lp=en-de" in typed(line, status=1).err
    typed(f"{line} --where lp=en-de")
    typed(f"{line} --group-column lp")


def test_a_condition_counts_in_outputs_and_in_their_ratings():
    outputs_in_rows()
    rows = [
        (pair, item, system, text, 1 + n % 5)
        for n, (pair, item, *texts) in enumerate([*outputs("en-de"), *outputs("en-ja", 11)])
        for system, text in zip(("base", "ours"), texts, strict=True)
    ]
    write_table("rated.csv", ["lp", "item", "system", "text", "rating"], rows)
    line = "t.csv --system-column system --ratings rated.csv --metric slor --where lp=en-ja"
    found = as_json(f"human-score {line} --scale 1-5")["rows"]
    assert [(row["outputs"], row["rated"]) for row in found if not row["less"]] == [(11, 11)] * 2
    done(f"report {line} --n-samples 50 -o page.html")
    assert "there is no column 'lang'" in typed(f"report {line.replace('lp=', 'lang=')} -o page.html", 1).err
