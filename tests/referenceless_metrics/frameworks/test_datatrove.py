"""A datatrove pipeline that scores, keeps and sets aside."""

import gzip
import json
import pickle
import sys

import pytest
from example_fits import CANDIDATES as TEXTS
from example_fits import fit
from refusals import refused
from text_files import write
from toy_metrics import Lengths

pytest.importorskip("datatrove")
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_metrics.frameworks.datatrove import ScoreFilter


@pytest.fixture
def folder(tmp_path):
    """Two files of documents, and an index."""
    (tmp_path / "in").mkdir()
    for name, texts in (("a", TEXTS[:5]), ("b", TEXTS[5:])):
        rows = (json.dumps({"text": text, "id": f"{name}{i}"}) for i, text in enumerate(texts))
        write(tmp_path / "in" / f"{name}.jsonl", rows)
    fit(0.08).save(tmp_path / "pool.index")
    return tmp_path


def run(folder, **options):
    """Return the documents that a pipeline keeps and those that it sets aside, metadata by text."""
    step = ScoreFilter(
        pool=folder / "pool.index", exclusion_writer=JsonlWriter(str(folder / "dropped")), batch_size=3, **options
    )
    pipeline = [JsonlReader(str(folder / "in")), step, JsonlWriter(str(folder / "kept"))]
    LocalPipelineExecutor(pipeline, tasks=2, workers=1, logging_dir=str(folder / "log")).run()
    return read(folder / "kept"), read(folder / "dropped")


def read(folder):
    rows = [
        json.loads(line) for path in folder.glob("*.gz") for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    return {row["text"]: row["metadata"] for row in rows}


def test_documents_are_scored_kept_and_set_aside(folder):
    result = BLEUNeighbors.load(folder / "pool.index").predict(TEXTS)
    kept, dropped = run(folder, threshold=0.6, columns=["n_neighbors"])
    expected = {text: value for text, value in zip(TEXTS, result.values.tolist(), strict=True) if value >= 0.6}
    assert {text: metadata["bleu_neighbors"] for text, metadata in kept.items()} == expected
    assert set(kept) | set(dropped) == set(TEXTS)
    reasons = {metadata["filter_reason"] for metadata in dropped.values()}
    assert reasons == {"below_threshold", "too_few_neighbours", "too_many_neighbours"}
    places = {text: metadata["bleu_neighbors_n_neighbors"] for text, metadata in (kept | dropped).items()}
    assert [places[text] for text in TEXTS] == result.n_neighbors.tolist()


def test_undefined_documents_and_pickles():
    from datatrove.data import Document

    step = pickle.loads(pickle.dumps(ScoreFilter(Lengths(strict=True), threshold=2.0)))
    assert step.filter_batch([Document(text, "") for text in ("", "a", "ab")]) == [
        (False, "empty_text"),
        (False, "below_threshold"),
        True,
    ]
    assert ScoreFilter(Lengths(strict=True), threshold=2.0).filter(Document("abc", "")) is True
    with refused("a document has 'lengths' among its metadata already"):
        step.filter(Document("abc", "", metadata={"lengths": 5}))


def test_without_datatrove_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "datatrove.pipeline.filters.base_filter", None)
    monkeypatch.delitem(sys.modules, "referenceless_metrics.frameworks.datatrove")
    with pytest.raises(ImportError, match=r"referenceless-metrics\[datatrove\]"):
        import referenceless_metrics.frameworks.datatrove  # noqa: F401
