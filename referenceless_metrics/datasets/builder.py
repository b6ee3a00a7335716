"""The base of the data sets' builders: they prepare the same source files once, wherever those lie.

Local data files: where they must be, what they contain, and delimited text with errors that say where.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import datasets
from datasets.utils.file_utils import xopen

from referenceless_metrics.core.files.delimited import Dialect, csv_rows
from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.datasets.catalogue import JUDGEMENTS, DatasetSpec


def digest_of(paths: Iterable[str]) -> str:
    """Hash the names and the contents of files: 16 hexadecimal digits, the same wherever the files lie."""
    total = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        total.update(f"{Path(path).name}\0{content}\n".encode())
    return total.hexdigest()[:16]


class Row(dict[str, str]):
    """One row of delimited text: its cells by column, without those behind its end, as Mechanical Turk writes it.

    Args:
        where: the file and the number of its first line, for messages.
        cells: its cells.
    """

    def __init__(self, where: str, cells: dict[str, str]) -> None:
        super().__init__(cells)
        self.where = where

    def __missing__(self, column: str) -> str:
        raise self.error(f"the row ends before {column!r}")

    def error(self, message: str) -> InputError:
        """Return an error that names the file and the line."""
        return InputError(f"{self.where}: {message}")

    def integer(self, column: str) -> int:
        """Return the cell of `column` as a whole number.

        Raises:
            InputError: if the row ends before that column, or the cell is anything else.
        """
        cell = self[column]
        try:
            return int(cell)
        except ValueError:
            raise self.error(f"expected a whole number in {column!r}, but got {cell!r}") from None


def delimited_rows(
    content: bytes, source: str, columns: Iterable[str] = (), *, delimiter: str = ","
) -> tuple[list[str], list[Row]]:
    r"""Read a delimited text file (CSV, TSV) with a header: UTF-8, minimal quoting, doubled quotes.

    A row may be shorter than the header, but not longer. Blank lines are skipped, a byte-order mark is ignored.

    Args:
        content: the file's bytes.
        source: the file's path or address, for error messages.
        columns: what the header must have.
        delimiter: the character between cells.

    Returns:
        The header, and the rows.

    Raises:
        InputError: for an empty file, a header that names a column twice, or one that lacks columns.

    >>> delimited_rows(b'id,text\n1,"a, b"\n', "pool.csv")[1]
    [{'id': '1', 'text': 'a, b'}]
    >>> delimited_rows(b"id,text\n", "pool.csv", ["id", "score"])
    Traceback (most recent call last):
    ...
    referenceless_metrics...InputError: pool.csv:1: no column 'score' among the 2 columns of the header
    """
    header: dict[str, None] = {}
    lines = csv_rows(ByteLines(io.BytesIO(content), source), header, Dialect(delimiter), ragged=True)
    rows = [Row(f"{source}:{line}", cells) for line, cells in lines]
    check_columns(header, columns, source)
    return list(header), rows


def check_columns(header: Collection[str], columns: Iterable[str], source: str) -> None:
    """Check that a header has all of `columns`.

    Raises:
        InputError: naming the first columns that are absent.
    """
    if absent := [repr(column) for column in columns if column not in header]:
        shown = ", ".join(absent[:3]) + (f" and {len(absent) - 3} more" if len(absent) > 3 else "")
        raise InputError(f"{source}:1: no column {shown} among the {len(header)} columns of the header")


VERSION = "1.0.0"  # to be raised with every change of the rows: caches made before it are not read any more


@dataclass
class SourceFilesConfig(datasets.BuilderConfig):  # type: ignore[misc]  # datasets is untyped
    """A configuration whose cache is keyed by what its source files contain, not by where they lie.

    `datasets` keys its cache by the path of `data_dir`, so that changed files in the same folder would give
    stale rows, and the same files in another folder would be prepared again.

    Attributes:
        files: the names of the files that `data_dir` must hold.
    """

    files: tuple[str, ...] = ()

    def paths(self) -> list[str]:
        """Return the paths of the files in `data_dir`, in which `~` stands for the home directory.

        Raises:
            FileNotFoundError: if the folder or one of the files is absent; it names every absent file.
        """
        folder = Path(self.data_dir).expanduser()
        missing = [name for name in self.files if not (folder / name).is_file()]
        if missing:
            lack = f"no {', '.join(missing)}" if folder.is_dir() else "no such folder"
            raise FileNotFoundError(
                f"Expected argument `data_dir` to be the folder that holds {', '.join(self.files)} for {self.name!r}, "
                f"but there is {lack} at {str(folder)!r}"
            )
        return [str(folder / name) for name in self.files]

    def create_config_id(self, config_kwargs: Record, custom_features: Any = None) -> str:
        """Return the name of the cache folder: the configuration's own, and the digest of its files.

        Raises:
            FileNotFoundError: if `data_dir` lacks a file.
        """
        others = {key: value for key, value in config_kwargs.items() if key != "data_dir"}
        config_id = str(super().create_config_id(others, custom_features))
        return config_id if self.data_dir is None else f"{config_id}-{digest_of(self.paths())}"


class SourceFilesBuilder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """A builder that reads its rows from local files in `data_dir`; a data set's own says what its rows are.

    Attributes:
        spec: what the catalogue says of the data set.
    """

    BUILDER_CONFIG_CLASS = SourceFilesConfig
    spec: ClassVar[DatasetSpec]
    config: Any

    def __init_subclass__(cls) -> None:
        """Declare the configurations of the catalogue."""
        version = datasets.Version(VERSION)
        cls.DEFAULT_CONFIG_NAME = cls.spec.default_config
        cls.BUILDER_CONFIGS = [
            SourceFilesConfig(
                name=name,
                version=version,
                description=description,
                files=tuple(file.format(task=name.removesuffix(JUDGEMENTS)) for file in cls.spec.files),
            )
            for name, description in cls.spec.configs.items()
        ]

    def columns(self) -> dict[str, str]:
        """Return the types of the columns, by name."""
        raise NotImplementedError

    def rows(self, split: str, *paths: str) -> Iterable[Record]:
        """Return the rows of this configuration and a split, from the source files."""
        raise NotImplementedError

    def addresses(self) -> list[str]:
        """Return where the source files lie where no `data_dir` was given.

        Raises:
            FileNotFoundError: if they are not to be had on the network.
        """
        wanted = ", ".join(self.config.files)
        why = "is not downloaded" if self.spec.redistributable else "may not be redistributed, so it is not downloaded"
        raise FileNotFoundError(
            f"{self.spec.title} {why}: get {wanted} from {self.spec.homepage} and pass data_dir=, a folder that holds "
            f"{wanted}"
        )

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description=f"{self.spec.title}, {self.config.name}. {self.config.description}",
            features=datasets.Features({name: datasets.Value(dtype) for name, dtype in self.columns().items()}),
            homepage=self.spec.homepage,
            license=self.spec.license,
            citation=self.spec.citation,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        paths = tuple(self.addresses() if self.config.data_dir is None else self.config.paths())
        return [
            datasets.SplitGenerator(split, gen_kwargs={"split": split, "paths": paths}) for split in self.spec.splits
        ]

    def _generate_examples(self, split: str, paths: tuple[str, ...]) -> Iterator[tuple[int, Record]]:
        number = None
        for number, row in enumerate(self.rows(split, *paths)):
            yield number, row
        if number is None:
            raise InputError(f"{paths[0]}: expected rows of {self.config.name}, found none")

    @staticmethod
    def read(path: str) -> bytes:
        """Return the content of a local file or of an address."""
        with xopen(path, "rb") as file:
            return bytes(file.read())
