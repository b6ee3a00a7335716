"""The data sets by name, with all that is known of them without an import of `datasets`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referenceless_metrics.core.support.validation import InputError, check_choice


@dataclass(frozen=True, eq=False)
class DatasetSpec:
    """A data set with a builder in this package.

    Attributes:
        name: the data set's name.
        builder: its builder for `datasets`, as `module:class`.
        title: its title.
        homepage: the address of its authors' page.
        license: its terms.
        configs: a description of each configuration by name.
        default_config: the configuration if none is named.
        files: the source files; `{task}` in a name stands for the configuration without `_judgements`.
        splits: the names of the splits; the first one is the default.
        redistributable: whether the terms allow to pass copies on.
        citation: BibTeX.
    """

    name: str
    builder: str
    title: str
    homepage: str
    license: str
    configs: Mapping[str, str]
    default_config: str
    files: tuple[str, ...]
    splits: tuple[str, ...] = ("train",)
    redistributable: bool = True
    citation: str = ""


JUDGEMENTS = "_judgements"
"""End of the names of HUSE's configurations with one row per judgement."""

MAX_SCORE = {1: 3, 2: 3, 3: 2, 4: 2, 5: 3, 6: 3, 7: 2, 8: 2, 9: 2, 10: 2}
"""Highest score of each set of ASAP-SAS, from the competition's descriptions of the sets."""

_HUSE = DatasetSpec(
    name="huse",
    builder="referenceless_metrics.datasets.huse:Huse",
    title="HUSE",
    homepage="https://github.com/hughbzhang/HUSE",
    license="none stated by the authors",
    configs={
        f"{task}{suffix}": f"{what}, one row for each of the {unit}."
        for task, what in (
            ("summarization", "Headlines of news articles"),
            ("dialogue", "Replies of a chit-chat dialogue system"),
            ("language_model", "Sentences of a language model"),
        )
        for suffix, unit in (("", "sentences"), (JUDGEMENTS, "judgements"))
    },
    default_config="summarization",
    files=("{task}_raw_outputs.csv",),
    citation="""\
@inproceedings{hashimoto-etal-2019-unifying,
  title = {Unifying Human and Statistical Evaluation for Natural Language Generation},
  author = {Hashimoto, Tatsunori B. and Zhang, Hugh and Liang, Percy},
  booktitle = {Proceedings of NAACL-HLT 2019, Volume 1 (Long and Short Papers)},
  pages = {1689--1701},
  year = {2019},
  doi = {10.18653/v1/N19-1169}
}
""",
)
_ASAP_SAS = DatasetSpec(
    name="asap_sas",
    builder="referenceless_metrics.datasets.asap_sas:AsapSas",
    title="ASAP-SAS",
    homepage="https://www.kaggle.com/c/asap-sas",
    license="Competition data of the Hewlett Foundation: redistribution is not allowed; see the rules on Kaggle",
    configs={
        **{
            f"set_{essay_set}": f"The answers to question {essay_set}, scored from 0 to {highest}."
            for essay_set, highest in MAX_SCORE.items()
        },
        "all": "The answers to all ten questions.",
    },
    default_config="all",
    files=("train_rel_2.tsv", "public_leaderboard_rel_2.tsv", "public_leaderboard_solution.csv"),
    splits=("train", "test"),
    redistributable=False,
    citation="""\
@misc{asap-sas,
  title = {The Hewlett Foundation: Short Answer Scoring},
  author = {{The William and Flora Hewlett Foundation}},
  howpublished = {Kaggle},
  year = {2012},
  url = {https://www.kaggle.com/c/asap-sas}
}
""",
)
_NLG_RATINGS = DatasetSpec(
    name="nlg_ratings",
    builder="referenceless_metrics.datasets.nlg_ratings:NlgRatings",
    title="Rated outputs of data-to-text generators",
    homepage="https://github.com/jeknov/EMNLP_17_submission",
    license="MIT (the ratings); the meaning representations of SFHOT and SFRES: Apache-2.0, of BAGEL: not stated",
    configs={
        "bagel": "Restaurants in Cambridge, with proper names as X.",
        "sfhot": "Hotels in San Francisco.",
        "sfres": "Restaurants in San Francisco.",
        "all": "All three domains.",
    },
    default_config="all",
    files=("emnlp_data_medians.csv",),
    citation="""\
@inproceedings{novikova-etal-2017-need,
  title = {Why We Need New Evaluation Metrics for {NLG}},
  author = {Novikova, Jekaterina and Du{\\v{s}}ek, Ond{\\v{r}}ej and Cercas Curry, Amanda and Rieser, Verena},
  booktitle = {Proceedings of the 2017 Conference on Empirical Methods in Natural Language Processing},
  pages = {2241--2252},
  year = {2017},
  doi = {10.18653/v1/D17-1238}
}
""",
)
SPECS = {spec.name: spec for spec in (_HUSE, _ASAP_SAS, _NLG_RATINGS)}


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
    return tuple(find(name).configs)


def find(name: str, config: str | None = None) -> DatasetSpec:
    """Return a data set's entry, after checking its name and, if given, its configuration's.

    Raises:
        ValueError: for an unknown name or configuration; the message lists the known ones.
    """
    check_choice(name, "name", names())
    if config is not None:
        check_choice(config, "config", configs(name))
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

    def checked(what: str, part: str, known: Iterable[str]) -> str:
        if part not in known:
            raise InputError(f"Unknown {what} {part!r} in {spec!r}; known: {', '.join(known)}")
        return part

    named = SPECS[checked("data set", parts[0], SPECS)]
    _, config, split = (*parts, *(named.default_config, named.splits[0])[len(parts) - 1 :])
    return named.name, checked("configuration", config, named.configs), checked("split", split, named.splits)


def is_spec(value: str) -> bool:
    """Tell whether a command line's argument means a data set (`huse:summarization`) rather than a file.

    >>> is_spec("huse:summarization"), is_spec("huse"), is_spec("pool.csv")
    (True, True, False)
    """
    return value.split(":")[0] in SPECS
