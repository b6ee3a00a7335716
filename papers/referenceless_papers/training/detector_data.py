"""Training data of the detector of faults: sentences and texts with made faults, as it reads them, in files of 500.

An interrupted run continues with the first file that is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import Arrays
from referenceless_papers.training.damage import GENERATORS, LEARNERS
from referenceless_papers.training.fault_texts import FaultTexts, FaultyText, fault_labels
from slor_metric.fluency.detector_inputs import DetectorInputs
from slor_metric.fluency.features import FeatureReader

#: The faults that are put in, in the order of their bits in `drawn`.
DRAWN = tuple(dict.fromkeys([*LEARNERS, *GENERATORS]))
_SENTENCES = 500  # of a file


def write_detector_data(
    corpora: Sequence[Path], folder: Path, size: int, *, questions: int = 2000, progress: bool | None = None
) -> None:
    """Write the files of a folder.

    Args:
        corpora: the corpora, in the order in which the n-grams were trained on them.
        folder: folder of the files.
        size: most sentences.
        questions: most questions, made from sentences.
        progress: show a progress bar; None: on a terminal.
    """
    folder.mkdir(parents=True, exist_ok=True)
    reader, texts = FeatureReader("small"), FaultTexts(corpora)
    files = [(first, False) for first in range(0, min(size, len(texts.lines)), _SENTENCES)]
    files += [(first, True) for first in range(0, min(questions, len(texts.questions)), _SENTENCES)]
    with progress_bar(len(files), "reading", progress, "file") as bar:
        for first, of_questions in files:
            path = folder / f"{'q' if of_questions else ''}{first:06d}.npz"
            if not path.exists():
                last = min(first + _SENTENCES, questions if of_questions else size)
                made = [text for group in texts.texts(first, last, of_questions=of_questions) for text in group]
                with atomic_write(path) as file:
                    np.savez(file, **_arrays(reader, made))  # type: ignore[arg-type]  # no name of an array is an option's
            bar.update()


def _arrays(reader: FeatureReader, made: Sequence[FaultyText]) -> Arrays:
    """Return the arrays that are kept of texts; those whose words the reader cuts otherwise are left out."""
    inputs = reader.detector_inputs([text.text for text in made], spare_names=True)
    labels, kept = _labels(inputs, made)
    of_place = np.repeat(kept, np.diff(inputs.offsets))
    sizes = np.diff(inputs.offsets)[kept]
    return {
        "scalars": inputs.scalars[of_place],
        "guesses": inputs.guesses[inputs.guess_rows[of_place]],
        "pieces": inputs.pieces[of_place],
        "classes": inputs.classes[of_place].astype(np.int16),
        "labels": labels,
        "offsets": np.append(0, np.cumsum(sizes)),
        "sentences": np.array([text.sentence for text in made])[kept],
        "drawn": np.array([_bits(text.drawn) for text in made], dtype=np.int32)[kept],
    }


def _labels(inputs: DetectorInputs, made: Sequence[FaultyText]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    sizes = np.diff(inputs.offsets)
    sound: Sequence[str] = ()
    found: list[int] = []
    kept = np.zeros(len(made), dtype=bool)
    for i, text in enumerate(made):
        if not text.drawn:
            sound = text.words
        if sizes[i] == len(text.words) + 1:
            kept[i] = True
            found += fault_labels(sound, text.words)
    return np.array(found, dtype=np.int8), kept


def _bits(drawn: Iterable[str]) -> int:
    return sum(1 << DRAWN.index(fault) for fault in set(drawn))
