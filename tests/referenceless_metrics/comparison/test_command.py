"""`referenceless compare`: its figures."""

import json
import re
import shutil
from html import unescape

import numpy as np
import pytest
from command_lines import as_json, typed
from example_fits import CANDIDATES, POOL_FILE
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
from text_files import read, write, write_table

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.advice.look.together.joint import joint_lines
from referenceless_metrics.command_line.baselines import NAMES
from referenceless_metrics.comparison.table_cells import interval_of
from referenceless_metrics.human_evaluation.studies.design import Design
from slor_metric.estimator import ROUGELM
from slor_metric.language_models.ngram import train_ngram


@pytest.fixture(autouse=True)
def systems(folder):
    """Two systems and a reference, written to files: a baseline and a worse one."""
    texts = CANDIDATES * 3
    rng = np.random.default_rng(0)
    outputs = {
        "a.txt": texts,
        "b.txt": [" ".join(rng.permutation(text.split())) for text in texts],
        "r.txt": [f"{text} Indeed." for text in texts],
    }
    for name, lines in outputs.items():
        write(name, lines)
    return outputs


def rows_of(content, metric):
    return [row for row in content["rows"] if row["metric"] == metric]


@pytest.mark.long
def test_figures_beside_are_those_of_sacrebleus_paired_test(systems):
    others = f"--with {','.join(NAMES).upper()} --references r.txt --n-samples 500"
    content = as_json(f"compare a.txt b.txt --metric bleu_neighbors --pool {POOL_FILE} {others}")
    metrics = {"BLEU": BLEU(), "chrF2": CHRF(), "chrF2++": CHRF(word_order=2), "TER": TER()}
    named = [(name, systems[name]) for name in ("a.txt", "b.txt")]
    _, scores = PairedTest(named, metrics, [systems["r.txt"]], "ar", 500, n_ar_confidence=0)()
    assert content["n_samples"] == 500
    assert set(content["signatures"]) == {"BLEUNeighbors", *metrics}
    for name in metrics:
        for row, result in zip(rows_of(content, name), scores[name], strict=True):
            low, high = interval_of(result)
            expected = {"score": result.score, "low": low, "high": high, "p_value": result.p_value}
            assert {figure: row[figure] for figure in expected} == pytest.approx(expected), name
        assert [row["system"] for row in rows_of(content, name)] == ["a", "b"]
    assert content["signatures"]["BLEU"].startswith("nrefs:1|")


@pytest.mark.parametrize(
    ("metrics", "is_told"), [("", True), ("--with bleu", False), ("--metric chrf", False), ("--metric slor", True)]
)
def test_references_that_no_metric_reads_are_told(systems, metrics, is_told):
    told = typed(f"compare a.txt b.txt --references r.txt {metrics} --n-samples 10").err
    assert ("no metric that was asked for reads the references: --with bleu,chrf" in told) is is_told


def test_references_may_be_a_column_of_any_name(systems):
    """Of a file of their own, or of the baseline's: the figures are those of lines of text."""
    texts = {name.removesuffix(".txt"): lines[:24] for name, lines in systems.items()}
    for name in "abr":
        write(f"{name}.txt", texts[name])
    for name in "ab":
        write_table(f"{name}.csv", ("out", "label"), list(zip(texts[name], texts["r"], strict=True)))
    end = "--metric slor --with bleu --n-samples 50"
    expected = as_json(f"compare a.txt b.txt {end} --references r.txt")["rows"]
    tables = f"compare a.csv b.csv --text-column out {end}"
    assert as_json(f"{tables} --reference-columns label")["rows"] == expected
    assert as_json(f"{tables} --references b.csv --reference-columns label")["rows"] == expected
    told = " ".join(typed(f"{tables} --references b.csv", 1).err.split())
    assert "there is no column 'reference' (--references); the columns are 'out', 'label': name that of the" in told
    assert "(--reference-columns NAME)" in told
    assert "These command lines fit" not in told
    rows = [(n, name, texts[name][n], texts["r"][n]) for name in "ab" for n in range(24)]
    write_table("ab.csv", ("item", "s", "out", "label"), rows)
    one_table = f"compare ab.csv --text-column out --system-column s {end}"
    assert as_json(f"{one_table} --reference-columns label")["rows"] == expected
    write_table("other.csv", ("item", "s", "out", "label"), [(*row[:3], f"{row[1]} {row[3]}") for row in rows])
    err = typed(f"{one_table.replace('ab.csv', 'other.csv')} --reference-columns label", 1).err
    assert "outputs of one item have different references (--reference-columns)" in err


def test_rows_of_references_and_sources_are_found_by_the_items_that_both_files_tell(systems):
    texts = {name.removesuffix(".txt"): lines[:24] for name, lines in systems.items()}
    for name in "abr":
        write(f"{name}.txt", texts[name])
    end = "--metric slor --with bleu --n-samples 50"
    expected = as_json(f"compare a.txt b.txt {end} --references r.txt")["rows"]
    rows = [(f"doc {n}", name, texts[name][n]) for name in "ab" for n in range(24)]
    write_table("ab.csv", ("item", "s", "out"), rows)
    for name in "ab":
        write_table(f"{name}.csv", ("item", "out"), [(item, text) for item, s, text in rows if s == name])
    references = [(f"doc {n}", text) for n, text in enumerate(texts["r"])][::-1]
    write_table("refs.csv", ("item", "reference"), references)
    for line in (
        "compare ab.csv --text-column out --system-column s",
        "compare a.csv b.csv --text-column out --item-column item",
    ):
        for columns in ("", "--reference-columns reference"):
            assert as_json(f"{line} {end} --references refs.csv {columns}")["rows"] == expected
    lacking = [*references[1:], ("doc 99", "a text")]
    write_table("refs.csv", ("item", "reference"), lacking)
    err = typed(f"compare ab.csv --text-column out --system-column s {end} --references refs.csv", 1).err
    assert "column 'item' (--item-column) of refs.csv lacks 1 of 24 items" in err
    sources = [(f"doc {n}", f"what {n} was made from") for n in range(24)]
    write_table("sources.csv", ("item", "source"), [*sources, ("doc 3", "another")])
    line = "sample ab.csv --text-column out --system-column s --sources sources.csv -n 10 --raters 2 -o study"
    assert "of sources.csv holds 'doc 3' in rows that do not tell the same" in typed(line, 1).err
    write_table("sources.csv", ("item", "source"), sources[::-1])
    typed("sample ab.csv --text-column out --system-column s --sources sources.csv -n 10 --raters 2 -o study")
    drawn = {(item.item, item.source) for item in Design.read("study").items}
    assert drawn <= {(n, source) for n, (_, source) in enumerate(sources)}


def test_rows_of_one_item_in_a_file_of_references_are_its_references(systems):
    """As captions of images in COCO: several people's of each, in any order."""
    texts = {name.removesuffix(".txt"): lines[:24] for name, lines in systems.items()}
    for name in "ab":
        write(f"{name}.txt", texts[name])
        rows = [{"image_id": 100 + n, "caption": text} for n, text in enumerate(texts[name])]
        write(f"{name}.json", [json.dumps(rows[::-1] if name == "b" else rows)])
    further = [f"so {text}" for text in texts["r"]]
    write("r.txt", texts["r"])
    write("r2.txt", further)
    expected = as_json("compare a.txt b.txt --metric chrf --references r.txt --references r2.txt")["rows"]
    listed = [(100 + n, each) for n, each in enumerate(texts["r"])] + [
        (100 + n, each) for n, each in enumerate(further)
    ]
    annotations = [{"image_id": n, "id": 7 * n + len(each), "caption": each} for n, each in listed]
    write("gold.json", [json.dumps({"info": {"year": 2014}, "annotations": annotations})])
    (line,) = (line for line in joint_lines([look(f"{name}.json") for name in ("gold", "a", "b")]))
    assert line == (
        "referenceless compare a.json b.json --text-column caption --item-column image_id --references gold.json "
        "--reference-columns caption --metric chrf"
    )
    told = typed(f"{line.removeprefix('referenceless ')} -f json")
    assert json.loads(told.out)["rows"] == expected
    assert "24 of 24 items have several rows, up to 2, and what stands in each is a reference" in told.err


def test_rouge_lm_is_on_one_scale_for_all_systems(systems):
    train_ngram(systems["a.txt"], "lm.npz", order=2)
    line = "compare a.txt b.txt --metric rouge_lm --lm lm.npz --references r.txt --n-samples 50"
    content = as_json(line)
    together = ROUGELM("lm.npz").predict(systems["a.txt"] + systems["b.txt"], references=systems["r.txt"] * 2).values
    expected = [values.mean() for values in np.split(together, 2)]
    assert [row["score"] for row in rows_of(content, "ROUGE-LM")] == pytest.approx(expected)
    assert "z:first" not in content["signatures"]["ROUGE-LM"]
    typed(f"{line.replace('compare', 'report')} -o page.html")
    assert "<h1>" in read("page.html")


def test_what_is_pasted_into_a_model_card_has_all_notes_and_each_signature_once(folder):
    alike = [f"the small grey cat sat on a warm mat and saw bird number {n % 3}" for n in range(20)]
    write("base.txt", alike)
    write("ours.txt", [f"{text} again" for text in alike])
    told = typed("compare base.txt ours.txt --metric slor --n-samples 50 -f markdown")
    (note,) = [line for line in told.err.splitlines() if "share at least half" in line]
    assert note.removeprefix("note: ") in told.out.replace("\\", "")
    assert told.out.count("metric:slor") + told.out.count("SLOR|") == 1
    found = typed("compare base.txt ours.txt --metric slor --n-samples 50 -f json").out
    assert "share at least half" in found
    assert "share at least half" not in typed("compare base.txt ours.txt --metric slor --n-samples 50").out
    apart = typed("compare base.txt ours.txt --metric slor --unpaired -f markdown").out
    assert "share at least half" in apart


def test_empty_outputs_are_told_beside_metrics_that_count_them(systems):
    rows = zip(systems["a.txt"], ["", *systems["b.txt"][1:]], systems["r.txt"], strict=True)
    write_table("t.csv", ["base", "ours", "ref"], rows)
    line = "compare t.csv --text-column base --text-column ours --reference-columns ref --metric chrf"
    n = len(systems["a.txt"])
    assert f"empty outputs: ours 1 of {n}; metrics with references count them as they are" in typed(line).err


@pytest.mark.parametrize(
    "more, told",
    [
        ("", "2 different outputs beside 12 different outputs of many"),
        (" --metric bleu --references r.txt", "2 different outputs beside 10 different references"),
        (" --references r.txt --with bleu", "2 different outputs beside 10 different references"),
        (" --bad '<0'", "2 different outputs beside 12 different outputs of many"),
    ],
)
def test_few_different_outputs_for_many_inputs_are_told_once(folder, more, told):
    """A checkpoint that writes the same good sentences for all inputs."""
    write("many.txt", [f"the cat sat on {number} mats" for number in range(12)])
    write("few.txt", ["the cat sat on a mat", "a cat sat"] * 6)
    write("r.txt", [f"{number % 10} mats" for number in range(12)])
    line = f"compare --name many=many.txt --name few=few.txt --metric wpslor{more}"
    for form in ("", " --format markdown"):
        done = typed(line + form)
        words = " ".join((done.out + done.err).split())
        assert words.count(f"few: {told}: a metric that reads texts alone can score the same few texts well") == 1


def test_the_next_steps_on_a_page_name_outputs_as_the_command_did(folder):
    rows = [(f"item {n}", f"the first text {n} is here", f"and here is the other text {n}") for n in range(12)]
    write_table("wide.csv", ["id", "one", "two"], rows, delimiter=";")
    long = [(item, system, text) for item, *texts in rows for system, text in zip("ab", texts, strict=True)]
    write_table("long.csv", ["id", "model", "answer"], long)
    columns = {
        "wide.csv": "--text-column one --text-column two --delimiter ';'",
        "long.csv": "--text-column answer --system-column model --item-column id",
    }
    for file, named in columns.items():
        for command in (f"report {file} {named} --metric fluency -o page.html", f"compare {file} {named} -f html"):
            told = typed(command).out
            page = unescape(read("page.html") if command.startswith("report") else told)
            (line,) = re.findall(r"referenceless (sample [^<\n]*)", page)
            assert line == f"sample {file} {named} -n 12 --raters 3 -o study"
            typed(line)
            shutil.rmtree("study")
