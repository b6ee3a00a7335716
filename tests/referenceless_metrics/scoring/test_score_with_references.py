"""`score --with`: sacrebleu's own metrics beside any metric."""

import json

import pytest
from command_lines import typed
from sacrebleu.metrics import BLEU, CHRF
from text_files import write

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
