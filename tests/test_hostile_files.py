"""Saved files that someone made to do harm, with checksums that are right: each is refused with a `ValueError`.

Every format goes through the same damage; faults that only one format can have stand in its `WRONG`. Generated damage,
of which some does no harm, runs behind the mark `fuzz`, also for formats without checksums: tables and ARPA files.
"""

from __future__ import annotations

import copy
import csv
import gzip
import math
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pyarrow import parquet

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.pool_file import SCHEMA as POOL
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES
from quality_estimation_metric.example import TEXTS as RATED
from quality_estimation_metric.model_files.file import SCHEMA as ESTIMATOR
from referenceless_metrics.core.files.archive import Schema, pack_strings, read_archive, unpack_strings, write_archive
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.core.support.validation import InputError
from slor_metric.language_models import classes as letters
from slor_metric.language_models.classes import LetterModel, WordClasses
from slor_metric.language_models.lstm.model import LSTMLanguageModel, SmallLanguageModel
from slor_metric.language_models.lstm.storage import SCHEMA as LSTM
from slor_metric.language_models.lstm.storage import SMALL
from slor_metric.language_models.ngram import NgramLanguageModel, train_ngram
from slor_metric.language_models.ngram.storage import SCHEMA as NGRAM
from slor_metric.language_models.prose import ProseReader
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.measures import FittedMeasure
from tests.support.tiny_small_model import SMALL_SHAPE, save_random_network, save_small_model

Arrays = dict[str, NDArray[Any]]
TEXTS = ["the cat sat on the mat", "the cat sat on a mat", "a dog ate the mat", "näive ✓ cat 🙂"]
CANDIDATES = ["the cat sat", "", "a", "näive ✓", "the cat the cat the cat the cat", "\ud800 ."]
LINES = ["a cat sat on the mat .", "a dog sat .", "the cat ran to a dog .", "dogs and cats run ."] * 3


@dataclass(frozen=True)
class Format:
    """A format of saved files.

    Attributes:
        schema: the schema of its archives.
        save: writes a good file.
        load: reads one.
        use: uses all that was read; raises if a file that was accepted does harm.
    """

    schema: Schema
    save: Callable[[Path], object]
    load: Callable[[Path], Any]
    use: Callable[[Any], object]


def save_pool(path):
    metric = BLEUNeighbors(threshold=0.1, min_neighbors=1, max_fraction=1.0, progress=False)
    metric.fit(TEXTS, [0.9, 0.8, 0.3, 0.1]).save(path)


def use_pool(metric):
    with np.errstate(over="ignore"):
        low, high = metric.ratings_.min(), metric.ratings_.max()
        slack = 1e-9 * max(abs(low), abs(high))
        for estimates in (metric.predict(CANDIDATES), metric.leave_one_out()):
            values = estimates.values[estimates.covered]
            assert ((values >= low - slack) & (values <= high + slack)).all()
    assert len(metric.kneighbors("the cat", k=3)) == min(3, len(metric.texts_))
    assert metric.signature


def use_language_model(model):
    batch = model.batch_logprobs(CANDIDATES)
    assert ((batch.logprobs <= 0) & np.isfinite(batch.logprobs)).all()
    assert ((batch.end_logprobs <= 0) & np.isfinite(batch.end_logprobs)).all()
    assert batch.unigram_logprobs is None or (batch.unigram_logprobs <= 0).all()
    assert model.signature


def use_estimator(estimator):
    texts = ["Loch Fyne serves serves food food.", RATED[0]]
    result = estimator.predict(texts, sources=[SOURCES[0]] * 2 if estimator.needs_sources else None)
    assert np.isfinite(result.values).all()
    assert estimator.signature


def save_estimator(path):
    QualityEstimator(seed=1).fit(RATED, RATINGS, sources=SOURCES).save(path)


def ngrams(**options):
    def save(path):
        return train_ngram(LINES, path, order=3, **options)

    return Format(NGRAM, save, NgramLanguageModel.load, use_language_model)


FORMATS = {
    "pool": Format(POOL, save_pool, BLEUNeighbors.load, use_pool),
    "n-grams": ngrams(),
    "n-grams in 8 bits": ngrams(max_ngrams=10**6),
    "small model": Format(SMALL, save_small_model, SmallLanguageModel.load, use_language_model),
    "LSTM": Format(
        LSTM, lambda path: save_random_network(path, SMALL_SHAPE), LSTMLanguageModel.load, use_language_model
    ),
    "unigrams": Format(
        UnigramTable.SCHEMA,
        lambda path: UnigramTable(["a", "b"], [1, 2], tokenizer="words").save(path),
        UnigramTable.load,
        lambda table: table.logprobs(["a", "c"]),
    ),
    "letters": Format(
        LetterModel.SCHEMA,
        lambda path: LetterModel(np.full(letters.SIZE**3, -2.0)).save(path),
        LetterModel.load,
        lambda loaded: ProseReader(loaded, ["the"]).read(CANDIDATES).letters,
    ),
    "word classes": Format(
        WordClasses.SCHEMA,
        lambda path: WordClasses(["a", "b", "c"], np.array([0, 1, 1])).save(path),
        WordClasses.load,
        len,
    ),
    "measure": Format(
        FittedMeasure.SCHEMA,
        lambda path: FittedMeasure(("slor", "unigram"), (1.0, 0.5), 0.1, "model", 30, {"fitted": 0.5}).save(path),
        FittedMeasure.load,
        lambda measure: measure(np.ones((2, len(measure.features)))),
    ),
    "quality estimator": Format(ESTIMATOR, save_estimator, QualityEstimator.load, use_estimator),
}


@dataclass
class Good:
    """A good file of a format, in parts: `write` writes it with changes."""

    format: Format
    path: Path
    header: dict[str, Any]
    arrays: Arrays

    def write(self, header=None, arrays=None, **changes):
        own = {**(self.header if header is None else header), **changes}
        write_archive(self.path, self.format.schema, own, self.arrays if arrays is None else arrays)

    def refused(self, message=""):
        with pytest.raises(ValueError, match=message or None) as refusal:
            self.format.load(self.path)
        assert str(self.path) in str(refusal.value)
        assert len(str(refusal.value)) < 700
        return str(refusal.value)

    def refused_or_harmless(self):
        """Say whether the file was refused; one that was not is used."""
        refusal = ""
        try:
            loaded = self.format.load(self.path)
        except (ImportError, ValueError) as error:
            refusal = f"{type(error).__name__}: {error}"
        if not refusal:
            try:
                self.format.use(loaded)
            except (ImportError, RuntimeError) as error:  # of sacrebleu, for a tokenizer whose package is missing
                refusal = str(error)
            assert not refusal or "pip install s" in refusal
            return False
        missing = refusal.startswith("ImportError") and "pip install" in refusal  # of the installation
        assert missing or str(self.path) in refusal
        return True


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    found = {}
    for name, each in FORMATS.items():
        path = tmp_path_factory.mktemp("good") / "saved"
        each.save(path)
        found[name] = Good(each, path, *read_archive(path, each.schema))
    return found


@pytest.fixture(params=FORMATS)
def good(request, known, tmp_path):
    good = replace(known[request.param], path=tmp_path / "saved")
    good.write()
    return good


def test_truncated_files(good):
    content = good.path.read_bytes()
    for size in (0, 1, 10, 100, len(content) // 2, len(content) - 2):
        good.path.write_bytes(content[:size])
        good.refused()
    good.path.unlink()
    with pytest.raises((FileNotFoundError, IsADirectoryError)):
        good.format.load(good.path)


@pytest.mark.fuzz
def test_flipped_bits(good):
    content = good.path.read_bytes()
    refused = 0
    for at in range(0, len(content), max(1, len(content) // 40)):
        good.path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        refused += good.refused_or_harmless()  # the remaining bytes mean nothing, such as a member's date
    assert refused > 10


def test_foreign_files_and_other_versions(good, known):
    for content in (b"text,rating\na,1\n", pickle.dumps({"a": 1}), b"PK\x03\x04" + bytes(60), b"bleu-neighbors 1\n"):
        good.path.write_bytes(content)
        good.refused()
    with good.path.open("wb") as file:
        np.savez(file, a=np.arange(3))
    good.refused("an earlier release: write it anew")
    for version in (0, 3, True, 1.0, "1"):
        good.write(version=version)
        good.refused(f"version {version!r}, and this release reads version {good.format.schema.version}")
    other = next(each for each in known.values() if each.format.schema.kind != good.format.schema.kind)
    write_archive(good.path, other.format.schema, other.header, other.arrays)
    good.refused(f"it holds another kind of content: {other.format.schema.kind}")


def test_headers(good):
    for name, value in good.header.items():
        if name in good.format.schema.fields:
            good.write({key: own for key, own in good.header.items() if key != name})
            good.refused(f"'{name}' is missing")
        good.write(**{name: None})
        good.refused(name)
        good.write(**{name: math.nan})
        good.refused("NaN")
        for wrong in ({}, [], "other", True):
            if type(wrong) is not type(value):
                good.write(**{name: wrong})
                good.refused()
    good.write(run="x")
    good.refused("'run' is not known")


def setting(value, at=0):
    """Return a change of one number, cut to the range of its type."""

    def change(array):
        limits = np.iinfo(array.dtype) if array.dtype.kind in "ui" else None
        array.reshape(-1)[at : at + 1] = min(max(int(value), limits.min), limits.max) if limits else value
        return array

    return change


# --- faults that only one format can have


def renewed(**changes):
    return lambda own: {**own, **changes}


def each(name, *values, message="", part=""):
    """Return a case for each wrong value of a field or array, or of one part of it."""
    wrong = [renewed(**{part: value}) if part else value for value in values]
    return [({name: value}, message or part or name.rpartition(".")[2]) for value in wrong]


WRONG_POOLS = [
    *each("parameters", [0, -1], [2**40], [], list(range(1, 400_000)), "234", {"2": 3}, [2.0, 3], part="ngram_orders"),
    *each("parameters", 1.5, True, part="threshold"),
    *each("parameters", math.nan, part="threshold", message="NaN"),
    *each("parameters", 0, part="min_neighbors"),
    *each("parameters", "os.system", ["bleu_star"], part="kernel"),
    *each("parameters", ["char"], part="tokenize"),
    *each("parameters", {"device": "x"}, [1], part="kernel_options"),
    *each("parameters", 1, part="clip"),
    *each("parameters", {}, message="is missing"),
    *each("parameters", "x", part="callback", message="'callback' is not known"),
    *each("parameters", 10_000, part="n_jobs", message="'n_jobs' is not known"),
    *each("ratings", np.array([math.inf, 0, 0, 0])),
    *each("ratings", np.full(4, 1e308), message="sum is finite"),
    *each("counts", np.full(4, 2**62), np.array([1, 0, 1, 1])),
    ({"texts": pack_strings([]), "ratings": np.zeros(0), "counts": np.zeros(0, np.int64)}, "texts"),
    *each("texts", pack_strings("aabc"), message="write one with `referenceless fit`.*twice"),
    *each("texts", pack_strings("abc"), message="not as many"),
    *each("texts", np.frombuffer(b'["a\xc3","b","c","d"]', np.uint8), message="utf-8"),  # a character is cut
]
WRONG = {
    "pool": WRONG_POOLS,
    "n-grams": [
        ({"order": 17, "sizes": [8] * 17}, "order 17"),
        ({"order": 0, "sizes": []}, "order 0"),
        *each("sizes", [1, 2, 3], message="array"),
        *each("oov", "skip", message="'skip', which there is no longer: train it anew"),
        *each("sizes", ["1", "2", "3"], [-1, 2, 3], [2**62] * 3),
        *each("smoothing", -1, 1e308),
        *each("logprobs", lambda own: own + 100, message="log"),
        *each("backoffs", lambda own: own * np.float32(math.nan)),
        *each("backoffs", setting(math.inf), message="back-off"),
        *each("children", np.zeros_like, lambda own: np.full_like(own, 65_535), message="children do not add up"),
        *each("words", np.zeros_like, message="ascending"),
        *each("counts", np.zeros_like, setting(-1)),
        *each("tokens", pack_strings(["<unk>", "<s>", "</s>"] * 4), message="token"),
        *each("tokens", np.frombuffer(b"[1, 2]", np.uint8), message="list of strings"),
        *each("tokens", pack_strings(["\ud800"]), message="Unicode"),
        *each("tokens", np.frombuffer(b"[" * 200_000, np.uint8), message="nested too deeply"),
    ],
    "small model": [
        *each("bounds", [], lambda own: own[-1:], lambda own: [60, 20, own[-1]], message=SMALL.holds),
        *each("hidden", 10**9, message=SMALL.holds),
        *each("width", True),
        *each("tokens", lambda own: pack_strings(["a"] * len(unpack_strings(own))), message=SMALL.holds),
        *each("lstm_bias", lambda own: np.full_like(own, np.nan)),
        *each("head_scales", np.negative),
    ],
    "LSTM": [
        *each("shape", {"vocabulary": 3}, {"size": 3}, message=LSTM.holds),
        *each("shape", 10**9, part="hidden", message=LSTM.holds),
        *each("shape", 10**9, True, part="layers"),
        *each("counts", lambda own: own[:1], lambda own: np.full_like(own, -1)),
    ],
    "unigrams": [
        *each("smoothing", -1, 1e308),
        *each("counts", np.array([-1, 2]), message="negative"),
        *each("counts", np.array([2**62, 2**62]), message="2\\^53"),
        *each("counts", np.array([0, 0]), message="1 to 2\\^53 tokens"),
        *each("tokens", pack_strings(["a", "a"]), message="repeated"),
    ],
    "measure": each("features", ["slor"]),
    "quality estimator": [
        *each("parameters", 3, part="level"),
        *each("parameters", 3, part="depth"),
        *each("scope", "some", message="texts"),
        *each("has_sources", False, message="not known here"),  # its features are of sources
        *each("model", ["nothing"], part="names", message="not known here"),
        *each("model", ["images"], part="kinds", message="not known here"),
        *each("model", "0123abcd", part="language_models", message="other language models.*fit it anew"),
        *each("model", [6, 1], part="bounds", message="range"),
        *each("model", "high", part="intercept"),
        *each("model", True, part="scale_mean"),
        *each("model", {}, part="parts"),
        *each("spread", setting(0.0)),
        *each("characters.weights", setting(math.inf)),
        *each("characters.idf", setting(-1.0)),
        *each("quotients", setting(1e9), message="order"),
        *each("characters.terms", setting(255), message="JSON|UTF-8|utf-8"),
        *each(
            "characters.terms",
            lambda own: pack_strings([f"longer{term}" for term in unpack_strings(own)]),  # in order, and of no order
            message="its terms are no characters",
        ),
        *each("ratings", setting(math.nan)),
        *each("sources", pack_strings(["[]"]), pack_strings(["[[1]]"] * len(RATED)), message="source"),
    ],
}


@pytest.mark.parametrize("form, changes, message", [(form, *case) for form, cases in WRONG.items() for case in cases])
def test_what_one_format_can_have_wrong(form, changes, message, known, tmp_path):
    good = replace(known[form], path=tmp_path / "saved")
    header, arrays = dict(good.header), dict(good.arrays)
    for name, change in changes.items():
        parts = header if name in header else arrays
        new = change(copy.deepcopy(parts[name])) if callable(change) else change
        parts[name] = np.ascontiguousarray(new) if isinstance(new, np.ndarray) else new
    good.write(header, arrays)
    good.refused(message)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"kernel": "rouge_l", "kernel_options": {"tokenize": "flores200"}}, r"kernel_options\['tokenize'\]"),
        ({"tokenize": "spm"}, "tokenize = 'spm'"),
    ],
)
def test_no_model_is_loaded_without_consent(changes, message, known, tmp_path):
    good = replace(known["pool"], path=tmp_path / "index")
    good.write(parameters={**good.header["parameters"], **changes})
    good.refused(rf"names {message}.*allow_models=True.*--allow-models")


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


@st.composite
def tampered(draw, good):
    header, arrays = copy.deepcopy(good.header), dict(good.arrays)
    if not arrays or draw(st.booleans()):
        nested = [header[name] for name in ("parameters", "model") if isinstance(header.get(name), dict)]
        part = draw(st.sampled_from([header, *nested]))
        part[draw(st.sampled_from(sorted({*part, "version", "kind", "other"})))] = draw(ANYTHING)
        return header, arrays
    name = draw(st.sampled_from(sorted(arrays)))
    array = arrays[name][..., : draw(st.sampled_from([None, 0, 1, -1]))]
    with np.errstate(invalid="ignore", over="ignore"):
        array = array.astype(draw(st.sampled_from([array.dtype, "u1", "i8", "u8", "f4", "f8", "i4", "f2"])))
        for _ in range(draw(st.integers(0, 3)) if array.size else 0):
            odd = [np.nan, np.inf, -np.inf, 1e-3, -1e30, 0.0] if array.dtype.kind == "f" else [0, 1, 255, -1, 2**60]
            at = draw(st.integers(0, array.size - 1))
            array.reshape(-1)[at] = np.array(draw(st.sampled_from(odd))).astype(array.dtype)
    return header, {**arrays, name: array}


@pytest.mark.fuzz
def test_files_of_anyone(good):
    outcomes = [0, 0]

    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(tampered(good))
    def run(parts):
        good.write(*parts)
        outcomes[good.refused_or_harmless()] += 1

    run()
    assert outcomes[0] > 0  # both ways are walked
    assert outcomes[1] > 10


# --- files of others, which have no checksums

ROWS = {
    "text": ["the cat sat", 'a "dog", he said', "näive\n✓ 🙂", "", "1,5", "x" * 50] * 3,
    "rating": [0.9, 0.25, -3.0, 1e5, 0.0, 0.5] * 3,
}


def delimited():
    return pd.DataFrame(ROWS).to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode()


def parquet_file():
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(ROWS), sink, row_group_size=7)
    return bytes(sink.getvalue())


def arpa(folder):
    train_ngram(LINES, folder / "lm.npz", order=3).to_arpa(folder / "lm.arpa")
    return (folder / "lm.arpa").read_bytes()


def read_rows(path):
    found = read_rated(str(path))
    assert len(found.texts) == len(found.ratings) > 0
    assert np.isfinite(found.ratings).all()
    "".join(found.texts).encode()


def read_arpa_file(path):
    with np.errstate(over="ignore"):
        use_language_model(NgramLanguageModel.from_arpa(path))


FOREIGN = {
    "a.csv": (lambda _: delimited(), read_rows),
    "a.jsonl": (lambda _: pd.DataFrame(ROWS).to_json(orient="records", lines=True).encode(), read_rows),
    "a.parquet": (lambda _: parquet_file(), read_rows),
    "a.csv.gz": (lambda _: delimited(), read_rows),
    "a.arpa": (arpa, read_arpa_file),
}
INSERTED = (b"\0", b"\xff", b'"', b"\n", b"\r", b",", b"\t", b"nan", b"1e999", b"-1", b"{", b"[" * 3000, b"9" * 5000)


def mutated(content, rng):
    """Return content with one to three wounds: a bit, a cut, a copy, an insertion or an early end."""
    changed = bytearray(content)
    for kind in rng.integers(10, size=rng.integers(1, 4)).tolist():
        at = int(rng.integers(max(1, len(changed))))
        end = at + int(rng.integers(1, 40))
        if kind < 3:
            changed[at : at + 1] = bytes(byte ^ (1 << int(rng.integers(8))) for byte in changed[at : at + 1])
        elif kind < 5:
            del changed[at:end]
        elif kind < 7:
            changed[at:at] = changed[at:end]
        elif kind < 9:
            changed[at:at] = INSERTED[int(rng.integers(len(INSERTED)))]
        else:
            del changed[at:]
    return bytes(changed)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", FOREIGN)
def test_mutated_files_of_others(name, tmp_path):
    n_files = 1_000
    make, read = FOREIGN[name]
    good, path, rng = make(tmp_path), tmp_path / name, np.random.default_rng(7)
    refused = 0
    for number in range(n_files):
        inside = not name.endswith(".gz") or number % 2
        content = mutated(good, rng) if inside else mutated(gzip.compress(good, mtime=0), rng)
        path.write_bytes(gzip.compress(content, 1) if inside and name.endswith(".gz") else content)
        told = ""
        try:
            read(path)
        except ValueError as error:
            assert type(error) in (ValueError, InputError), number  # noqa: PT017
            told = str(error)
            refused += 1
        assert not told or str(path) in told, (number, told)
        assert "\n" not in told, (number, told)
        assert len(told) < 700, (number, told)
    assert refused > n_files // 10
