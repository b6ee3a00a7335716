"""The base of the data sets' builders: they prepare the same source files once, wherever those lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import datasets

from metric_commons.datasets.catalogue import JUDGEMENTS, DatasetSpec
from metric_commons.datasets.files import fingerprint, require_files
from metric_commons.support.validation import InputError

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
        """Return the paths of the files in `data_dir`.

        Raises:
            FileNotFoundError: where it lacks one.
        """
        return require_files(self.data_dir, self.files, self.name)

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
        return config_id if self.data_dir is None else f"{config_id}-{fingerprint(self.paths())}"


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

    def rows(self, split: str, *paths: str) -> Iterable[dict[str, Any]]:
        """Return the rows of this configuration and a split, from the source files."""
        raise NotImplementedError

    def download(self, dl_manager: Any) -> list[str]:
        """Return the paths of the source files where no `data_dir` was given.

        Raises:
            FileNotFoundError: where they cannot be downloaded.
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
        paths = tuple(self.download(dl_manager) if self.config.data_dir is None else self.config.paths())
        return [
            datasets.SplitGenerator(split, gen_kwargs={"split": split, "paths": paths}) for split in self.spec.splits
        ]

    def _generate_examples(self, split: str, paths: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
        number = None
        for number, row in enumerate(self.rows(split, *paths)):
            yield number, row
        if number is None:
            raise InputError(f"{paths[0]}: expected rows of {self.config.name}, found none")

    @staticmethod
    def read(path: str) -> bytes:
        """Return the content of a local file, or, when streaming, of an address."""
        # datasets replaces this module's `open` by one that also reads addresses; Path.read_bytes would not.
        with open(path, "rb") as file:  # noqa: PTH123
            return bytes(file.read())
