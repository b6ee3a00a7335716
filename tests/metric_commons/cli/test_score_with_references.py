"""`score --with`: sacrebleu's own metrics beside any metric."""

import json

import pytest
from command_lines import done, typed
from sacrebleu.metrics import BLEU, CHRF
from text_files import write

TEXTS = ["the cat sat on the mat", "a dog ran", "the bird sang"]
FIRST, SECOND = ["the cat sat on a mat", "a dog ran away", "birds sang"], ["", "the dog ran", ""]


@pytest.mark.parametrize("format", ["table", "json", "csv"])
def test_scores_are_sacrebleus_own(folder, format):
    write("texts.txt", TEXTS)
    write("first.txt", FIRST)
    write("second.txt", SECOND)
    line = "score texts.txt --with bleu,chrF --references first.txt --references second.txt"
    out, err = typed(f"{line} --format {format}")
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


def test_references_stand_in_columns_too(folder):
    write("texts.jsonl", [json.dumps({"text": text, "ref": own}) for text, own in zip(TEXTS, FIRST, strict=True)])
    content = json.loads(done("score texts.jsonl --with bleu --reference-columns ref --format json").stdout)
    assert content["others"]["BLEU"]["score"] == BLEU().corpus_score(TEXTS, [FIRST]).score
