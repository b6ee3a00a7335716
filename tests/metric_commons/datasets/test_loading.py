"""Loading, caching, registering, exporting, and loading scripts: what both data sets share."""

import os
import stat
from functools import partial

import datasets
import numpy as np
import pytest
import yaml
from refusals import refused
from text_files import read

from metric_commons import datasets as rated
from metric_commons.datasets.huse import Huse


def files_of(rows):
    return [file["filename"] for file in rows.cache_files]


def language_model(folder, config="language_model"):
    return rated.load("huse", config, data_dir=folder, split="train")


def front_matter(folder):
    return yaml.safe_load(read(folder / "README.md").split("---\n", 2)[1])


def test_what_load_returns(asap_folder):
    load = partial(rated.load, "asap_sas", data_dir=asap_folder())
    splits, part, streamed = load(), load(split="train[:2]"), load(streaming=True)
    assert isinstance(splits, datasets.DatasetDict)
    assert {split: len(rows) for split, rows in splits.items()} == {"train": 3, "test": 3}
    assert isinstance(part, datasets.Dataset)
    assert part["id"][:] == [1, 2]
    assert isinstance(streamed, datasets.IterableDatasetDict)
    assert isinstance(streamed["test"], datasets.IterableDataset)
    assert [row["id"] for row in streamed["train"].skip(1).take(1)] == [2]
    assert streamed["train"].features == splits["train"].features
    with refused("dev"):
        load(split="dev")
    with refused("Expected argument `data_dir` to be a path, but got int 3", TypeError):
        load(data_dir=3)


def test_a_second_load_uses_what_the_first_prepared(huse_folder, monkeypatch):
    folder = huse_folder()
    first = language_model(folder)

    def fail(*args, **kwargs):
        raise AssertionError("prepared again")

    monkeypatch.setattr(Huse, "_generate_examples", fail)
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


def test_rated_texts(asap_folder, huse_folder):
    folder = asap_folder()
    train = rated.load_rated("asap_sas:set_1", folder)
    assert train.texts == ["Plain text, with a comma.", 'He said "no" and\tleft.']
    assert train.ratings.dtype == np.float64
    assert train.ratings.tolist() == [1.0, 0.0]
    test = rated.load_rated("asap_sas:set_3:test", data_dir=str(folder))
    assert (test.texts, test.ratings.tolist()) == (["one", "three"], [0.0, 1.0])
    judgements = rated.load_rated("huse:language_model_judgements", huse_folder())
    assert len(judgements) == 6
    assert judgements.ratings.tolist() == [0.8, 0.0, 1.0, 0.2, 0.6, 0.4]
    with refused("Unknown configuration 'set_0'"):
        rated.load_rated("asap_sas:set_0", folder)


def test_progress_bars_only_where_wanted(huse_folder, capfd):
    folder = huse_folder()
    rated.load("huse", "language_model", data_dir=folder)
    assert "Generating" not in capfd.readouterr().err
    assert not datasets.utils.are_progress_bars_disabled()
    rated.load("huse", "language_model_judgements", data_dir=folder, progress=True)
    assert "Generating train split" in capfd.readouterr().err


@pytest.mark.parametrize("configs", [["language_model"], ["language_model_judgements", "language_model"]])
def test_exports_load_without_this_package(huse_folder, tmp_path, configs):
    folder = huse_folder()
    out = rated.export("huse", configs, tmp_path / "deep" / "out", data_dir=folder)
    assert out == tmp_path / "deep" / "out"
    assert {path.name for path in out.iterdir()} == {"README.md", *configs}
    assert datasets.get_dataset_config_names(str(out)) == configs
    for config in configs:
        rows = language_model(folder, config)
        exported = datasets.load_dataset(str(out), config, split="train")
        assert exported[:] == rows[:]
        assert exported.features == rows.features
        assert exported.info.splits["train"].num_examples == len(rows)
        assert len(list(datasets.load_dataset(str(out), config, split="train", streaming=True))) == len(rows)
    metadata = front_matter(out)
    assert metadata["pretty_name"] == "HUSE human judgements"
    assert [entry["config_name"] for entry in metadata["configs"]] == configs
    assert stat.S_IMODE(out.stat().st_mode) == stat.S_IMODE(out.parent.stat().st_mode)


def test_several_configurations_have_the_usual_default(asap_folder, tmp_path):
    with pytest.warns(UserWarning, match=r"'asap_sas' forbids redistribution: keep .* to yourself"):
        out = rated.export("asap_sas", ["set_3", "all"], tmp_path / "out", data_dir=asap_folder())
    assert "**Do not redistribute.**" in read(out / "README.md")
    assert front_matter(out)["license"] == "other"
    splits = datasets.load_dataset(str(out))
    assert {split: len(rows) for split, rows in splits.items()} == {"train": 3, "test": 3}
    assert splits["test"]["second_score"][:] == [None] * 3


def test_exports_appear_whole_or_not_at_all(huse_folder, tmp_path, monkeypatch):
    out, full = tmp_path / "exports" / "out", tmp_path / "exports" / "full"
    for folder in (out, full):  # an empty folder is accepted
        folder.mkdir(parents=True)
    (full / "thesis.tex").touch()
    export = partial(rated.export, data_dir=huse_folder())
    for configs, target, error, message in (
        ("language_model", full, FileExistsError, r"`out_dir` to be an absent or empty folder, but .*full is not"),
        (["language_model", "x"], out, ValueError, "Expected argument `config` to be one of"),
        ([], out, ValueError, "Expected argument `config` to hold at least one"),
    ):
        with refused(message, error):
            export("huse", configs, target)

    def fail(*args, **kwargs):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr("metric_commons.datasets.loading._card", fail)
        with refused("disk full", OSError):
            export("huse", "language_model", out)
    assert sorted(path.name for path in out.parent.rglob("*")) == ["full", "out", "thesis.tex"]
    export("huse", "language_model", out)
    assert (out / "README.md").is_file()
