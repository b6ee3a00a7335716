"""Files that the reproduction of BLEU Neighbors reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.datasets import load, load_rated
from referenceless_papers.common.cells import Missing, PartResult

HUSE_TASKS = {
    "summarization": "summarisation",
    "dialogue": "chit-chat dialogue",
    "language_model": "open-ended generation",
}
TABLE_3_TEST_TOPIC = 3
ESSAY_MAX_FRACTION = 1.0
_FEWEST_SENTENCES, _MOST_SENTENCES = 5, 15


@dataclass
class Sources:
    """The data, with word vectors and an encoder.

    Attributes:
        data_dir: the folder that holds `huse/`, `asap-sas/` and `nlg-ratings/`, or some of them.
        embeddings: a file of word vectors, for mover's similarity; None for none.
        encoder: a local encoder, for BERTScore; None for none.
    """

    data_dir: Path
    embeddings: str | None = None
    encoder: str | None = None

    def folder(self, name: str) -> str:
        """Return a data set's folder.

        Raises:
            FileNotFoundError: if there is none.
        """
        path = self.data_dir / name
        if not path.is_dir():
            raise FileNotFoundError(f"needs the folder {name}/ in the data folder")
        return str(path)

    def lacking(self, tasks: Sequence[str]) -> str:
        """Return the missing files of tasks of HUSE, in words; "" if all are there."""
        self.folder("huse")
        names = [f"huse/{task}_raw_outputs.csv" for task in dict.fromkeys(tasks)]
        names = [name for name in names if not (self.data_dir / name).is_file()]
        return f"needs {' and '.join(names)}" if names else ""

    def tasks(self, result: PartResult, row: str) -> Iterator[tuple[str, str]]:
        """Yield the tasks of HUSE that are there, with the row's name; of the others the row is missing.

        Args:
            result: the result whose rows they are.
            row: the row's name, with `{}` for the task's.
        """
        for task, name in HUSE_TASKS.items():
            if why := self.lacking([task]):
                result.missing.append(Missing(row.format(name), why))
            else:
                yield task, row.format(name)

    @cached_property
    def summarization(self) -> RatedTexts:
        """The headlines of HUSE."""
        return self.task("summarization")

    def task(self, task: str) -> RatedTexts:
        """Return a task of HUSE."""
        return load_rated(f"huse:{task}", data_dir=self.folder("huse"))

    def judgements(self, task: str) -> Any:
        """Return a task's judgements, a row each, as a `datasets.Dataset`."""
        return load("huse", f"{task}_judgements", data_dir=self.folder("huse"), split="train")

    def essays(self, split: str) -> RatedTexts:
        """Return the essays of 5 to 15 sentences of a topic and split, such as `set_3:test`.

        A sentence ends in a full stop and a space, as the paper counts.
        """
        rated = load_rated(f"asap_sas:{split}", data_dir=self.folder("asap-sas"))
        chosen = [
            place
            for place, text in enumerate(rated.texts)
            if _FEWEST_SENTENCES <= len(text.split(". ")) <= _MOST_SENTENCES
        ]
        return RatedTexts([rated.texts[place] for place in chosen], rated.ratings[chosen])
