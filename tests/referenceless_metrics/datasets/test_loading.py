"""Loading and caching, shared by all data sets."""

import os
from functools import partial
from pathlib import Path

from lazily import lazily
from refusals import refused

from referenceless_metrics import datasets as rated

datasets = lazily("datasets")
huse = lazily("referenceless_metrics.datasets.huse")


def files_of(rows):
    return [file["filename"] for file in rows.cache_files]


def language_model(folder, config="language_model"):
    return rated.load("huse", config, data_dir=folder, split="train")


def test_what_load_returns(asap_folder):
    load = partial(rated.load, "asap_sas", data_dir=asap_folder())
    splits, part, streamed = load(), load(split="train[:2]"), load(streaming=True)
    kinds = datasets.DatasetDict, datasets.Dataset, datasets.IterableDatasetDict
    assert tuple(map(type, (splits, part, streamed))) == kinds
    assert {split: len(rows) for split, rows in splits.items()} == {"train": 3, "test": 3}
    assert part["id"][:] == [1, 2]
    assert [row["id"] for row in streamed["train"].skip(1).take(1)] == [2]
    assert streamed["train"].features == splits["train"].features
    with refused("dev"):
        load(split="dev")
    with refused("Expected argument `data_dir` to be a path, but got int 3", TypeError):
        load(data_dir=3)


def test_nothing_is_written_beside_the_package(huse_folder):
    """`datasets` 3 does so with the scripts that it copies."""
    installed = Path(rated.__file__).parents[2]
    before = set(installed.glob("*.lock"))
    language_model(huse_folder())
    assert set(installed.glob("*.lock")) == before


def test_a_second_load_uses_what_the_first_prepared(huse_folder, monkeypatch):
    folder = huse_folder()
    first = language_model(folder)

    def fail(*args, **kwargs):
        raise AssertionError("prepared again")

    monkeypatch.setattr(huse.Huse, "_generate_examples", fail)
    again = language_model(folder)
    assert again[:] == first[:]
    assert files_of(again) == files_of(first)
    # The same content in another folder is the same data.
    moved = folder.rename(folder.with_name("moved"))
    assert files_of(language_model(moved)) == files_of(first)
    # Another configuration is not: the patched builder is asked, which shows that it would have been above.
    with refused("prepared again", AssertionError):
        language_model(moved, "language_model_judgements")


def test_changed_content_in_the_same_folder_is_prepared_anew(huse_folder, assignments):
    folder = huse_folder()
    path = folder / "language_model_raw_outputs.csv"
    first, before = language_model(folder), path.stat()
    assignments[2][3][1] = "Invalid"
    assignments[2][2][0][2] = 'say "ho"'
    huse_folder(assignments)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # content decides, not the time
    second = language_model(folder)
    assert first["rating"][:] == [0.9, 0.1, 0.6, 0.4]
    assert second["rating"][:] == [0.9, 0.1, 0.6, 0.0]
    assert second["text"][2] == 'say "ho"'


def test_progress_bars_only_where_wanted(huse_folder, capfd):
    folder = huse_folder()
    rated.load("huse", "language_model", data_dir=folder)
    assert "Generating" not in capfd.readouterr().err
    assert not datasets.utils.are_progress_bars_disabled()
    rated.load("huse", "language_model_judgements", data_dir=folder, progress=True)
    assert "Generating train split" in capfd.readouterr().err
