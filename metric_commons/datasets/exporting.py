"""Writing a data set as Parquet files with a card, which `datasets` loads without this package."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metric_commons.datasets.catalogue import DatasetSpec, find
from metric_commons.datasets.loading import load, progress_bars
from metric_commons.files.atomic import check_new_folder, new_folder
from metric_commons.hub.cards import card_path
from metric_commons.support.validation import PathName, check_texts


def export(
    name: str,
    config: str | Sequence[str] | None,
    out_dir: PathName,
    *,
    data_dir: PathName | None = None,
    progress: bool | None = None,
) -> Path:
    """Write configurations of a data set to a folder: Parquet files, and a README that `datasets` reads.

    The folder loads with `datasets.load_dataset(out_dir, config)`, on version 3.6 and later. It appears whole
    or not at all.

    Args:
        name: the data set, one of `names()`.
        config: one configuration or several; the data set's default where None.
        out_dir: the folder to write, which must be absent or empty.
        data_dir: the folder that holds the source files.
        progress: whether to show progress on stderr; on a terminal only where None.

    Returns:
        the folder's path.

    Warns:
        UserWarning: where the source forbids to hand copies on. The README says so too.

    Raises:
        ValueError: for an unknown name or configuration, no configuration, or a malformed file.
        FileExistsError: where `out_dir` is a file, or a folder that is not empty.
        FileNotFoundError: where source files are missing.
        ConnectionError: where the download fails.
    """
    spec = find(name)
    if config is None:
        chosen = [spec.default_config]
    else:
        chosen = [config] if isinstance(config, str) else check_texts(config, "config", allow_empty=False)
    target = check_new_folder(out_dir, "out_dir")
    loaded = {each: load(name, each, data_dir=data_dir, progress=progress) for each in dict.fromkeys(chosen)}
    with new_folder(target) as folder, progress_bars(progress):
        for each, splits in loaded.items():
            (folder / each).mkdir()
            for split, rows in splits.items():
                rows.to_parquet(str(folder / each / f"{split}-00000-of-00001.parquet"))
        (folder / "README.md").write_text(_card(spec, loaded), encoding="utf-8")
    if not spec.redistributable:
        warnings.warn(
            f"The source of {name!r} forbids redistribution: keep {target} to yourself, and do not upload it",
            UserWarning,
            stacklevel=2,
        )
    return target


def _card(spec: DatasetSpec, loaded: Mapping[str, Any]) -> str:
    """Return the data set's card with the exported configurations entered in its front matter.

    Types and sizes stand in the Parquet files, where `datasets` and the Hub read them.
    """
    import yaml  # type: ignore[import-untyped]

    _, front_matter, body = card_path("datasets", spec.name).read_text(encoding="utf-8").split("---\n", 2)
    metadata = yaml.safe_load(front_matter)
    metadata["configs"] = [
        {
            "config_name": config,
            "data_files": [{"split": str(split), "path": f"{config}/{split}-*"} for split in splits],
            **({"default": True} if config == spec.default_config and len(loaded) > 1 else {}),
        }
        for config, splits in loaded.items()
    ]
    return f"---\n{yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True)}---\n{body}"
