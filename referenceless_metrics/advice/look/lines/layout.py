"""A folder of translations and of their scores as WMT and mt-metrics-eval lay it out, and the lines that fit it.

Layout: README.md of google-research/mt-metrics-eval. The pair of languages is a folder of outputs and of metrics'
scores, and begins the names of all other files: `references/en-de.refA.txt`, `human-scores/en-de.mqm.seg.score`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referenceless_metrics.advice.look.lines.options_of_parts import ALONE
from referenceless_metrics.advice.look.lines.parts import command_line, every_pair
from referenceless_metrics.core.support.validation import shortened
from referenceless_metrics.human_evaluation.exports.mt_metrics_eval import SEGMENTS
from referenceless_metrics.human_evaluation.wording.phrases import count

FORM = "translations of one test set in folders (sources, references, system-outputs, metric-scores, human-scores)"
"""The form in words."""

_OUTPUTS, _METRICS, _PEOPLE = "system-outputs", "metric-scores", "human-scores"
"""Folders by which the layout is told."""

_MOST_HUMAN = 3  # kinds of human scores that get lines
_LONGEST = 160  # characters of names in a remark


@dataclass(frozen=True)
class PairFiles:
    """The files of one pair of languages.

    Attributes:
        languages: the pair, such as `en-de`.
        outputs: a file of outputs for each system; references among them are left out.
        references: files of references.
        left_out: names of references that stand among the outputs, too.
        documents: the file with the document of each segment; "" for none.
        metrics: the folder of the metrics' scores; "" for none.
        scores: the names of these metrics.
        people: files of people's scores of segments.
    """

    languages: str
    outputs: tuple[str, ...]
    references: tuple[str, ...]
    left_out: tuple[str, ...]
    documents: str
    metrics: str
    scores: tuple[str, ...]
    people: tuple[str, ...]

    @property
    def notes(self) -> list[str]:
        """The remarks on the systems, references and scores that there are."""
        names = f": {_names(_stems(self.outputs))}" if self.outputs else ", for there are no outputs"
        told = [f"{self.languages}: {count(len(self.outputs), 'system')}{names}"]
        if self.left_out:
            told.append(f"outputs that are references are no systems here: {_names(self.left_out)}")
        if self.references:
            told.append(f"references: {_names([Path(each).name for each in self.references])}")
        if self.people:
            told.append(f"people's scores: {_names([Path(each).name for each in self.people])}")
        if self.scores:
            told.append(f"{count(len(self.scores), 'metric')}: {_names(self.scores)}")
        return told

    def lines(self) -> list[str]:
        """Return the command lines, the one that says most first."""
        clusters = ["--cluster-column", self.documents] if self.documents else []
        lines = []
        for file in self.people[:_MOST_HUMAN]:
            if self.metrics:
                lines.append(command_line("evaluate", "--scores", self.metrics, "--ratings", file, *clusters))
            pairs = every_pair(len(self.outputs))
            lines.append(command_line("human-score", "--ratings", file, *clusters, *pairs))
        if self.metrics:
            lines.append(command_line("compare", "--scores", self.metrics, *clusters))
        if len(self.outputs) > 1 and self.references:
            of_references = [word for file in self.references for word in ("--references", file)]
            pairs = every_pair(len(self.outputs))
            lines.append(command_line("compare", *self.outputs, *of_references, *ALONE, *clusters, *pairs))
        return lines


def _stems(files: Sequence[str]) -> list[str]:
    """Return the names of files without their suffixes."""
    return [Path(file).stem for file in files]


def is_layout(folder: Path) -> bool:
    """Say whether a folder has the layout: outputs or metrics' scores in a folder for each pair, or people's scores."""
    return folder.is_dir() and bool(_pairs(folder))


def pairs_in(folder: Path) -> list[PairFiles]:
    """Return the files of each pair of languages in a folder of this layout."""
    return [_files_of(folder, languages) for languages in _pairs(folder)]


def _pairs(folder: Path) -> list[str]:
    """Return the pairs of languages: those of which there are outputs or scores."""
    found = {
        each.name for of in (_OUTPUTS, _METRICS) for each in _inside(folder / of) if each.is_dir() and "-" in each.name
    }
    found |= {each.name.split(".")[0] for each in _inside(folder / _PEOPLE) if each.name.endswith(SEGMENTS)}
    return sorted(found)


def _inside(folder: Path) -> list[Path]:
    """Return what a folder holds, in order; nothing of a folder that is not there."""
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _files_of(folder: Path, languages: str) -> PairFiles:
    references = [each for each in _inside(folder / "references") if _begins(each, languages)]
    names = {each.name.removeprefix(f"{languages}.").removesuffix(each.suffix) for each in references}
    outputs = [each for each in _inside(folder / _OUTPUTS / languages) if each.suffix == ".txt"]
    documents = [each for each in _inside(folder / "documents") if _begins(each, languages)]
    metrics = [each for each in _inside(folder / _METRICS / languages) if each.name.endswith(SEGMENTS)]
    people = [each for each in _inside(folder / _PEOPLE) if _begins(each, languages) and each.name.endswith(SEGMENTS)]
    return PairFiles(
        languages,
        outputs=tuple(str(each) for each in outputs if each.stem not in names),
        references=tuple(map(str, references)),
        left_out=tuple(each.stem for each in outputs if each.stem in names),
        documents=str(documents[0]) if len(documents) == 1 else "",
        metrics=str(folder / _METRICS / languages) if metrics else "",
        scores=tuple(each.name.removesuffix(SEGMENTS) for each in metrics),
        people=tuple(map(str, people)),
    )


def _begins(file: Path, languages: str) -> bool:
    return file.is_file() and file.name.startswith(f"{languages}.")


def _names(names: Sequence[str]) -> str:
    return shortened(", ".join(names), _LONGEST)
