"""The detector of faults: beside a plain reading in floats, the same bits everywhere, and its file."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from referenceless_metrics.core.files.archive import write_archive
from referenceless_metrics.core.support import native
from slor_metric.fluency.detector import DETECTOR, FAULT_KINDS, Detector, DetectorShape
from slor_metric.fluency.detector_inputs import SCALARS, DetectorInputs
from slor_metric.language_models.lstm.storage import CodedMatrix, as_floats
from tests.support.levels import at_each_level

SIZES = (9, 1, 4, 9, 2)  # places of each text
SHAPE = DetectorShape(guess_width=16, embedding=8, classes=11, layer=32, units=16)


class SmallModel:
    """Embeddings alone: the detector reads no more of the small model."""

    codes_of_tokens = np.random.default_rng(1).integers(-127, 128, (30, SHAPE.embedding)).astype(np.int8)


def _detector():
    draw = np.random.default_rng(0)
    matrices = {
        name: CodedMatrix(
            draw.integers(-127, 128, size).astype(np.int8), draw.uniform(5e-4, 2e-3, size[0]).astype(np.float32)
        )
        for name, size in SHAPE.matrices.items()
    }
    biases = {name: draw.normal(size=n).astype(np.float32) for name, n in SHAPE.biases.items()}
    return Detector(SHAPE, matrices, biases, "small", "0123456789")


def _inputs(sizes=SIZES):
    draw = np.random.default_rng(2)
    n, tokens = sum(sizes), 50
    return DetectorInputs(
        scalars=draw.integers(-127, 128, (n, len(SCALARS))).astype(np.int8),
        guesses=draw.integers(-127, 128, (tokens, SHAPE.guess_width)).astype(np.int8),
        guess_rows=draw.integers(0, tokens, n),
        pieces=draw.integers(0, len(SmallModel.codes_of_tokens), n).astype(np.int32),
        classes=draw.integers(0, SHAPE.classes, n).astype(np.int32),
        offsets=np.append(0, np.cumsum(sizes)),
    )


def _plain(detector, inputs):
    """Return ln p of each kind at each place, by matrix products of floats."""
    weights = {name: as_floats(matrix).astype(float) for name, matrix in detector.matrices.items()}
    found = []
    for start, end in zip(inputs.offsets, inputs.offsets[1:], strict=False):
        read = np.column_stack(
            [
                inputs.guesses[inputs.guess_rows[start:end]],
                SmallModel.codes_of_tokens[inputs.pieces[start:end]],
                inputs.scalars[start:end],
            ]
        )
        of_classes = weights["classes"].T[inputs.classes[start:end]]
        layer = np.maximum(read @ weights["input"].T + detector.biases["input"] + of_classes, 0)
        states = [_lstm(layer, weights, detector.biases, "forward")]
        states.append(_lstm(layer[::-1], weights, detector.biases, "backward")[::-1])
        scores = np.concatenate(states, axis=1) @ weights["kinds"].T + detector.biases["kinds"]
        found.append(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))
    return np.concatenate(found)


def _lstm(layer, weights, biases, direction):
    state = cell = np.zeros(SHAPE.units)
    states = []
    for row in layer:
        gates = row @ weights[f"{direction}_gates"].T + state @ weights[f"{direction}_states"].T
        new, forget, candidate, output = np.split(gates + biases[f"{direction}_states"], 4)
        cell = _sigmoid(forget) * cell + _sigmoid(new) * np.tanh(candidate)
        state = _sigmoid(output) * np.tanh(cell)
        states.append(state)
    return np.array(states)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_it_reads_as_floats_do():
    found = _detector().read(_inputs(), SmallModel())
    assert found.shape == (sum(SIZES), len(FAULT_KINDS))
    assert_allclose(np.exp(found).sum(axis=1), 1)
    assert_allclose(found, _plain(_detector(), _inputs()), atol=2e-3)


def test_a_long_text_is_read_in_parts_with_the_same_bits():
    detector, inputs = _detector(), _inputs([4500, 2])  # alone, and beside a short one, when it is read whole
    expected = detector.read(inputs, SmallModel())
    whole = np.empty_like(expected)
    network = detector.network(SmallModel())
    columns = (inputs.scalars, inputs.guesses, inputs.guess_rows, inputs.pieces, inputs.classes, inputs.offsets)
    native.call("detect_faults", *columns, np.array([0, 1]), network, whole)
    assert_array_equal(expected, whole)
    assert_array_equal(detector.read(inputs, SmallModel(), n_kinds=1), whole[:, :1])


def test_the_same_bits_on_every_level_and_number_of_threads_and_alone():
    detector, inputs = _detector(), _inputs()
    (expected,) = at_each_level(lambda: [detector.read(inputs, SmallModel())])
    assert_array_equal(detector.read(inputs, SmallModel(), n_jobs=2), expected)
    alone = slice(SIZES[0] + SIZES[1], sum(SIZES[:3]))  # the third text
    columns = (inputs.guess_rows[alone], inputs.pieces[alone], inputs.classes[alone])
    one = DetectorInputs(inputs.scalars[alone], inputs.guesses, *columns, np.array([0, SIZES[2]]))
    assert_array_equal(detector.read(one, SmallModel()), expected[alone])


def test_a_file_of_other_kinds_is_refused(tmp_path):
    detector, path = _detector(), tmp_path / "detector.safetensors"
    arrays = {}
    for name, (codes, scales) in detector.matrices.items():
        arrays[name], arrays[f"{name}_scales"] = codes, scales
    arrays |= {f"{name}_bias": bias for name, bias in detector.biases.items()}
    header = {"shape": SHAPE._asdict(), "scalars": list(SCALARS), "small": "small", "training": {}}
    write_archive(path, DETECTOR, {**header, "kinds": list(FAULT_KINDS)}, arrays)
    assert_array_equal(Detector.load(path).read(_inputs(), SmallModel()), detector.read(_inputs(), SmallModel()))
    write_archive(path, DETECTOR, {**header, "kinds": ["", "typo"]}, arrays)
    with pytest.raises(ValueError, match="of another version"):
        Detector.load(path)
