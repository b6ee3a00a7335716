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
