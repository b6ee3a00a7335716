"""Rated texts from published studies, as `datasets` builders: HUSE, ASAP-SAS and NLG ratings.

>>> from referenceless_metrics import datasets
>>> datasets.names()
('huse', 'asap_sas', 'nlg_ratings')
>>> rows = datasets.load("huse", "summarization", data_dir="…", split="train")  # doctest: +SKIP
>>> pool = datasets.load_rated("asap_sas:set_8", data_dir="…")  # doctest: +SKIP

`load` returns the same as `datasets.load_dataset`, and `load_rated` only the texts and their ratings. Importing this
module does not import `datasets`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.core.support.installation import lazy_names

if TYPE_CHECKING:
    from referenceless_metrics.datasets.catalogue import DatasetSpec, configs, find, is_spec, names, parse_spec
    from referenceless_metrics.datasets.loading import load, load_rated

__all__ = [
    "DatasetSpec",
    "configs",
    "find",
    "is_spec",
    "load",
    "load_rated",
    "names",
    "parse_spec",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "configs": "referenceless_metrics.datasets.catalogue:configs",
        "DatasetSpec": "referenceless_metrics.datasets.catalogue:DatasetSpec",
        "find": "referenceless_metrics.datasets.catalogue:find",
        "is_spec": "referenceless_metrics.datasets.catalogue:is_spec",
        "load": "referenceless_metrics.datasets.loading:load",
        "load_rated": "referenceless_metrics.datasets.loading:load_rated",
        "names": "referenceless_metrics.datasets.catalogue:names",
        "parse_spec": "referenceless_metrics.datasets.catalogue:parse_spec",
    },
)
