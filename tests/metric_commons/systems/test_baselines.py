import pytest
from command_lines import done, typed
from refusals import refused
from text_files import write

from metric_commons.systems.baselines import NAMES, Rouge, baseline, canonical_name

TEXTS = ["the cat sat on the mat", "dogs bark at night", "it rains"]
STREAMS = [["a cat sat on the mat", "the dogs bark by night", "it rains"]]


def test_names_in_any_case():
    assert [canonical_name(name.upper()) for name in NAMES] == list(NAMES)
    with refused("bleu"):
        canonical_name("bleurt")


def test_beside_a_metric(folder):
    for name, texts in (("a.txt", TEXTS), ("b.txt", ["the cat sat on a mat", "bark dogs", "it rained"])):
        write(name, texts)
    write("references.txt", STREAMS[0])
    line = "compare a.txt b.txt --metric slor --references references.txt --n-samples 50 --with"
    output = done(line, ",".join(NAMES)).output
    for title in ("BLEU", "chrF2", "TER", "ROUGE-1", "ROUGE-L"):
        assert title in output
    assert "'bleurt'" in typed(f"{line} bleurt", 2).err


@pytest.mark.parametrize("kind", ["rouge1", "rouge2", "rougeL"])
def test_values_are_rouge_scores(kind):
    texts, references = ["The cat sat on mats.", ""], ["A cat was sitting on the mat.", "Something."]
    metric = baseline(kind)
    scorer = pytest.importorskip("rouge_score.rouge_scorer")
    own = scorer.RougeScorer([kind])
    expected = [own.score(r, t)[kind].fmeasure for t, r in zip(texts, references, strict=True)]
    assert metric.segment_scores(texts, [references]).tolist() == expected
    assert metric.name in metric.corpus_score(texts, [references]).format()
    assert "measure:fmeasure|stem:no" in str(metric.get_signature())


def test_bad_options():
    with refused("`kind`"):
        Rouge("rouge3")
