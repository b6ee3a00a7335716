"""`score --with`: sacrebleu's own metrics beside any metric."""

import json

import pytest
from command_lines import typed
from sacrebleu.metrics import BLEU, CHRF
from text_files import write, write_table

TEXTS = ["the cat sat on the mat", "a dog ran", "the bird sang"]
FIRST, SECOND = ["the cat sat on a mat", "a dog ran away", "birds sang"], ["", "the dog ran", ""]


@pytest.mark.parametrize("format", ["table", "json", "csv"])
@pytest.mark.parametrize("given", ["references first.txt --references second.txt", "reference-columns ref_*"])
def test_scores_are_sacrebleus_own(folder, given, format):
    rows = [dict(zip(("text", "ref_1", "ref_2"), row, strict=True)) for row in zip(TEXTS, FIRST, SECOND, strict=True)]
    write("texts.jsonl", map(json.dumps, rows))
    write("first.txt", FIRST)
    write("second.txt", SECOND)
    out, err = typed(f"score texts.jsonl --with bleu,chrF --{given} --format {format}")
    streams = [FIRST, [text or None for text in SECOND]]
    for metric in (BLEU(), CHRF()):
        score = metric.corpus_score(TEXTS, streams)
        if format == "json":
            content = json.loads(out)
            found = content["others"][score.name]
            assert (found["score"], found["signature"]) == (score.score, str(metric.get_signature()))
            assert content["metric"] == "fluency"  # references are those of --with
        else:
            told = score.format(2, False, str(metric.get_signature()))
            assert told in (out if format == "table" else err)


def test_rows_have_the_scores_of_each_text(folder):
    write("texts.txt", TEXTS)
    write("first.txt", FIRST)
    typed("score texts.txt --metric fluency_ngram --with bleu,chrf --references first.txt -o rows.jsonl")
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    for name, metric in (("bleu", BLEU(effective_order=True)), ("chrf", CHRF())):
        expected = [
            metric.sentence_score(text, [reference]).score for text, reference in zip(TEXTS, FIRST, strict=True)
        ]
        assert [row[name] for row in rows] == pytest.approx(expected)
    out = typed("score texts.txt --metric fluency_ngram --with bleu --references first.txt --worst 1 -f csv").out
    assert "bleu" in out.splitlines()[0]


WRITTEN = {
    "JSON": json.dumps,
    "Python": repr,
    "NumPy": lambda references: f"[{' '.join(map(repr, references))}]",
}
"""Ways in which a list of references stands in a cell of text."""


@pytest.mark.parametrize("way", WRITTEN)
@pytest.mark.parametrize("given", ["reference-columns refs", "references beside.csv", "reference-columns data.refs"])
def test_lists_of_references_in_cells_are_several_references(folder, given, way):
    lists = [[each for each in both if each] for both in zip(FIRST, SECOND, strict=True)]
    cells = [WRITTEN[way](references) for references in lists]
    write_table("texts.csv", ["text", "refs"], zip(TEXTS, cells, strict=True))
    write_table("beside.csv", ["reference"], [[cell] for cell in cells])
    nested = [{"text": text, "data": {"refs": of_text}} for text, of_text in zip(TEXTS, lists, strict=True)]
    write("texts.jsonl", map(json.dumps, nested))
    file = "texts.jsonl" if "data" in given else "texts.csv"
    found = json.loads(typed(f"score {file} --with bleu --{given} --format json").out)["others"]["BLEU"]
    assert found["score"] == BLEU().corpus_score(TEXTS, [FIRST, [text or None for text in SECOND]]).score


def test_texts_in_brackets_are_no_lists(folder):
    """One reference that is no list shows that none is meant as one."""
    references = ["['the cat sat', 'on a mat']", "[a dog] ran away", "birds sang"]
    write_table("texts.csv", ["text", "refs"], zip(TEXTS, references, strict=True))
    found = json.loads(typed("score texts.csv --with bleu --reference-columns refs --format json").out)
    assert found["others"]["BLEU"]["score"] == BLEU().corpus_score(TEXTS, [references]).score


def test_one_score_over_the_outputs_of_several_systems_is_told(folder):
    """The same columns tell each system's by `compare`."""
    texts = [f"The train number {n} came late to the old station." for n in range(6)]
    rows = [(text, text.replace("late", s), s) for s in ("early", "late") for text in texts]
    write_table("two.csv", ("reference", "output", "system"), rows)
    columns = "--text-column output --reference-columns reference --with bleu"
    told = typed(f"score two.csv {columns}").err
    line = "compare two.csv --system-column system"
    assert "column 'system' names 2 systems, and the scores of --with are of their outputs together" in told
    assert f"`referenceless {line}`" in told
    assert "BLEU" in typed(f"{line} {columns}").out
    write_table("one.csv", ("reference", "output", "system"), rows[:6])
    assert "systems" not in typed(f"score one.csv {columns}").err
