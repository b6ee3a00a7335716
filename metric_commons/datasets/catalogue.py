"""The data sets by name: what can be known of them without importing `datasets`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_choice


@dataclass(frozen=True)
class DatasetSpec:
    """A data set that has a builder in this package.

    Attributes:
        name: the data set's name, which is also its module's.
        configs: the names of the configurations.
        default_config: the configuration used where none is named.
        splits: the names of the splits; the first is used where none is named.
        redistributable: False where the source forbids to hand copies on.
    """

    name: str
    configs: tuple[str, ...]
    default_config: str
    splits: tuple[str, ...]
    redistributable: bool

    @property
    def module(self) -> str:
        """The builder's module."""
        return f"metric_commons.datasets.{self.name}"

    @property
    def script(self) -> Path:
        """The builder's file, which `datasets` before version 4 reads as a loading script."""
        return Path(__file__).with_name(f"{self.name}.py")


_HUSE_TASKS = ("summarization", "dialogue", "language_model")
SPECS = {
    spec.name: spec
    for spec in (
        DatasetSpec(
            name="huse",
            configs=tuple(f"{task}{unit}" for task in _HUSE_TASKS for unit in ("", "_judgements")),
            default_config="summarization",
            splits=("train",),
            redistributable=True,
        ),
        DatasetSpec(
            name="asap_sas",
            configs=(*(f"set_{number}" for number in range(1, 11)), "all"),
            default_config="all",
            splits=("train", "test"),
            redistributable=False,
        ),
        DatasetSpec(
            name="nlg_ratings",
            configs=("bagel", "sfhot", "sfres", "all"),
            default_config="all",
            splits=("train",),
            redistributable=True,
        ),
    )
}


def names() -> tuple[str, ...]:
    """Return the names of the data sets.

    >>> names()
    ('huse', 'asap_sas', 'nlg_ratings')
    """
    return tuple(SPECS)


def configs(name: str) -> tuple[str, ...]:
    """Return the names of a data set's configurations.

    >>> configs("huse")[:2]
    ('summarization', 'summarization_judgements')

    Raises:
        ValueError: for an unknown name; the message lists the known ones.
    """
    return find(name).configs


def find(name: str, config: str | None = None) -> DatasetSpec:
    """Return what is known of a data set, after checking its name and, where given, its configuration's.

    Raises:
        ValueError: for an unknown name or configuration; the message lists the known ones.
    """
    check_choice(name, "name", names())
    if config is not None:
        check_choice(config, "config", SPECS[name].configs)
    return SPECS[name]


def parse_spec(spec: str) -> tuple[str, str, str]:
    """Split `name`, `name:config` or `name:config:split` into three parts, with defaults for those left out.

    >>> parse_spec("huse:summarization")
    ('huse', 'summarization', 'train')
    >>> parse_spec("asap_sas:set_8:test")
    ('asap_sas', 'set_8', 'test')

    Raises:
        InputError: for more than three parts, or an unknown part; the message lists the known ones.
    """
    parts = spec.split(":") if isinstance(spec, str) else []
    if not 1 <= len(parts) <= 3:
        raise InputError(f"Expected a data set as name:config or name:config:split, but got {spec!r}")

    def known(place: int, what: str, choices: tuple[str, ...], default: str) -> str:
        part = parts[place] if place < len(parts) else default
        if part not in choices:
            raise InputError(f"Unknown {what} {part!r} in {spec!r}; known: {', '.join(choices)}")
        return part

    name = known(0, "data set", names(), "")
    found = SPECS[name]
    config = known(1, "configuration", found.configs, found.default_config)
    return name, config, known(2, "split", found.splits, found.splits[0])


def is_spec(value: str) -> bool:
    """Tell whether a command line's argument means a data set (`huse:summarization`) rather than a file.

    >>> is_spec("huse:summarization"), is_spec("huse"), is_spec("pool.csv")
    (True, True, False)
    """
    return value.split(":")[0] in SPECS
