"""Index files that someone made to do harm: each is refused with a `ValueError` that names it, or is harmless."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_files import PARAMETERS, TEXTS, arrays_of, index_bytes

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.index_file import read_index
from bleu_neighbors_metric.kernels.registry import KERNELS
from bleu_neighbors_metric.options import RUNTIME_PARAMETERS
from bleu_neighbors_metric.tokenizers import known_tokenizers

CANDIDATES = ["the cat sat", "", "a", "näive ✓", "the cat the cat the cat the cat"]


def changed(**parameters: Any) -> dict[str, Any]:
    return {**PARAMETERS, **parameters}


def without(name: str) -> dict[str, Any]:
    return {known: value for known, value in PARAMETERS.items() if known != name}


def test_the_file_made_by_hand_is_a_good_one(tmp_path: Path) -> None:
    path = tmp_path / "index"
    path.write_bytes(index_bytes())
    metric = BLEUNeighbors.load(path)
    assert metric.texts_ == list(TEXTS)
    again = tmp_path / "again"
    metric.save(again)
    assert json.loads(again.read_bytes().split(b"\n")[2])["parameters"] == PARAMETERS
    # A new parameter of the constructor has to be declared in `index_file._HEADERS`.
    assert set(metric.parameter_names()) == {*read_index(again).parameters, "kernel_options", *RUNTIME_PARAMETERS}


NESTED = b'{"parameters": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
TWICE = json.dumps({"parameters": PARAMETERS, "bytes": {}}).replace('"clip"', '"clip": true, "clip"').encode()

HOSTILE = {
    "negative order": (index_bytes(parameters=changed(ngram_orders=[0, -1])), "ngram_orders"),
    "order of 2^40": (index_bytes(parameters=changed(ngram_orders=[2**40])), "ngram_orders"),
    "no orders": (index_bytes(parameters=changed(ngram_orders=[])), "ngram_orders"),
    "a million orders": (index_bytes(parameters=changed(ngram_orders=list(range(1, 400_000)))), "ngram_orders"),
    "orders as text": (index_bytes(parameters=changed(ngram_orders="234")), "ngram_orders"),
    "orders as an object": (index_bytes(parameters=changed(ngram_orders={"2": 3})), "ngram_orders"),
    "order that is a float": (index_bytes(parameters=changed(ngram_orders=[2.0, 3])), "ngram_orders"),
    "threshold above 1": (index_bytes(parameters=changed(threshold=1.5)), "threshold"),
    "threshold of 10^400": (
        index_bytes(header=json.dumps({"parameters": PARAMETERS, "bytes": {}}).replace("0.1", "1e400").encode()),
        "sizes",
    ),
    "threshold that is true": (index_bytes(parameters=changed(threshold=True)), "threshold"),
    "no neighbours": (index_bytes(parameters=changed(min_neighbors=0)), "min_neighbors"),
    "unknown kernel": (index_bytes(parameters=changed(kernel="os.system")), "kernel"),
    "kernel that is a list": (index_bytes(parameters=changed(kernel=["bleu_star"])), "kernel"),
    "tokeniser that is a list": (index_bytes(parameters=changed(tokenize=["char"])), "tokenize"),
    "options of no kernel": (index_bytes(parameters=changed(kernel_options={"device": "x"})), "kernel_options"),
    "options that are a list": (index_bytes(parameters=changed(kernel_options=[1])), "kernel_options"),
    "clip that is 1": (index_bytes(parameters=changed(clip=1)), "clip"),
    "a parameter missing": (index_bytes(parameters=without("clip")), "'clip' is missing"),
    "a parameter unknown": (index_bytes(parameters=changed(callback="x")), "'callback' is not known"),
    "a runtime parameter": (index_bytes(parameters=changed(n_jobs=10_000)), "'n_jobs' is not known"),
    "parameters that are a list": (index_bytes(parameters=[]), "parameters"),
    "a header that is a list": (index_bytes(header=[]), "its header should be an object"),
    "an empty header": (index_bytes(header={}), "'bytes' is missing"),
    "a header with more": (
        index_bytes(header={"parameters": PARAMETERS, "bytes": {}, "run": "x"}),
        "'run' is not known",
    ),
    "a header without end": (index_bytes(header=b"{", compressed=b"").replace(b"{\n", b"{"), "checksum"),
    "a header that is no JSON": (index_bytes(header=b"parameters"), "JSON cannot be read"),
    "a header that is not UTF-8": (index_bytes(header=b'{"\xff": 1}'), "not UTF-8"),
    "deep nesting": (index_bytes(header=NESTED), "nested too deeply"),
    "NaN in JSON": (index_bytes(parameters=changed(threshold=math.nan)), "NaN"),
    "a name twice": (index_bytes(header=TWICE), "a name twice"),
    "NaN quality": (index_bytes(arrays=arrays_of(quality=(math.nan, 0, 0, 0))), "ratings"),
    "infinite quality": (index_bytes(arrays=arrays_of(quality=(math.inf, 0, 0, 0))), "ratings"),
    "quality without a finite sum": (index_bytes(arrays=arrays_of(quality=(1e308,) * 4)), "sum is finite"),
    "a negative length": (index_bytes(arrays=arrays_of(lengths=(-1, 20, 17, 50))), "lengths"),
    "a length of 2^62": (index_bytes(arrays=arrays_of(lengths=(2**62, 2**62, 2**62, 2**62))), "lengths"),
    "lengths that cut a character": (index_bytes(arrays=arrays_of(lengths=(22, 20, 19, 17))), "UTF-8"),
    "lengths that are too short": (index_bytes(arrays=arrays_of(lengths=(1, 1, 1, 1))), "lengths"),
    "counts of another length": (index_bytes(arrays=arrays_of(counts=(1, 1))), "sizes of its arrays"),
    "quality of another length": (index_bytes(arrays=arrays_of(quality=(1, 1))), "sizes of its arrays"),
    "a count of 0": (index_bytes(arrays=arrays_of(counts=(1, 0, 1, 1))), "numbers of ratings"),
    "a count of -1": (index_bytes(arrays=arrays_of(counts=(1, -1, 1, 1))), "numbers of ratings"),
    "counts that overflow": (index_bytes(arrays=arrays_of(counts=(2**62,) * 4)), "numbers of ratings"),
    "a text twice": (index_bytes(arrays=arrays_of(texts=("a", "a", "b", "c"))), "twice"),
    "no texts": (index_bytes(arrays=arrays_of((), ())), "sizes of its arrays"),
    "texts that are not UTF-8": (index_bytes(arrays=arrays_of(texts=(b"\xff\xfe", "a", "b", "c"))), "UTF-8"),
    "trailing bytes": (index_bytes(after=b"more"), "declared sizes"),
    "a second stream": (index_bytes(after=zlib.compress(b"more")), "declared sizes"),
    "no compressed data": (index_bytes(compressed=b""), "declared sizes"),
    "no zlib": (index_bytes(compressed=b"x" * 100), "cannot be decompressed"),
    "half the data": (index_bytes(compressed=zlib.compress(b"".join(arrays_of().values()))[:40]), "declared sizes"),
    "more than declared": (index_bytes(compressed=zlib.compress(b"x" * 10_000)), "declared sizes"),
    "negative sizes": (index_bytes(sizes={"texts": -1, "lengths": 8, "counts": 8, "quality": 8}), "sizes"),
    "sizes that are no numbers": (
        index_bytes(sizes={"texts": "1", "lengths": 8, "counts": 8, "quality": 8}),
        "'texts' should be int",
    ),
    "sizes of other arrays": (index_bytes(sizes={"texts": 1}), "is missing"),
    "10^13 texts": (
        index_bytes(sizes={"texts": 10**13, "lengths": 8 * 10**13, "counts": 8 * 10**13, "quality": 8 * 10**13}),
        "beyond what is read",
    ),
    "version 0": (index_bytes(version=b"0"), "format version 0"),
    "version 01": (index_bytes(version=b"01"), "format version 01"),
    "a version in other digits": (index_bytes(version="١".encode()), "format version"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name: str, tmp_path: Path) -> None:
    content, message = HOSTILE[name]
    path = tmp_path / "hostile.index"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as refused:
        BLEUNeighbors.load(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert len(str(refused.value)) < 600
    assert "Expected argument `ngram_orders`" in str(refused.value) or "ngram_orders" not in message


def test_the_command_line_refuses_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "hostile.index").write_bytes(HOSTILE["negative order"][0])
    (tmp_path / "texts.txt").write_text("the cat\n")
    program = "from referenceless_metrics.__main__ import main; main()"
    command = [sys.executable, "-c", program, "score", "texts.txt", "--index", "hostile.index"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert done.stderr.startswith("error: hostile.index: the index cannot be used: Expected argument `ngram_orders`")


def bomb(megabytes: int) -> bytes:
    """Return a file of a thousandth of the size that it unpacks to: one text of spaces."""
    size = megabytes * 2**20
    stream = zlib.compressobj(9)
    packed = b"".join(stream.compress(b" " * 2**20) for _ in range(megabytes))
    tail = np.array([size], "<i8").tobytes() + np.array([1], "<i8").tobytes() + np.array([0.5], "<f8").tobytes()
    sizes = {"texts": size, "lengths": 8, "counts": 8, "quality": 8}
    return index_bytes(sizes=sizes, compressed=packed + stream.compress(tail) + stream.flush())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (bomb(32), r"declares 33,554,4\d\d bytes of content in \d\d,\d{3} of its own"),
        (index_bytes(compressed=zlib.compress(b" " * (32 * 2**20))), "declared sizes"),  # it declares little
    ],
    ids=["declared", "hidden"],
)
def test_a_bomb_takes_no_memory(content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metric_commons.files.bounds.ALWAYS_ALLOWED", 2**20)
    path = tmp_path / "bomb.index"
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=message):
            BLEUNeighbors.load(path)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_what_a_pool_of_nothing_but_spaces_saves_can_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metric_commons.files.bounds.ALWAYS_ALLOWED", 1000)
    texts = [" " * 50_000, " " * 50_001]
    metric = BLEUNeighbors(min_neighbors=1, max_fraction=1.0).fit(texts, [0.1, 0.2])
    metric.save(tmp_path / "index")
    assert BLEUNeighbors.load(tmp_path / "index").texts_ == texts


def test_devices_are_refused() -> None:
    with pytest.raises(ValueError, match="neither a file nor a pipe"):
        BLEUNeighbors.load("/dev/zero")


MODELS = [
    ({"kernel": "bertscore", "kernel_options": {"encoder": "someone/encoder"}}, r"kernel_options\['encoder'\]"),
    ({"kernel": "meteor", "kernel_options": {"wordnet": "/somewhere"}}, r"kernel_options\['wordnet'\]"),
    ({"kernel": "rouge_l", "kernel_options": {"tokenize": "flores200"}}, r"kernel_options\['tokenize'\]"),
    ({"tokenize": "spm"}, "tokenize = 'spm'"),
]


@pytest.mark.parametrize(("parameters", "message"), MODELS)
def test_nothing_is_loaded_without_consent(
    parameters: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[str] = []
    monkeypatch.setattr("bleu_neighbors_metric.estimator.prepare_pool", lambda kernel, _: prepared.append(kernel))
    path = tmp_path / "index"
    path.write_bytes(index_bytes(parameters=changed(**parameters)))
    with pytest.raises(ValueError, match=rf"names {message}.*allow_models=True.*--allow-models"):
        BLEUNeighbors.load(path)
    assert not prepared
    BLEUNeighbors.load(path, allow_models=True)
    assert prepared


WRONG = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 40)
    | st.integers()
    | st.sampled_from([2**31, 2**53, 2**62, 2**63, -(2**63), 2**64, 10**30])
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["char", "13a", "bleu_star", "similarity", "floor", "add-k", "exp", "auto"]),
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
        st.sampled_from(sorted({name for kernel in KERNELS.values() for name in kernel.options})), WRONG, max_size=2
    ),
}
NAMES = sorted(PLAUSIBLE)
LENGTHS = st.integers(-2, 60) | st.integers(-(2**63), 2**63 - 1)
SIZES = st.integers(-8, 200) | st.sampled_from([2**31, 2**40, 2**62, 2**63, 10**13]) | WRONG


@st.composite
def parameters_of_anyone(draw: st.DrawFn) -> Any:
    found: dict[str, Any] = dict(PARAMETERS)
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True)):
        found[name] = draw(PLAUSIBLE[name])
    kind = draw(st.integers(0, 9))
    if kind == 0:
        found[draw(st.sampled_from(NAMES))] = draw(WRONG)
    elif kind == 1:
        found.pop(draw(st.sampled_from(NAMES)), None)
    elif kind == 2:
        found[draw(st.text(max_size=8))] = draw(WRONG)
    return found


@st.composite
def arrays_of_anyone(draw: st.DrawFn) -> dict[str, bytes]:
    kind = draw(st.integers(0, 9))
    any_text = st.text(max_size=20) | st.sampled_from(TEXTS)
    texts = draw(st.lists(any_text, min_size=1, max_size=6, unique=kind != 5))
    n = len(texts)
    finite = st.floats(allow_nan=False, allow_infinity=False)
    quality = draw(st.lists(st.floats() if kind == 0 else st.floats(0, 1) | finite, min_size=n, max_size=n))
    counts = draw(st.none() | st.lists(LENGTHS if kind == 1 else st.integers(1, 9), min_size=n, max_size=n))
    lengths = draw(st.lists(LENGTHS, min_size=n, max_size=n)) if kind == 2 else None
    arrays = arrays_of(texts, quality, counts, lengths)
    if kind == 3:
        name = draw(st.sampled_from(sorted(arrays)))
        arrays[name] = draw(st.binary(max_size=64))
    if kind == 4:
        arrays = {name: arrays[name] for name in draw(st.permutations(sorted(arrays)))}
    return arrays


@st.composite
def files_of_anyone(draw: st.DrawFn) -> bytes:
    arrays = draw(arrays_of_anyone())
    if not draw(st.integers(0, 4)):
        arrays = arrays_of()
    options: dict[str, Any] = {"parameters": draw(parameters_of_anyone()), "arrays": arrays}
    kind = draw(st.integers(0, 15))
    if kind == 0:
        options["sizes"] = {name: draw(SIZES) for name in arrays}
    elif kind == 1:
        options["header"] = draw(WRONG)
    elif kind == 2:
        options["header"] = draw(st.binary(max_size=40))
    elif kind == 3:
        options["compressed"] = draw(st.binary(max_size=60))
    elif kind == 4:
        options["after"] = draw(st.binary(min_size=1, max_size=10))
    elif kind == 5:
        options["version"] = draw(st.binary(max_size=5))
    elif kind == 6:
        content = index_bytes(**options)
        at = draw(st.integers(0, len(content) - 1))
        return content[:at] + draw(st.binary(max_size=4)) + content[at + draw(st.integers(0, 4)) :]
    return index_bytes(**options)


def check_file(content: bytes, folder: Path) -> bool:
    """Load a file; where that is not refused, use all that it gives. Return whether it was accepted."""
    path = folder / "anyones.index"
    path.write_bytes(content)
    metric, refusal = None, ""
    try:
        metric = BLEUNeighbors.load(path)
    except (ImportError, ValueError) as error:
        refusal = f"{type(error).__name__}: {error}"
    if metric is None:
        missing = refusal.startswith("ImportError") and "pip install" in refusal  # of the installation, not of the file
        assert missing or f": {path}: " in refusal
        return False
    with np.errstate(over="ignore"):
        low, high = metric.quality_.min(), metric.quality_.max()
        slack = 1e-9 * max(abs(low), abs(high))
        for estimates in (metric.predict(CANDIDATES), metric.leave_one_out()):
            values = estimates.values[estimates.covered]
            assert ((values >= low - slack) & (values <= high + slack)).all()
    assert len(metric.kneighbors("the cat", k=3)) == min(3, len(metric.texts_))
    assert metric.signature
    metric.save(path)
    assert BLEUNeighbors.load(path).signature == metric.signature
    return True


def fuzz(n_examples: int, folder: Path) -> int:
    accepted = 0

    @settings(
        max_examples=n_examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(files_of_anyone())
    def run(content: bytes) -> None:
        nonlocal accepted
        accepted += check_file(content, folder)

    run()
    return accepted


def test_files_of_anyone(tmp_path: Path) -> None:
    assert fuzz(150, tmp_path) > 15  # both ways are walked


@pytest.mark.fuzz
def test_very_many_files_of_anyone(tmp_path: Path) -> None:
    assert fuzz(20_000, tmp_path) > 2_000
