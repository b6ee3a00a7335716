"""Base of the data sets' builders, which prepare the same source files once, in whatever folder they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import datasets
from datasets.utils.file_utils import xopen

from referenceless_metrics.core.files.digest import file_digest
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.datasets.catalogue import JUDGEMENTS, DatasetSpec

#: `datasets` 3 locks a file two folders above each builder, as above the scripts that it copies; later versions do not.
_lock_script = getattr(datasets.streaming, "lock_importable_file", None)


def _lock_copied_script(path: str) -> Any:
    """Lock the folder above a copied script; nothing for this package's builders, beside installed packages."""
    own = Path(__file__).resolve().parent
    return nullcontext() if Path(path).resolve().parent == own or _lock_script is None else _lock_script(path)


if _lock_script is not None:
    datasets.streaming.lock_importable_file = _lock_copied_script


def digest_of(paths: Iterable[str]) -> str:
    """Return the digest of files' names and contents, in 16 hexadecimal digits; their folder does not change it."""
    total = hashlib.sha256()
    for path in paths:
        content = file_digest(path)
        total.update(f"{Path(path).name}\0{content}\n".encode())
    return total.hexdigest()[:16]


VERSION = "1.0.0"
"""Version of the rows. It is raised with every change of them, so that older caches are not read."""


@dataclass
class SourceFilesConfig(datasets.BuilderConfig):  # type: ignore[misc]  # datasets is untyped
    """A configuration whose cache is keyed by the content of its source files.

    `datasets` itself keys its cache by the path of `data_dir`: changed files in the same folder would give stale rows,
    and the same files in another folder would be prepared again.

    Attributes:
        files: the names of the files in `data_dir`.
    """

    files: tuple[str, ...] = ()

    def paths(self) -> list[str]:
        """Return the paths of the files in `data_dir`; a `~` in it is the home directory.

        Raises:
            FileNotFoundError: if the folder or a file is absent; the message names every absent file.
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
        """Return the name of the cache folder: the configuration's name and the digest of its files.

        Raises:
            FileNotFoundError: if `data_dir` lacks a file.
        """
        others = {key: value for key, value in config_kwargs.items() if key != "data_dir"}
        config_id = str(super().create_config_id(others, custom_features))
        return config_id if self.data_dir is None else f"{config_id}-{digest_of(self.paths())}"


class SourceFilesBuilder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """A builder that reads local files in `data_dir`. Each data set has a subclass with its columns and rows.

    Attributes:
        spec: the data set's entry in the catalogue.
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
        """Return the addresses of the source files if there is no `data_dir`.

        Raises:
            FileNotFoundError: for a data set that is not downloaded.
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
