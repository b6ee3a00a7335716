"""The base of the data sets' builders: they prepare the same source files once, wherever those lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import datasets

from metric_commons.datasets.files import fingerprint, require_files
from metric_commons.support.errors import InputError

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

    def create_config_id(self, config_kwargs: dict[str, Any], custom_features: Any = None) -> str:
        """Return the name of the cache folder: the configuration's own, and the fingerprint of its files.

        Raises:
            ValueError: where `data_files` is given.
            FileNotFoundError: where `data_dir` lacks a file.
        """
        if self.data_files:
            raise ValueError(
                f"Expected argument `data_dir`, a folder that holds {', '.join(self.files)}, but got `data_files`"
            )
        others = {key: value for key, value in config_kwargs.items() if key not in {"data_dir", "data_files"}}
        config_id = str(super().create_config_id(others, custom_features))
        if self.data_dir is None:
            return config_id
        return f"{config_id}-{fingerprint(require_files(self.data_dir, self.files, self.name))}"


def configurations(descriptions: Mapping[str, str], files: Callable[[str], tuple[str, ...]]) -> list[SourceFilesConfig]:
    """Return configurations from what they are, by name, and which files each is read from."""
    version = datasets.Version(VERSION)
    return [
        SourceFilesConfig(name=name, version=version, description=description, files=files(name))
        for name, description in descriptions.items()
    ]


class SourceFilesBuilder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """A builder that reads its rows from local files in `data_dir`.

    Attributes:
        TITLE: what the data set is called.
        HOMEPAGE: where it comes from.
        LICENSE: under what terms.
        CITATION: BibTeX.
    """

    BUILDER_CONFIG_CLASS = SourceFilesConfig
    TITLE: ClassVar[str]
    HOMEPAGE: ClassVar[str]
    LICENSE: ClassVar[str]
    CITATION: ClassVar[str] = ""
    config: Any

    def columns(self) -> dict[str, str]:
        """Return the types of the columns, by name."""
        raise NotImplementedError

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description=f"{self.TITLE}, {self.config.name}. {self.config.description}",
            features=datasets.Features({name: datasets.Value(dtype) for name, dtype in self.columns().items()}),
            homepage=self.HOMEPAGE,
            license=self.LICENSE,
            citation=self.CITATION,
        )

    def source_files(self) -> list[str] | None:
        """Return the paths of `config.files` in `data_dir`, in that order; None without a `data_dir`.

        Raises:
            FileNotFoundError: where `data_dir` lacks a file.
        """
        if self.config.data_dir is None:
            return None
        return require_files(self.config.data_dir, self.config.files, f"{self.dataset_name}/{self.config.name}")

    def numbered(
        self, rows: Iterable[dict[str, Any]], config_of: Callable[[dict[str, Any]], str], path: str
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows of this configuration, each with its number in the file.

        Raises:
            InputError: where there are none.
        """
        found = False
        for number, row in enumerate(rows):
            if self.config.name in ("all", config_of(row)):
                found = True
                yield number, row
        if not found:
            raise InputError(f"{path}: expected rows of {self.config.name}, found none")

    @staticmethod
    def read(path: str) -> bytes:
        """Return the content of a local file, or, when streaming, of an address."""
        # datasets replaces this module's `open` by one that also reads addresses; Path.read_bytes would not.
        with open(path, "rb") as file:  # noqa: PTH123
            return bytes(file.read())
