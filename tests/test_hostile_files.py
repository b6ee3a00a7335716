"""Saved files that someone made to do harm, with checksums that are right: refused with a `ValueError`, or harmless.

Every format goes through the same damage; what only one format can have wrong stands in its `WRONG`.
"""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.index_file import PARAMETERS
from bleu_neighbors_metric.index_file import SCHEMA as POOL
from bleu_neighbors_metric.kernels.registry import KERNELS
from bleu_neighbors_metric.mmap_index import folder as mmap_folder
from bleu_neighbors_metric.options import OF_DRAW, RUNTIME_PARAMETERS
from bleu_neighbors_metric.tokenizers import known_tokenizers
from metric_commons.files.archive import Schema, pack_strings, read_archive, write_archive
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES
from quality_estimation_metric.example import TEXTS as RATED
from quality_estimation_metric.model_files.file import SCHEMA as ESTIMATOR
from slor_metric.fluency import classes
from slor_metric.fluency.classes import WordClasses
from slor_metric.language_models import language, unigram
from slor_metric.language_models.language import LetterModel
from slor_metric.language_models.ngram import NgramLanguageModel, train_ngram
from slor_metric.language_models.ngram.storage import SCHEMA as NGRAM
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.measures import _SCHEMA as MEASURE
from slor_metric.measures import FittedMeasure

Arrays = dict[str, NDArray[Any]]
Change = Callable[[NDArray[Any]], Any]
TEXTS = ["the cat sat on the mat", "the cat sat on a mat", "a dog ate the mat", "näive ✓ cat 🙂"]
CANDIDATES = ["the cat sat", "", "a", "näive ✓", "the cat the cat the cat the cat", "\ud800 ."]
LINES = ["a cat sat on the mat .", "a dog sat .", "the cat ran to a dog .", "dogs and cats run ."] * 3


@dataclass(frozen=True)
class Format:
    """A format of saved files.

    Attributes:
        schema: what its archives hold.
        save: writes a good file.
        load: reads one.
        use: uses all that was read; raises where a file that was accepted does harm.
        mapped: whether the file is read as it lies.
        free: fields and arrays that any content of the right type fits.
    """

    schema: Schema
    save: Callable[[Path], object]
    load: Callable[[Path], Any]
    use: Callable[[Any], object]
    mapped: bool = False
    free: frozenset[str] = field(default=frozenset())


def pool_of(**parameters: Any) -> BLEUNeighbors:
    own = {"threshold": 0.1, "min_neighbors": 1, "max_fraction": 1.0, "progress": False, **parameters}
    return BLEUNeighbors(**own).fit(TEXTS, [0.9, 0.8, 0.3, 0.1])


def use_pool(metric: BLEUNeighbors) -> None:
    with np.errstate(over="ignore"):
        low, high = metric.quality_.min(), metric.quality_.max()
        slack = 1e-9 * max(abs(low), abs(high))
        for estimates in (metric.predict(CANDIDATES), metric.leave_one_out()):
            values = estimates.values[estimates.covered]
            assert ((values >= low - slack) & (values <= high + slack)).all()
    assert len(metric.kneighbors("the cat", k=3)) == min(3, len(metric.texts_))
    assert metric.signature


def use_language_model(model: NgramLanguageModel) -> None:
    batch = model.batch_logprobs(CANDIDATES)
    assert ((batch.logprobs <= 0) & np.isfinite(batch.logprobs)).all()
    assert ((batch.end_logprobs <= 0) & np.isfinite(batch.end_logprobs)).all()
    assert batch.unigram_logprobs is None or (batch.unigram_logprobs <= 0).all()
    assert model.signature


def use_estimator(estimator: QualityEstimator) -> None:
    texts = ["Loch Fyne serves serves food food.", RATED[0]]
    result = estimator.predict(texts, sources=[SOURCES[0]] * 2 if estimator.needs_sources else None)
    assert np.isfinite(result.values).all()
    assert estimator.signature


def save_estimator(path: Path) -> None:
    people = [f"{text} It is good." for text in RATED]
    QualityEstimator(seed=1).fit(RATED, RATINGS, sources=SOURCES, references=people).save(path)


FORMATS = {
    "pool": Format(POOL, lambda path: pool_of().save(path), BLEUNeighbors.load, use_pool),
    "mapped pool": Format(
        mmap_folder._SCHEMA,
        lambda path: pool_of().save_shared(path.parent),
        lambda path: BLEUNeighbors.load(path.parent),
        use_pool,
        mapped=True,
        free=frozenset({"pool_hash"}),
    ),
    "n-grams": Format(
        NGRAM,
        lambda path: train_ngram(LINES, path, order=3),
        NgramLanguageModel.load,
        use_language_model,
        free=frozenset({"smoothing"}),
    ),
    "n-grams in 8 bits": Format(
        NGRAM,
        lambda path: train_ngram(LINES, path, order=3, quantise=True),
        NgramLanguageModel.load,
        use_language_model,
        free=frozenset({"smoothing"}),
    ),
    "unigrams": Format(
        unigram._SCHEMA,
        lambda path: UnigramTable(["a", "b"], [1, 2], tokenizer="words").save(path),
        UnigramTable.load,
        lambda table: table.logprobs(["a", "c"]),
        free=frozenset({"tokenizer", "smoothing"}),
    ),
    "letters": Format(
        language._SCHEMA,
        lambda path: LetterModel(np.full(language.SIZE**3, -2.0)).save(path),
        LetterModel.load,
        lambda letters: letters.mean_logprobs(CANDIDATES),
    ),
    "word classes": Format(
        classes._SCHEMA,
        lambda path: WordClasses(["a", "b", "c"], np.array([0, 1, 1])).save(path),
        WordClasses.load,
        len,
    ),
    "measure": Format(
        MEASURE,
        lambda path: FittedMeasure(("slor", "unigram"), (1.0, 0.5), 0.1, "model", 30, {"fitted": 0.5}).save(path),
        FittedMeasure.load,
        lambda measure: measure(np.ones((2, len(measure.features)))),
        free=frozenset({"model", "agreement", "n_ratings"}),
    ),
    "quality estimator": Format(
        ESTIMATOR, save_estimator, QualityEstimator.load, use_estimator, free=frozenset({"hash", "slots"})
    ),
}


@dataclass
class Good:
    """A good file of a format, in parts: `write` writes it with changes."""

    format: Format
    path: Path
    header: dict[str, Any]
    arrays: Arrays

    def write(self, header: dict[str, Any] | None = None, arrays: Arrays | None = None, **changes: Any) -> None:
        own = {**(self.header if header is None else header), **changes}
        compress = not self.format.mapped
        write_archive(self.path, self.format.schema, own, self.arrays if arrays is None else arrays, compress=compress)

    def refused(self, message: str = "") -> str:
        with pytest.raises(ValueError, match=message or None) as refusal:
            self.format.load(self.path)
        assert str(self.path) in str(refusal.value)
        assert len(str(refusal.value)) < 700
        return str(refusal.value)

    def refused_or_harmless(self) -> bool:
        """Say whether the file was refused; one that was not is used."""
        refusal = ""
        try:
            loaded = self.format.load(self.path)
        except (ImportError, ValueError) as error:
            refusal = f"{type(error).__name__}: {error}"
        if not refusal:
            self.format.use(loaded)
            return False
        missing = refusal.startswith("ImportError") and "pip install" in refusal  # of the installation
        assert missing or str(self.path) in refusal
        return True


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Good]:
    found = {}
    for name, each in FORMATS.items():
        path = tmp_path_factory.mktemp("good") / mmap_folder.FILE
        each.save(path)
        found[name] = Good(each, path, *read_archive(path, each.schema))
    return found


@pytest.fixture(params=FORMATS)
def good(request: pytest.FixtureRequest, known: dict[str, Good], tmp_path: Path) -> Good:
    good = replace(known[request.param], path=tmp_path / mmap_folder.FILE)
    good.write()
    return good


def test_the_parts_make_a_good_file(good: Good) -> None:
    good.format.use(good.format.load(good.path))


def test_truncated_files_and_flipped_bits(good: Good) -> None:
    content = good.path.read_bytes()
    for size in (0, 1, 10, 100, len(content) // 2, len(content) - 2):
        good.path.write_bytes(content[:size])
        good.refused()
    refused = 0
    for at in range(0, len(content), max(1, len(content) // 40)):
        good.path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        refused += good.refused_or_harmless()  # what is left are bytes that mean nothing, such as a member's date
    assert refused > 10
    good.path.unlink()
    with pytest.raises((FileNotFoundError, IsADirectoryError)):
        good.format.load(good.path)


def test_foreign_files_and_other_versions(good: Good, known: dict[str, Good]) -> None:
    for content in (b"text,rating\na,1\n", pickle.dumps({"a": 1}), b"PK\x03\x04" + bytes(60), b"bleu-neighbors 1\n"):
        good.path.write_bytes(content)
        good.refused()
    for arrays in ({"a": np.arange(3)}, {"header": np.array([{"a": 1}], dtype=object)}, {"header": pack_strings("a")}):
        np.savez(good.path, **arrays)
        good.refused(r"header|no plain numbers|another program")
    for version in (0, 2, True, 1.0, "1"):
        good.write(version=version)
        good.refused(f"version {version!r}, and this release reads version 1")
    good.write(format="other")
    good.refused("another program")
    other = next(each for each in known.values() if each.format.schema.kind != good.format.schema.kind)
    write_archive(good.path, other.format.schema, other.header, other.arrays)
    good.refused("it holds what is called")


def test_headers(good: Good) -> None:
    for name, value in good.header.items():
        if name in good.format.schema.fields:
            good.write({key: own for key, own in good.header.items() if key != name})
            good.refused(f"'{name}' is missing")
        good.write(**{name: None})
        good.refused(name)
        good.write(**{name: math.nan})
        good.refused("NaN")
        for wrong in ({}, [], "other", -1, 10**30, True):
            good.write(**{name: wrong})
            accepted = not good.refused_or_harmless()
            assert not accepted or type(wrong) in (type(value), int), (name, wrong)
            assert not accepted or name in good.format.free or wrong == value, (name, wrong)
    good.write(run="x")
    good.refused("'run' is not known")


def test_arrays(good: Good) -> None:
    rules = good.format.schema.arrays
    rules = rules(good.header) if callable(rules) else rules
    for name, array in good.arrays.items():
        others = {key: own for key, own in good.arrays.items() if key != name}
        wrong_types = {"u1": "<u2"}.get(array.dtype.str[1:], "|u1")
        good.write(arrays={**others, name: array.astype(wrong_types)})
        good.refused(name)
        good.write(arrays={**others, name: array[np.newaxis]})
        good.refused(name)
        if not rules[name].optional:
            good.write(arrays=others)
            good.refused(f"lacks the array '{name}'")
        changes: list[Change] = [lambda own: own[..., :-1], lambda own: own[..., :0], lambda own: own[::-1].copy()]
        values = (np.nan, np.inf, -1e30, 50.0) if array.dtype.kind == "f" else (0, 255, -1, 2**62)
        for change in (*changes, *(setting(value) for value in values)):
            with np.errstate(over="ignore"):
                good.write(arrays={**others, name: change(array.copy())})
            refused = good.refused_or_harmless()
            assert refused or not np.isnan(change(array.copy()).astype(np.float64)).any()
    good.write(arrays={**good.arrays, "words_9": np.zeros(3)})
    good.refused("'words_9' is not known")


def setting(value: float) -> Change:
    """Return a change of the first number, cut to what its type holds."""

    def change(array: NDArray[Any]) -> NDArray[Any]:
        if array.dtype.kind in "ui":
            limits = np.iinfo(array.dtype)
            array.reshape(-1)[:1] = min(max(int(value), limits.min), limits.max)
        else:
            array.reshape(-1)[:1] = value
        return array

    return change


# --- what only one format can have wrong


def parameters(**changes: Any) -> dict[str, Any]:
    own = BLEUNeighbors(0.1, 1, 1.0).get_params()
    return {"parameters": {**{name: own[name] for name in PARAMETERS}, "ngram_orders": [2, 3, 4], **changes}}


def details(**changes: Any) -> Callable[[Good], dict[str, Any]]:
    return lambda good: {"model": {**good.header["model"], **changes}}


def packed(*texts: str) -> Arrays:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    return {"texts": np.frombuffer(b"".join(encoded), np.uint8), "ends": ends}


def floats(*values: float) -> NDArray[np.float64]:
    return np.array(values)


WRONG_POOLS: dict[str, tuple[Any, Any, str]] = {
    "negative order": (parameters(ngram_orders=[0, -1]), {}, "argument `ngram_orders`"),
    "order of 2^40": (parameters(ngram_orders=[2**40]), {}, "argument `ngram_orders`"),
    "no orders": (parameters(ngram_orders=[]), {}, "argument `ngram_orders`"),
    "a million orders": (parameters(ngram_orders=list(range(1, 400_000))), {}, "argument `ngram_orders`"),
    "orders as text": (parameters(ngram_orders="234"), {}, "argument `ngram_orders`"),
    "orders as an object": (parameters(ngram_orders={"2": 3}), {}, "argument `ngram_orders`"),
    "order that is a float": (parameters(ngram_orders=[2.0, 3]), {}, "argument `ngram_orders`"),
    "threshold above 1": (parameters(threshold=1.5), {}, "threshold"),
    "threshold that is true": (parameters(threshold=True), {}, "threshold"),
    "NaN threshold": (parameters(threshold=math.nan), {}, "NaN"),
    "no neighbours": (parameters(min_neighbors=0), {}, "min_neighbors"),
    "unknown kernel": (parameters(kernel="os.system"), {}, "kernel"),
    "kernel that is a list": (parameters(kernel=["bleu_star"]), {}, "kernel"),
    "tokeniser that is a list": (parameters(tokenize=["char"]), {}, "tokenize"),
    "options of no kernel": (parameters(kernel_options={"device": "x"}), {}, "kernel_options"),
    "options that are a list": (parameters(kernel_options=[1]), {}, "kernel_options"),
    "clip that is 1": (parameters(clip=1), {}, "clip"),
    "a parameter missing": ({"parameters": {}}, {}, "is missing"),
    "a parameter unknown": (parameters(callback="x"), {}, "'callback' is not known"),
    "a runtime parameter": (parameters(n_jobs=10_000), {}, "'n_jobs' is not known"),
    "a rating that is infinite": ({}, {"ratings": floats(math.inf, 0, 0, 0)}, "ratings"),
    "ratings without a finite sum": ({}, {"ratings": floats(*(1e308,) * 4)}, "sum is finite"),
    "counts that overflow": ({}, {"counts": np.full(4, 2**62)}, "counts"),
    "a count of 0": ({}, {"counts": np.array([1, 0, 1, 1])}, "counts"),
    "no texts": ({}, {**packed(), "ratings": floats(), "counts": np.zeros(0, np.int64)}, "ends"),
    "a text twice": ({}, packed("a", "a", "b", "c"), "twice"),
    "ends in no order": ({}, {"ends": np.array([3, 2, 3, 66])}, "ends"),
    "an end beyond": ({}, {"ends": np.array([1, 2, 3, 2**62])}, "ends"),
    "a character that is cut": (
        {},
        {"texts": packed("ä✓", "b", "c", "d")["texts"], "ends": np.array([1, 6, 7, 8])},
        "UTF-8",
    ),
}


def altered(name: str, change: Change) -> Callable[[Good], Arrays]:
    def arrays(good: Good) -> Arrays:
        found = np.ascontiguousarray(change(good.arrays[name].copy()))
        return {name: found}

    return arrays


def put(place: int, value: int) -> Change:
    def change(array: NDArray[Any]) -> NDArray[Any]:
        array[place] = value
        return array

    return change


WRONG: dict[str, dict[str, tuple[Any, Any, str]]] = {
    "pool": WRONG_POOLS,
    "mapped pool": {
        **WRONG_POOLS,
        "another kernel": (parameters(kernel="rouge_l", tokenize="13a"), {}, "kernel"),
        "n_parts of 0": ({"n_parts": 0}, {}, "n_parts"),
        "n_parts of 2": ({"n_parts": 2}, {}, "lacks the array"),
        "n_parts of 10^9": ({"n_parts": 10**9}, {}, "n_parts"),
        "threshold of 7": ({"threshold": 7.0}, {}, "threshold"),
        **{
            f"0.{name} {number}": ({}, altered(f"0.{name}", change), name)
            for name, changes in {
                "order": [put(0, 10**9), put(0, -1), np.zeros_like],
                "lengths": [put(0, 10**6), put(0, -1), lambda array: array[:-1]],
                "table": [
                    lambda array: np.where(array == -1, 1, array),
                    lambda array: array[:-1],
                    lambda array: np.where(array > 0, 10**9, array),
                    np.ravel,
                ],
                "starts": [put(1, 10**12), put(0, -8), lambda array: array[:-1]],
                "postings": [put(0, 10**6), put(0, -3), lambda array: array[::-1]],
                "dense_row": [put(5, 10**6), put(5, -2)],
                "dense": [np.invert, lambda array: array[:, :-1], lambda array: array[:, :0]],
                "vocabulary": [lambda _: np.array([255], dtype=np.uint8)],
            }.items()
            for number, change in enumerate(changes)
        },
    },
    "n-grams": {
        "order of 17": ({"order": 17, "sizes": [8] * 17}, {}, "order 17"),
        "order of 0": ({"order": 0, "sizes": []}, {}, "order 0"),
        "other sizes": ({"sizes": [1, 2, 3]}, {}, "array"),
        "sizes that are text": ({"sizes": ["1", "2", "3"]}, {}, "sizes"),
        "sizes below 0": ({"sizes": [-1, 2, 3]}, {}, "sizes"),
        "sizes of 2^62": ({"sizes": [2**62] * 3}, {}, "sizes"),
        "smoothing below 0": ({"smoothing": -1}, {}, "smoothing"),
        "smoothing of 10^308": ({"smoothing": 1e308}, {}, "smoothing"),
        "logprob above 0": ({}, altered("logprobs_2", lambda array: array + 100), "log"),
        "NaN back-off": ({}, altered("backoffs_1", lambda array: array * np.float32(math.nan)), "backoffs_1"),
        "infinite back-off": ({}, altered("backoffs_1", setting(math.inf)), "back-off"),
        "children below": ({}, altered("children_1", np.zeros_like), "children_1"),
        "children of 8 bytes": (
            {},
            altered("children_1", lambda array: np.full((8, array.shape[1]), 255, np.uint8)),
            "children_1",
        ),
        "planes of 3 bytes": (
            {},
            altered("children_1", lambda array: np.resize(array, (3, array.shape[1]))),
            "3 bytes",
        ),
        "words in no order": ({}, altered("words_2", np.zeros_like), "ascending"),
        "no counts": ({}, altered("counts", np.zeros_like), "counts"),
        "repeated tokens": ({}, {"tokens": pack_strings(["<unk>", "<s>", "</s>"] * 4)}, "token"),
        "tokens that are numbers": ({}, {"tokens": np.frombuffer(b"[1, 2]", np.uint8)}, "list of strings"),
        "half characters": ({}, {"tokens": pack_strings(["\ud800"])}, "Unicode"),
        "deep tokens": ({}, {"tokens": np.frombuffer(b"[" * 200_000, np.uint8)}, "nested too deeply"),
    },
    "unigrams": {
        "smoothing below 0": ({"smoothing": -1}, {}, "smoothing"),
        "smoothing of 10^308": ({"smoothing": 1e308}, {}, "smoothing"),
        "a count below 0": ({}, {"counts": np.array([-1, 2])}, "negative"),
        "counts that overflow": ({}, {"counts": np.array([2**62, 2**62])}, "2\\^53"),
        "no counts": ({}, {"counts": np.array([0, 0])}, "1 to 2\\^53 tokens"),
        "tokens twice": ({}, {"tokens": pack_strings(["a", "a"])}, "repeated"),
    },
    "measure": {"a feature of no coefficient": ({"features": ["slor"]}, {}, "features")},
    "quality estimator": {
        "level of 3": (lambda good: {"parameters": {**good.header["parameters"], "level": 3}}, {}, "level"),
        "unknown parameter": (lambda good: {"parameters": {**good.header["parameters"], "depth": 3}}, {}, "depth"),
        "unknown scope": ({"scope": "some"}, {}, "texts"),
        "unknown feature": (details(names=["nothing"]), {}, "not known here"),
        "unknown n-grams": (details(kinds=["images"]), {}, "not known here"),
        "empty range": (details(bounds=[6, 1]), {}, "range"),
        "intercept that is text": (details(intercept="high"), {}, "intercept"),
        "scale that is true": (details(scale_mean=True), {}, "scale_mean"),
        "no parts": (details(parts={}), {}, "parts"),
        "no spread": ({}, altered("spread", setting(0.0)), "spread"),
        "infinite weight": ({}, altered("characters.weights", setting(math.inf)), "weights"),
        "idf below 0": ({}, altered("characters.idf", setting(-1.0)), "idf"),
        "errors in no order": ({}, altered("quotients", setting(1e9)), "order"),
        "n-grams of no reference": ({}, altered("references.counts", setting(-1)), "references"),
        "terms that are no text": ({}, altered("characters.terms", setting(255)), "JSON|UTF-8|utf-8"),
        "ratings that are NaN": ({}, altered("ratings", setting(math.nan)), "ratings"),
        "sources that are cut": ({}, {"sources": pack_strings(["[]"])}, "sources"),
        "a source without text": (
            {},
            lambda good: {"sources": pack_strings(["[[1]]"] * good.header["n_texts"])},
            "source",
        ),
    },
}


@pytest.mark.parametrize(("form", "case"), [(form, case) for form, cases in WRONG.items() for case in cases])
def test_what_one_format_can_have_wrong(form: str, case: str, known: dict[str, Good], tmp_path: Path) -> None:
    good = replace(known[form], path=tmp_path / mmap_folder.FILE)
    header, arrays, message = WRONG[form][case]
    header, arrays = (change(good) if callable(change) else change for change in (header, arrays))
    good.write(arrays={**good.arrays, **arrays}, **header)
    good.refused(message)


def test_every_parameter_of_the_constructor_is_declared() -> None:
    assert set(BLEUNeighbors.parameter_names()) == {*PARAMETERS, "kernel_options", *OF_DRAW, *RUNTIME_PARAMETERS}


def test_the_command_line_refuses_in_one_line(known: dict[str, Good], tmp_path: Path) -> None:
    replace(known["pool"], path=tmp_path / "hostile.index").write(**parameters(ngram_orders=[0, -1]))
    (tmp_path / "texts.txt").write_text("the cat\n")
    program = "from referenceless_metrics.scripts import bleu_neighbors; bleu_neighbors()"
    command = [sys.executable, "-c", program, "score", "texts.txt", "--pool", "hostile.index"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert done.stderr.startswith("error: Expected hostile.index to be a file of referenceless-metrics that holds")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kernel": "bertscore", "kernel_options": {"encoder": "someone/encoder"}}, r"kernel_options\['encoder'\]"),
        ({"kernel": "meteor", "kernel_options": {"wordnet": "/somewhere"}}, r"kernel_options\['wordnet'\]"),
        ({"kernel": "rouge_l", "kernel_options": {"tokenize": "flores200"}}, r"kernel_options\['tokenize'\]"),
        ({"tokenize": "spm"}, "tokenize = 'spm'"),
    ],
)
def test_no_model_is_loaded_without_consent(
    changes: dict[str, Any], message: str, known: dict[str, Good], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[str] = []
    monkeypatch.setattr("bleu_neighbors_metric.fitted_pool.prepare_pool", lambda kernel, _: prepared.append(kernel))
    good = replace(known["pool"], path=tmp_path / "index")
    good.write(**parameters(**changes))
    good.refused(rf"names {message}.*allow_models=True.*--allow-models")
    assert not prepared
    BLEUNeighbors.load(good.path, allow_models=True)
    assert prepared


# --- files of anyone

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 40)
    | st.sampled_from([2**31, 2**53, 2**62, 2**63, -(2**63), 2**64, 10**30])
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["char", "13a", "bleu_star", "similarity", "floor", "add-k", "exp", "auto", "kernel", "unk"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
PLAUSIBLE = {
    "threshold": st.floats(-0.05, 1) | st.just("auto"),
    "min_neighbors": st.integers(0, 60),
    "max_fraction": st.floats(0, 1.05),
    "tokenize": st.sampled_from(known_tokenizers()),
    "ngram_orders": st.lists(st.integers(1, 40), min_size=1, max_size=6, unique=True)
    | st.lists(st.integers(-1, 8), max_size=40),
    "smooth_method": st.sampled_from(["none", "floor", "add-k", "exp", "other"]),
    "smooth_value": st.none() | st.floats(allow_nan=False) | st.floats(0, 2),
    "clip": st.booleans(),
    "kernel": st.sampled_from([name for name in KERNELS if name not in ("bleu_star_pos", "meteor")]),
    "weights": st.sampled_from(["uniform", "similarity"]),
    "kernel_options": st.dictionaries(
        st.sampled_from(sorted({name for kernel in KERNELS.values() for name in kernel.options})), ANYTHING, max_size=2
    ),
}


@st.composite
def tampered(draw: st.DrawFn, good: Good) -> tuple[dict[str, Any], Arrays]:
    header, arrays = dict(good.header), dict(good.arrays)
    kind = draw(st.integers(0, 5))
    if kind == 0:
        header[draw(st.sampled_from([*header, "version", "kind", "other"]))] = draw(ANYTHING)
    nested = [name for name in ("parameters", "model") if isinstance(header.get(name), dict)]
    if kind in (1, 2) and nested:
        own = dict(header[nested[-1]] if kind == 1 else header[nested[0]])
        for name in draw(st.lists(st.sampled_from(sorted(own)), max_size=2, unique=True)):
            own[name] = draw(PLAUSIBLE.get(name, ANYTHING) if kind == 2 else ANYTHING)
        header[nested[-1] if kind == 1 else nested[0]] = own
    if kind >= 3 and arrays:
        name = draw(st.sampled_from(sorted(arrays)))
        array = arrays[name].copy()
        if kind == 3:
            array = array[..., : draw(st.integers(0, max(array.shape[-1] - 1, 0)))]
        elif kind == 4:
            with np.errstate(invalid="ignore", over="ignore"):
                array = array.astype(draw(st.sampled_from(["u1", "i8", "u8", "f4", "f8", "i4", "f2"])))
        for _ in range(draw(st.integers(0, 3)) if array.size else 0):
            at = draw(st.integers(0, array.size - 1))
            odd = (
                [np.nan, np.inf, -np.inf, 1e-3, 50.0, -1e30, 0.0] if array.dtype.kind == "f" else [0, 1, 255, -1, 2**60]
            )
            with np.errstate(over="ignore"):
                array.reshape(-1)[at] = np.array(draw(st.sampled_from(odd))).astype(array.dtype)
        arrays[name] = array
    return header, arrays


def fuzz(n_examples: int, good: Good) -> tuple[int, int]:
    """Return how many files were accepted, and how many were refused."""
    outcomes = [0, 0]

    @settings(max_examples=n_examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(tampered(good))
    def run(parts: tuple[dict[str, Any], Arrays]) -> None:
        good.write(*parts)
        outcomes[good.refused_or_harmless()] += 1

    run()
    return outcomes[0], outcomes[1]


def test_files_of_anyone(good: Good) -> None:
    accepted, refused = fuzz(60, good)
    assert accepted > 0  # both ways are walked
    assert refused > 10


@pytest.mark.fuzz
def test_very_many_files_of_anyone(good: Good) -> None:
    accepted, refused = fuzz(10_000, good)
    assert accepted > 100
    assert refused > 1_000
