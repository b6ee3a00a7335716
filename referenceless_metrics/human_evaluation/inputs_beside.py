"""Files of lines in a folder per system: the inputs beside its outputs, and the ratings or scores of these."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

from referenceless_metrics.core.files.formats_of_files import names_lines
from referenceless_metrics.core.files.reading import InputNote, Reading
from referenceless_metrics.core.files.text_io import read_texts
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.files_in_order import OtherOrderError

INPUTS = re.compile(
    r"(?:.*[^a-z])?(?:src|sources?|orig|inputs?|prompts?|questions?|contexts?|ctx|histor(?:y|ies))(?:[^a-z].*)?",
    re.IGNORECASE,
)
"""Names of files of what outputs were made from, and not of outputs."""

_OUTPUTS = re.compile(
    r"(?:.*[^a-z])?(?:hyps?|hypothes[ie]s|out|outputs?|responses?|repl(?:y|ies)|preds?|predictions?|candidates?|"
    r"generated|generations?)(?:[^a-z].*)?",
    re.IGNORECASE,
)
"""Names of files of outputs."""

_RATINGS = re.compile(
    r"(?:(?:human|crowd|people|mean|avg|average|raw|all|test|dev)[ _.-]?)*(?:scores?|ratings?|judge?ments?|labels?)",
    re.IGNORECASE,
)
"""Names of files of ratings or scores that name no system."""

_LARGEST = 2**25
"""Most bytes of a file of inputs that is read."""

_MOST_ALIKE = 0.5
"""Largest share of lines of the same inputs in files whose other lines are of other ones."""

_AS_LINES = Reading(format="txt")

_REMEDY = "--unpaired of `compare` and `human-score` takes the outputs of each system as a sample of its own"


def on_other_inputs(files: Sequence[str]) -> str:
    """Return the words on files in a folder each, whose lines of one number are mostly of other inputs; else "".

    A file of inputs of the same name stands in each folder, and has as many lines as the file beside it.
    """
    paths = [Path(file) for file in files]
    folders = [path.parent for path in paths]
    if len(files) < 2 or len(set(folders)) < len(folders) or not all(names_lines(file) for file in files):
        return ""
    if not all(path.is_file() for path in paths):
        return ""
    shared = set.intersection(*(_inputs_in(folder) for folder in folders)) - {path.name for path in paths}
    for name in sorted(shared):
        inputs = [_lines(folder / name) for folder in folders]
        if not all(len(lines) == len(_lines(path)) for lines, path in zip(inputs, paths, strict=True)):
            continue
        for file, lines in zip(files[1:], inputs[1:], strict=True):
            n = max(len(lines), len(inputs[0]))
            n_alike = sum(one == other for one, other in zip(inputs[0], lines, strict=False))
            if n_alike < _MOST_ALIKE * n:
                return (
                    f"lines of one number in {files[0]} and {file} are of other inputs: {name} beside them has other "
                    f"texts in {n - n_alike} of {n} lines"
                )
    return ""


def check_same_inputs(files: Sequence[str]) -> None:
    """Check that lines of one number are not of other inputs, as files beside them tell.

    Raises:
        OtherOrderError: for files whose lines are.
    """
    told = on_other_inputs(files)
    if told:
        raise OtherOrderError(told, _REMEDY)


def folder_of_ratings(file: str) -> str:
    """Return the name of the folder in which a file of ratings stands beside one file of outputs; "" for other files.

    The folder is then called as the system, since the name of the file says nothing of it.
    """
    path = Path(file)
    if not path.is_file() or not _RATINGS.fullmatch(path.stem) or path.parent.name in ("", ".."):
        return ""
    others = [each for each in path.parent.iterdir() if each.is_file() and names_lines(str(each))]
    outputs = [each for each in others if _OUTPUTS.fullmatch(each.stem) and not INPUTS.fullmatch(each.stem)]
    return path.parent.name if len(outputs) == 1 else ""


def _inputs_in(folder: Path) -> set[str]:
    """Return the names of the files of inputs in a folder."""
    return {
        each.name
        for each in folder.iterdir()
        if names_lines(str(each)) and each.is_file() and any(map(INPUTS.fullmatch, (each.stem, each.suffix[1:])))
    }


def _lines(path: Path) -> list[str]:
    """Return the letters and digits of each line, which do not differ by how texts were cut into words; else none."""
    if path.stat().st_size > _LARGEST:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        try:
            texts = read_texts(str(path), reading=_AS_LINES)
        except InputError:
            return []
    return [re.sub(r"[\W_]+", "", text).casefold() for text in texts]
