"""Making `datasets.load_dataset("huse", …)` work: opt-in, for the running process, undone by `unregister`.

`datasets` has no registry that others may enter. Its list of packaged modules comes closest, but it searches
`data_dir`, or else the working directory, for data files of any kind, and fails where there are none; and
since version 4 a name that is neither a folder nor on the Hub finds nothing but caches made before. In every
version from 3.6 on, all loading goes through the function `datasets.load.dataset_module_factory`, which finds
a builder's module by the name given. `register` puts a function before it that answers for this package's
names and hands every other on. Nothing is written to disk, and no other name changes its meaning.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from metric_commons.datasets.catalogue import SPECS
from metric_commons.datasets.loading import runs_scripts, source_hash

_FUNCTION = "dataset_module_factory"
_ORIGINAL = "original_of_metric_commons"


def _users() -> tuple[ModuleType, ...]:
    """Return the modules of `datasets` that hold the function: its own, and one that imports it."""
    import datasets.inspect
    import datasets.load

    return datasets.load, datasets.inspect


def register() -> None:
    """Let `datasets.load_dataset` and its kin know this package's data sets by name, in this process.

    `load_dataset("huse", "summarization", data_dir=…)`, `load_dataset_builder`, `get_dataset_config_names`
    and `get_dataset_split_names` then work with `"huse"`, `"asap_sas"` and `"nlg_ratings"`, on `datasets` 3.6 and
    later; `trust_remote_code` is not needed. A folder of that name in the working directory is no longer found by
    its bare name (write `"./huse"`). Registering twice changes nothing.
    """
    for module in _users():
        original = getattr(module, _FUNCTION)
        if not hasattr(original, _ORIGINAL):
            setattr(module, _FUNCTION, _answering_for_this_package(original))


def unregister() -> None:
    """Undo `register`. Does nothing where nothing is registered."""
    for module in _users():
        original = getattr(getattr(module, _FUNCTION), _ORIGINAL, None)
        if original is not None:
            setattr(module, _FUNCTION, original)


def _answering_for_this_package(original: Any) -> Any:
    @functools.wraps(original)
    def dataset_module_factory(path: str, *args: Any, **kwargs: Any) -> Any:
        spec = SPECS.get(path)
        if spec is None:
            return original(path, *args, **kwargs)
        if runs_scripts():
            return original(str(spec.script), *args, **{**kwargs, "trust_remote_code": True})
        from datasets.load import DatasetModule

        return DatasetModule(spec.module, source_hash(spec), {"dataset_name": spec.name})

    setattr(dataset_module_factory, _ORIGINAL, original)
    return dataset_module_factory
