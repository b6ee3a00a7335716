"""The detector of faults in training: labels of made faults, and a network that learns them and is read in 8 bits."""

import numpy as np
import pytest
from lazily import lazily

from referenceless_papers.training.detector_data import DRAWN
from referenceless_papers.training.fault_texts import fault_labels
from referenceless_papers.training.questions import question_of
from slor_metric.fluency.detector import DETECTOR_FILE, FAULT_KINDS, Detector
from slor_metric.fluency.detector_inputs import SCALARS, DetectorInputs
from slor_metric.language_models.lstm.model import load_small

torch = lazily("torch")
training = lazily("referenceless_papers.training.detector")


@pytest.mark.parametrize(
    "faulty, kinds",
    [
        ("the old ships sank in harbour .", {5: "missing article"}),
        ("the old ship sank in the harbour .", {2: "word form"}),
        ("the old old ships sank in the harbour .", {1: "repetition"}),
        ("the ships old sank in the harbour .", {1: "order"}),
        ("the old ships sank at the harbour .", {4: "preposition"}),
        ("the old shpis sank in the harbour .", {2: "spelling"}),
        ("the old ships sank .", {4: "fragment"}),
        ("the old ships of sank in the harbour .", {3: "extra word"}),
    ],
)
def test_the_kind_and_the_place_of_a_made_fault(faulty, kinds):
    found = fault_labels("the old ships sank in the harbour .".split(), faulty.split())
    assert {at: FAULT_KINDS[kind] for at, kind in enumerate(found) if kind} == kinds


def _data():
    """Texts of five places; in a faulty one the third place has a log-odds of its own."""
    draw = np.random.default_rng(0)
    n, width = 2600, load_small().shape.width
    scalars = draw.integers(-20, 20, (5 * n, len(SCALARS))).astype(np.int8)
    labels = np.zeros(5 * n, dtype=np.int8)
    faulty = np.arange(n) % 2 == 1
    at = 5 * np.flatnonzero(faulty) + 2
    scalars[at, 0], labels[at] = -110, FAULT_KINDS.index("agreement")
    return training.DetectorData(
        scalars=scalars,
        guesses=np.zeros((5 * n, width), dtype=np.int8),
        pieces=draw.integers(3, 900, 5 * n).astype(np.int32),
        classes=draw.integers(0, 400, 5 * n).astype(np.int16),
        labels=labels,
        offsets=np.arange(0, 5 * n + 1, 5),
        sentences=np.arange(n) // 2 + training.HELD_OUT - 100,
        drawn=np.where(faulty, 1 << DRAWN.index("word in another form"), 0).astype(np.int32),
    )


@pytest.mark.long
def test_it_learns_goes_on_and_is_read_in_8_bits_as_torch_reads_it(tmp_path):
    data = _data()
    options = {"epochs": 9, "layer": 16, "units": 16, "rate": 0.02}
    training.train_detector(data, tmp_path, until=1, **options)
    assert not (tmp_path / DETECTOR_FILE).exists()
    report = training.train_detector(data, tmp_path, **options)
    assert [point["epoch"] for point in report["curve"]] == [*range(1, 10)]
    assert report["curve"][-1]["auc"] > 0.95
    detector = Detector.load(tmp_path / DETECTOR_FILE)
    inputs = DetectorInputs(
        data.scalars,
        data.guesses,
        np.arange(len(data.pieces)),
        data.pieces,
        data.classes.astype(np.int32),
        data.offsets,
    )
    found = detector.read(inputs, load_small())
    assert training.auc(np.add.reduceat(found[:, 0], data.offsets[:-1]), data.drawn > 0) > 0.95
    assert np.mean(found.argmax(axis=1) == data.labels) > 0.95


@pytest.mark.parametrize(
    "statement, question",
    [
        ("the shop is closed .", "is the shop closed ?"),
        ("he opened the door .", "did he open the door ?"),
        ("they hoped for rain .", "did they hope for rain ?"),
        ("the old shop is closed .", None),
        ("he went home .", None),
        ("is it late ?", None),
    ],
)
def test_questions_are_made_of_statements(statement, question):
    found = question_of(statement.split(), {"open": 50, "hope": 90, "hop": 30})
    assert found == (question and question.split())
