"""Loading a data set by name, on `datasets` 3.6 and later."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.installation import imported
from referenceless_metrics.core.support.validation import PathName, check_ratings, describe
from referenceless_metrics.datasets.catalogue import find, parse_spec


def load(
    name: str,
    config: str | None = None,
    *,
    data_dir: PathName | None = None,
    split: str | None = None,
    streaming: bool = False,
    progress: bool | None = None,
) -> Any:
    """Load a data set, as `datasets.load_dataset` does.

    A prepared data set is used again as long as the source files' content is the same, wherever they lie.

    Args:
        name: the data set, one of `names()`.
        config: the configuration, one of `configs(name)`; None for the data set's default.
        data_dir: the folder that holds the source files. Only `huse:summarization` can do without: it is
            downloaded.
        split: a split such as `"train"` or a part of one such as `"train[:10%]"`; None for all splits.
        streaming: whether to read rows as they are asked for, with no cache.
        progress: whether to show progress on stderr; None: only on a terminal.

    Returns:
        a `datasets.Dataset` (one split) or `DatasetDict` (all); with `streaming`, their iterable
        counterparts.

    Raises:
        ValueError: for an unknown name, configuration or split; as its subclass `InputError`, for a malformed
            file (naming file and line).
        FileNotFoundError: if source files are missing; it names them and their origin.
        ConnectionError: if the download fails.
    """
    import datasets.exceptions

    spec = find(name, config)
    if not (data_dir is None or isinstance(data_dir, (str, os.PathLike))):
        raise TypeError(f"Expected argument `data_dir` to be a path, but got {describe(data_dir)}")
    folder = None if data_dir is None else os.fspath(data_dir)
    builder = imported(spec.builder)(config_name=config or spec.default_config, data_dir=folder)
    with progress_bars(progress):
        if streaming:
            return builder.as_streaming_dataset(split=split)
        try:
            builder.download_and_prepare()
        except datasets.exceptions.DatasetGenerationError as error:
            # "An error occurred while generating the dataset": the error itself is its cause.
            if isinstance(error.__cause__, Exception):
                raise error.__cause__ from None
            raise
        return builder.as_dataset(split=split)


def load_rated(spec: str, data_dir: PathName | None = None) -> RatedTexts:
    """Load the texts and the ratings of a data set given as `name:config` or `name:config:split`.

    Args:
        spec: such as `"huse:summarization"` or `"asap_sas:set_8:test"`. Left out, the configuration is the
            data set's default and the split is `train`.
        data_dir: the folder that holds the source files.

    Returns:
        one text and one rating per row: in [0, 1], of `nlg_ratings` from 1 to 6. Equal texts are kept apart.

    Raises:
        InputError: for an unknown data set, configuration or split, or a malformed file.
        FileNotFoundError: if source files are missing.
        ConnectionError: if the download fails.
    """
    name, config, split = parse_spec(spec)
    rows = load(name, config, data_dir=data_dir, split=split)
    column = "rating" if "rating" in rows.column_names else "quality"  # the overall one of several
    columns = rows.select_columns(["text", column])[:]
    ratings = check_ratings(np.asarray(columns[column], dtype=float), "rating")
    return RatedTexts(texts=list(columns["text"]), ratings=ratings)


@contextmanager
def progress_bars(progress: bool | None) -> Iterator[None]:
    """Let `datasets` draw progress bars or not; None: only on a terminal. Its setting is left as it was."""
    from datasets.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    if (sys.stderr.isatty() if progress is None else progress) or are_progress_bars_disabled():
        yield
        return
    disable_progress_bars()
    try:
        yield
    finally:
        enable_progress_bars()
