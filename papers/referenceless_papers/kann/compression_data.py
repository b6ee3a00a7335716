"""Reading the rated compressions of Toutanova, Brockett, Tran & Amershi (2016), on which the paper evaluates.

The release ("MSR Abstractive Text Compression Dataset") has a folder RawData with the crowd's compressions
(`train.tsv`, `valid.tsv`, `test.tsv`) and the rated outputs of four systems on the test set
(`test_output.<system>.tsv`). Each line holds a source text and its compressions:

    SourceID <tab> Domain <tab> SourceText [ ||| Compression <tab> JudgeIds <tab> numRatings [<tab> Rating]* ]*

and each rating a number, which encodes meaning and grammar (1 to 3, 3 the best), followed by the same in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.kann.rated_outputs import RatedOutputs, read_rated_outputs

#: Meaning and grammar that a combined rating stands for.
RATINGS = {
    6: (3, 3),
    7: (3, 2),
    9: (3, 1),
    11: (2, 3),
    12: (2, 2),
    14: (2, 1),
    21: (1, 3),
    22: (1, 2),
    24: (1, 1),
}

_SEPARATOR = "|||"


@dataclass(frozen=True)
class Compression:
    """A compression of a source text.

    Attributes:
        source_id: the source's id.
        domain: the source's domain.
        text: the compression.
        judge: its authors: ids of crowd workers, or a system's.
        grammar: ratings of its grammar, one per judge, from 1 to 3.
        where: file and line, for messages.
    """

    source_id: str
    domain: str
    text: str
    judge: str
    grammar: tuple[int, ...]
    where: str


def read_compressions(path: str | Path) -> Iterator[Compression]:
    """Read one file of the release.

    Raises:
        InputError: for a file that is missing, not UTF-8 or malformed; the message names the line.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (at byte {error.start})") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield from _parse_line(line, f"{path}:{number}")


def _parse_line(line: str, where: str) -> Iterator[Compression]:
    source, *compressions = line.split(_SEPARATOR)
    fields = [field.strip() for field in source.split("\t")]
    if len(fields) < 3:
        raise InputError(
            f"{where}: expected SourceID, Domain and SourceText between tabs, but got {len(fields)} fields"
        )
    for compression in compressions:
        values = [value.strip() for value in compression.strip(" \r").split("\t")]
        if len(values) < 3 or not values[2].isdigit():
            raise InputError(f"{where}: expected a compression, its judge and the number of its ratings between tabs")
        grammar = _grammar(values[3:], int(values[2]), where)
        yield Compression(fields[0], fields[1], values[0], values[1], grammar, where)


def _grammar(fields: list[str], n_ratings: int, where: str) -> tuple[int, ...]:
    while fields and not fields[-1]:  # tabs at the end of a line
        fields = fields[:-1]
    if n_ratings == 0:
        return ()
    # a number and its meaning in words, which take one field or two
    width, rest = divmod(len(fields), n_ratings)
    if rest or width not in (1, 2, 3):
        raise InputError(f"{where}: expected {n_ratings} ratings, but got {len(fields)} fields")
    found = []
    for value in fields[::width]:
        if not value.isdigit() or int(value) not in RATINGS:
            raise InputError(f"{where}: expected a rating out of {sorted(RATINGS)}, but got {value!r}")
        found.append(RATINGS[int(value)][1])
    return tuple(found)


def _folder(path: Path) -> Path | None:
    for folder in (path, path / "RawData"):
        if (folder / "test.tsv").is_file() and _output_files(folder):
            return folder
    return None


def _output_files(folder: Path) -> list[Path]:
    # the release's own description spells one of the files "test_outut"
    files = [file for file in folder.glob("test_out*.tsv") if len(file.name.split(".")) == 3]
    return sorted(files, key=_system)


def _system(file: Path) -> str:
    return file.name.split(".")[1]


def read_compression_data(path: str | Path) -> RatedOutputs:
    """Read the systems' outputs on the test set, with grammar as the rating and the crowd's texts as references.

    Args:
        path: the release's folder, or its RawData.

    Returns:
        One item for each rated output: its text, mean grammar (1 to 3), system, domain, source as the group, and
        the crowd's compressions of the same source as references.

    Raises:
        InputError: for a folder that lacks the files, a malformed line, or a source without references.
    """
    folder = _folder(Path(path))
    if folder is None:
        raise InputError(
            f"{path}: expected a folder with test.tsv and test_output.<system>.tsv (the release's RawData)"
        )
    references: dict[str, list[str]] = {}
    for compression in read_compressions(folder / "test.tsv"):
        references.setdefault(compression.source_id, []).append(compression.text)
    texts, ratings, lists, systems, domains, groups = [], [], [], [], [], []
    for file in _output_files(folder):
        system = _system(file)
        for compression in read_compressions(file):
            if not compression.grammar:
                continue
            if compression.source_id not in references:
                raise InputError(
                    f"{compression.where}: test.tsv has no compression of source {compression.source_id!r}"
                )
            texts.append(compression.text)
            ratings.append(sum(compression.grammar) / len(compression.grammar))
            lists.append(references[compression.source_id])
            systems.append(system)
            domains.append(compression.domain)
            groups.append(compression.source_id)
    if not texts:
        raise InputError(f"{folder}: the system outputs hold no rating")
    return RatedOutputs(
        source=str(path),
        texts=texts,
        ratings=ratings,
        references=lists,
        systems=systems,
        domains=domains,
        groups=groups,
        is_compression_test_set=True,
    )


def ratings_per_output(path: str | Path) -> list[int]:
    """Return the number of ratings of each rated output of the release."""
    folder = _folder(Path(path))
    files = [] if folder is None else _output_files(folder)
    counts = [len(each.grammar) for file in files for each in read_compressions(file)]
    return [count for count in counts if count]


def read_rated(source: str, **columns: Any) -> RatedOutputs:
    """Read rated outputs from the release's folder, or from a table as `read_rated_outputs` does."""
    return read_compression_data(source) if Path(source).is_dir() else read_rated_outputs(source, **columns)
