from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from quality_estimation_metric.model_files import file as model_file


@pytest.fixture(scope="module")
def estimator() -> QualityEstimator:
    people = [f"{text} It is good." for text in TEXTS]
    return QualityEstimator(seed=1).fit(TEXTS, RATINGS, sources=SOURCES, references=people)


@pytest.fixture
def path(estimator: QualityEstimator, tmp_path: Path) -> Path:
    estimator.save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def rewrite(path: Path, change) -> None:
    """Change the arrays of a file."""
    with zipfile.ZipFile(path) as archive:
        arrays = {name: np.load(io.BytesIO(archive.read(name))) for name in archive.namelist()}
    change(arrays)
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            stream = io.BytesIO()
            np.lib.format.write_array(stream, array)
            archive.writestr(name, stream.getvalue())


def rewrite_meta(path: Path, change) -> None:
    def changed(arrays) -> None:
        meta = json.loads(arrays["meta.npy"].tobytes())
        change(meta)
        arrays["meta.npy"] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)

    rewrite(path, changed)


@pytest.mark.parametrize("texts", [True, False])
def test_a_model_that_was_read_estimates_as_the_one_that_was_written(
    estimator: QualityEstimator, tmp_path: Path, texts: bool
) -> None:
    estimator.save(tmp_path / "m", texts=texts)
    read = QualityEstimator.load(tmp_path / "m")
    one, other = (each.predict(TEXTS, sources=SOURCES) for each in (estimator, read))
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.lower, other.lower)
    assert one.signature == other.signature
    assert read.needs_sources
    assert read.get_params() == estimator.get_params()
    explained = read.explain(TEXTS[0], SOURCES[0])
    assert len(explained.neighbors) == (3 if texts else 0)
    assert explained.contributions == estimator.explain(TEXTS[0], SOURCES[0]).contributions


def test_without_texts_none_is_in_the_file(estimator: QualityEstimator, tmp_path: Path) -> None:
    estimator.save(tmp_path / "m", texts=False)
    with zipfile.ZipFile(tmp_path / "m") as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert not any(text.lower().encode() in content.lower() for text in TEXTS)


def test_equal_models_are_equal_files(path: Path, tmp_path: Path) -> None:
    QualityEstimator.load(path).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_other_files_are_refused(tmp_path: Path, path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such quality estimator"):
        QualityEstimator.load(tmp_path / "none")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        QualityEstimator.load(tmp_path)
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ValueError, match="it is not a quality estimator, or truncated"):
        QualityEstimator.load(tmp_path / "text")
    np.savez(tmp_path / "other.npz", a=np.ones(3))
    with pytest.raises(ValueError, match="it is not a quality estimator; write one"):
        QualityEstimator.load(tmp_path / "other.npz")
    (tmp_path / "cut").write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match="truncated"):
        QualityEstimator.load(tmp_path / "cut")
    np.savez(tmp_path / "pickled.npz", meta=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="only numbers are read"):
        QualityEstimator.load(tmp_path / "pickled.npz")


def test_another_version_is_refused(path: Path) -> None:
    rewrite_meta(path, lambda meta: meta.update(version=2))
    with pytest.raises(ValueError, match="format version 2, and this installation reads version 1"):
        QualityEstimator.load(path)


def test_sizes_are_bounded_before_memory_is_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_file, "MAX_BYTES", 1000)
    with pytest.raises(ValueError, match=r"it unpacks to .* bytes, and at most 1,000 are read"):
        QualityEstimator.load(path)


def set_item(name: str, value: float):
    def change(arrays) -> None:
        arrays[f"{name}.npy"] = arrays[f"{name}.npy"].copy()
        arrays[f"{name}.npy"][0] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        set_item("feature_weights", np.nan),
        set_item("characters.weights", np.inf),
        set_item("spread", 0.0),
        set_item("characters.idf", -1.0),
        set_item("quotients", 1e9),
        set_item("references.counts", -1),
        set_item("characters.terms", 255),
        set_item("ratings", np.nan),
        lambda arrays: arrays.update({"centre.npy": np.ones((2, 2))}),
        lambda arrays: arrays.pop("characters.weights.npy"),
        lambda arrays: arrays.update({"sources.npy": arrays["sources.npy"][:-5]}),
    ],
)
def test_values_that_no_estimator_has_are_refused(path: Path, change) -> None:
    rewrite(path, change)
    with pytest.raises(ValueError, match=str(path)):
        QualityEstimator.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda meta: meta["parameters"].update(level=3),
        lambda meta: meta["parameters"].update(depth=3),
        lambda meta: meta.update(scope="some"),
        lambda meta: meta.update(has_sources=1),
        lambda meta: meta["model"].update(names=["nothing"]),
        lambda meta: meta["model"].update(kinds=["images"]),
        lambda meta: meta["model"].update(bounds=[6, 1]),
        lambda meta: meta["model"].update(intercept="high"),
        lambda meta: meta["model"].update(scale_mean=True),
        lambda meta: meta["model"].pop("parts"),
        lambda meta: meta.pop("slots"),
    ],
)
def test_descriptions_that_no_estimator_has_are_refused(path: Path, change) -> None:
    rewrite_meta(path, change)
    with pytest.raises(ValueError, match=str(path)):
        QualityEstimator.load(path)


def test_a_recurrent_model_estimates_as_before_once_read(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch (qe)")
    fitted = QualityEstimator("gru").fit(TEXTS, RATINGS, sources=SOURCES)
    fitted.save(tmp_path / "gru.npz")
    read = QualityEstimator.load(tmp_path / "gru.npz")
    one, other = (model.predict(TEXTS[:6], sources=SOURCES[:6]) for model in (fitted, read))
    assert other.values.tolist() == one.values.tolist()
    assert other.lower.tolist() == one.lower.tolist()
    assert read.texts_ == list(TEXTS)
    with pytest.raises(ValueError, match='estimates of "gru" are no sum of terms'):
        read.explain(TEXTS[0], SOURCES[0])
