"""The detector of faults: the probability of each kind of fault at each place of a sentence.

It is a small network, an LSTM in two directions, over the language models' figures for each word (`detector_inputs`).
It learned from sentences beside the same with made faults (`referenceless train detector`). Its weights have 8 bits and
its sums are those of whole numbers, so that a text's values have the same bits on every processor, whatever else is
read with it (`native/levels/detector.cpp`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archive import Array, Schema, read_archive, read_digest, reading
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.computing import in_order, thread_count
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Arrays, Floats, Floats32, Integers, PathName, Record
from slor_metric.fluency.detector_inputs import SCALARS, DetectorInputs
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.lstm.integer_reader import gates_together, packed_matrix
from slor_metric.language_models.lstm.model import SmallLanguageModel
from slor_metric.language_models.lstm.storage import CodedMatrix

#: The kinds of fault, after no fault.
FAULT_KINDS = (
    "",
    *("missing verb", "missing article", "missing preposition", "missing word", "extra word"),
    *("preposition", "article", "word choice", "agreement", "word form", "spelling", "order", "repetition", "fragment"),
)
DETECTOR_FILE = "detector.safetensors"
#: The two directions in which a text is read.
DIRECTIONS = ("forward", "backward")
_TEXTS, _PLACES = 64, 2048  # texts read side by side, and their places, at most
_NO_SCORE = -3e38
_LANES = 16
_FLOATS = Array("<f4", (), least=-1e38, most=1e38)


class DetectorNetwork(NamedTuple):
    """The matrices as the kernel reads them; see `SmallNetwork` for `packed`, `scales`, `bias` and `sizes`.

    Attributes:
        embedding: embeddings of the small model's tokens, shape (vocabulary, e), int8.
        vocabulary: the number of the small model's tokens.
        of_classes: addition of a word's class to the layer, shape (classes, layer).
        guess_width: the width of the small model's projected state.
    """

    embedding: NDArray[np.int8]
    vocabulary: int
    of_classes: Floats32
    packed: NDArray[np.int8]
    scales: Floats32
    bias: Floats32
    sizes: Integers
    guess_width: int


class DetectorShape(NamedTuple):
    """The sizes of a detector.

    Attributes:
        guess_width: the width of the small model's guess at a token.
        embedding: the width of its embeddings.
        classes: the number of word classes, and of the class model's special tokens.
        layer: the width of the layer that is read by both directions.
        units: the units of each direction.
    """

    guess_width: int
    embedding: int
    classes: int
    layer: int
    units: int

    @property
    def width(self) -> int:
        """The number of inputs for each place."""
        return self.guess_width + self.embedding + len(SCALARS)

    @property
    def matrices(self) -> dict[str, tuple[int, int]]:
        """The shape of each matrix: its columns, which have a scale each, and its rows."""
        gates = 4 * self.units
        return {
            "classes": (self.layer, self.classes),
            "input": (self.layer, self.width),
            **{f"{direction}_gates": (gates, self.layer) for direction in DIRECTIONS},
            **{f"{direction}_states": (gates, self.units) for direction in DIRECTIONS},
            "kinds": (len(FAULT_KINDS), 2 * self.units),
        }

    @property
    def biases(self) -> dict[str, int]:
        """The size of the vector added to the results of some matrices."""
        of_gates = {f"{direction}_states": 4 * self.units for direction in DIRECTIONS}
        return {"input": self.layer, **of_gates, "kinds": len(FAULT_KINDS)}


def _rules(header: Record) -> dict[str, Array]:
    shape = DetectorShape(**header["shape"])
    rules = {}
    for name, size in shape.matrices.items():
        rules[name] = Array("|i1", size, least=-127)
        rules[f"{name}_scales"] = _FLOATS._replace(shape=size[:1], least=0)
    for name, n in shape.biases.items():
        rules[f"{name}_bias"] = _FLOATS._replace(shape=(n,))
    return rules


DETECTOR = Schema(
    "detector",
    1,
    "a detector of faults",
    arrays=_rules,
    fields={"shape": dict, "kinds": list, "scalars": list, "small": str, "training": dict},
)


class Detector:
    """A detector of faults.

    Args:
        shape: its sizes.
        matrices: the matrices by name, as in `DetectorShape.matrices`.
        biases: the biases by name, as in `DetectorShape.biases`.
        small: the signature of the small model that it was trained with.
        digest: the digest of its file.

    Raises:
        ValueError: if the layer or the units are no multiple of 16, which the kernel reads at once.

    Attributes:
        small: the signature of the small model that it was trained with.
        signature: a name for it, with the beginning of the digest.
    """

    def __init__(
        self,
        shape: DetectorShape,
        matrices: Mapping[str, CodedMatrix],
        biases: Mapping[str, Floats32],
        small: str,
        digest: str,
    ) -> None:
        if shape.layer % _LANES or shape.units % _LANES:
            raise ValueError(f"Expected a layer and units that are multiples of {_LANES}, but got {shape}")
        self.shape, self.matrices, self.biases, self.small = shape, matrices, biases, small
        self.signature = f"detector{shape.units}-{digest[:8]}"

    @classmethod
    def load(cls, path: PathName) -> Self:
        """Read a detector that `train detector` wrote.

        Args:
            path: the file.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of another version or other kinds of fault.
        """
        header, arrays = read_archive(path, DETECTOR)
        with reading(path, DETECTOR):
            if tuple(header["kinds"]) != FAULT_KINDS or tuple(header["scalars"]) != SCALARS:
                raise ValueError("it is of another version: its kinds of fault or its inputs are others")
            shape = DetectorShape(**header["shape"])
            return cls(shape, *_weights(shape, arrays), header["small"], read_digest(path))

    @cached_property
    def _parts(self) -> tuple[NDArray[np.int8], Floats32, Floats32, Integers]:
        """The matrices but that of classes, after one another, with their scales, biases and sizes."""
        laid_out = []
        for name, (codes, scales) in self.matrices.items():
            if name == "classes":
                continue
            bias, least = self.biases.get(name), _NO_SCORE if name == "kinds" else 0.0
            if name.startswith(DIRECTIONS):  # gates: those of 16 units side by side
                codes, scales = gates_together(codes), gates_together(scales)
                bias = None if bias is None else gates_together(bias)
            laid_out.append(packed_matrix(codes, scales, bias, least))
        packed, columns, added, sizes = zip(*laid_out, strict=True)
        return np.concatenate(packed), np.concatenate(columns), np.concatenate(added), np.array(sizes)

    @cached_property
    def _of_classes(self) -> Floats32:
        codes, scales = self.matrices["classes"]
        return np.ascontiguousarray((codes * scales[:, None]).T)

    def network(self, model: SmallLanguageModel) -> DetectorNetwork:
        """Return the matrices as the kernel reads them, with the embedding of a small model."""
        embedding = model.codes_of_tokens
        return DetectorNetwork(embedding, len(embedding), self._of_classes, *self._parts, self.shape.guess_width)

    def read(
        self,
        inputs: DetectorInputs,
        model: SmallLanguageModel,
        n_jobs: int | None = None,
        *,
        n_kinds: int | None = None,
    ) -> Floats:
        """Return ln p of no fault and of each kind of fault.

        Args:
            inputs: the inputs for the places of n texts.
            model: the small model.
            n_jobs: threads, as scikit-learn counts them: they change no value.
            n_kinds: the first so many kinds alone; None for all.

        Returns:
            One row per place, one column for each of `FAULT_KINDS`.
        """
        network = self.network(model)
        logprobs = np.zeros((len(inputs.pieces), len(FAULT_KINDS) if n_kinds is None else n_kinds))
        sizes = np.diff(inputs.offsets)
        order = np.argsort(-sizes, kind="stable")

        def read_texts(texts: Integers) -> None:
            native.call(
                "detect_faults",
                inputs.scalars,
                inputs.guesses,
                inputs.guess_rows,
                inputs.pieces,
                inputs.classes,
                inputs.offsets,
                texts,
                network,
                logprobs,
            )

        blocks, at = [], 0
        while at < len(order):
            fair = -(-len(order) // thread_count(n_jobs))
            size = min(_TEXTS, fair, max(1, _PLACES // int(sizes[order[at]])))
            blocks.append(order[at : at + size])
            at += size
        deque(in_order(read_texts, blocks, n_jobs), maxlen=0)
        return logprobs


def _weights(shape: DetectorShape, arrays: Arrays) -> tuple[dict[str, CodedMatrix], dict[str, Floats32]]:
    matrices = {name: CodedMatrix(arrays[name], arrays[f"{name}_scales"]) for name in shape.matrices}
    return matrices, {name: arrays[f"{name}_bias"] for name in shape.biases}


@cache
def packaged_detector() -> Detector:
    """Load the detector that comes with the package; a second call gives the same object."""
    return Detector.load(packaged_file(DETECTOR_FILE))
