"""Results of an evaluation harness: means of tasks with standard errors, compared between runs."""

import json
import math
from statistics import NormalDist

import pytest
from command_lines import as_json, typed
from text_files import write

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.scores.task_means import (
    compare_task_means,
    holds_task_means,
    run_names,
    task_lines,
)

BASE = {
    "arc": {"acc": 0.3, "acc_stderr": 0.03, "alias": "arc"},
    "lambada": {"ppl": 100.0, "ppl_stderr": 3.0, "acc": 0.2, "acc_stderr": 0.02},
    "piqa": {"acc": 0.5, "acc_stderr": 0.04},
    "alone": {"acc": 0.5, "acc_stderr": 0.04},
}
OURS = {  # in another order
    "piqa": {"acc": 0.5, "acc_stderr": 0.04},
    "lambada": {"acc": 0.5, "acc_stderr": 0.02, "ppl": 20.0, "ppl_stderr": 4.0},
    "arc": {"acc": 0.35, "acc_stderr": 0.04},
}


def results(path, held, **more):
    path.parent.mkdir(exist_ok=True)
    return str(write(path, json.dumps({"results": held, "versions": dict.fromkeys(held, 0), **more})))


def files(folder):
    return [results(folder / "base.json", BASE), results(folder / "ours.json", OURS)]


def test_differences_are_of_one_task_each_with_the_error_of_independent_means(tmp_path):
    found = compare_task_means(files(tmp_path))
    of = {(each.score, each.task): each for each in found.differences}
    assert list(of) == [("acc", "arc"), ("acc", "lambada"), ("acc", "piqa"), ("ppl", "lambada")]
    arc, lambada, piqa = (of["acc", task] for task in ("arc", "lambada", "piqa"))
    assert (arc.value, arc.baseline, arc.error) == pytest.approx((0.35, 0.3, 0.05))
    assert arc.p == pytest.approx(2 * NormalDist().cdf(-1))
    assert arc.p_adjusted == pytest.approx(2 * arc.p)  # lambada is tested first of three, arc second
    assert lambada.interval[0] > 0
    assert (piqa.difference, piqa.p) == (0, 1)
    assert of["ppl", "lambada"].error == pytest.approx(5)


def test_sentences_say_of_how_many_tasks_a_run_is_higher(tmp_path):
    found = compare_task_means(files(tmp_path))
    assert task_lines(found) == [
        "acc: of 3 tasks, ours beside base is higher on 2, and that is shown for lambada; lower on 0; equal on 1.",
        "ppl (lower is better): of 1 task, ours beside base is higher on 0; lower on 1, and that is shown for lambada "
        "(p < 0.0001).",
    ]
    assert found.notes == ("base: 1 tasks are not in all runs: alone",)


def test_scores_of_filters_and_directions_as_the_harness_writes_them_since_0_4(tmp_path):
    held = {"gsm": {"em,strict": 0.4, "em_stderr,strict": 0.1, "em,none": 0.5, "em_stderr,none": "N/A"}}
    told = {"higher_is_better": {"gsm": {"em": False}}}
    paths = [results(tmp_path / f"{name}.json", held, **told) for name in ("a", "b")]
    found = compare_task_means(paths)
    assert [each.score for each in found.differences] == ["em,strict"]
    [alone] = compare_task_means(paths, score_columns=["em"]).differences
    assert math.isnan(alone.error)
    assert math.isnan(alone.p)
    assert compare_task_means(paths, score_columns=["em"]).lower_is_better == {"em"}


PARTS = ("big", "big_a", "big_a_x", "big_a_y", "big_b", "solo")
TOLD = {"group_subtasks": {"big": ["big_b", "big_a"], "big_a": ["big_a_x", "big_a_y"], "solo": []}}


@pytest.mark.parametrize("told", [TOLD, {"groups": {"big": {}, "big_a": {}}}])
def test_groups_are_not_counted_beside_the_tasks_of_which_they_are_means(tmp_path, told):
    paths = [
        results(
            tmp_path / model / f"results_2025-01-0{n}T00-00-00.1.json",
            {task: {"acc,none": 0.1 * n, "acc_stderr,none": 0.01} for task in PARTS},
            model_name=f"lab/{model}",
            **told,
        )
        for n, model in ((1, "a"), (2, "b"))
    ]
    found = compare_task_means(paths)
    assert [each.task for each in found.differences] == ["big_a_x", "big_a_y", "big_b", "solo"]
    assert found.notes == (
        "2 groups of tasks are left out, which are means of others: big, big_a (--task-groups compares them in place "
        "of their parts)",
    )
    assert (found.baseline, found.differences[0].system) == ("lab/a", "lab/b")
    wide = compare_task_means(paths, groups=True)
    assert [each.task for each in wide.differences] == ["big", "solo"]
    assert wide.notes == ("4 tasks are left out, which are parts of groups",)
    asked = " ".join(f"--scores {file}" for file in paths)
    assert "note: 2 groups of tasks are left out" in typed(f"compare {asked}").err
    assert [row["task"] for row in as_json(f"compare {asked} --task-groups")["rows"]] == ["big", "solo"]


def test_a_group_without_its_parts_and_an_average_of_parts(tmp_path):
    held = {
        name: {"acc": 0.5, "acc_stderr": 0.1} for name in ("x|big:one|0", "x|big:two|0", "x|big:_average|0", "group")
    }
    paths = [results(tmp_path / f"{name}.json", held, group_subtasks={"group": ["absent"]}) for name in "ab"]
    tasks = {each.task for each in compare_task_means(paths).differences}
    assert tasks == {"x|big:one|0", "x|big:two|0", "group"}
    with pytest.raises(InputError, match=r"--task-groups: no task of .* is told as a mean of others"):
        compare_task_means(files(tmp_path), groups=True)


def test_runs_are_called_by_their_models_or_by_their_files_without_a_date(tmp_path):
    paths = [tmp_path / name / f"results_2025-01-0{n}T00-00-00.123.json" for n, name in ((1, "a"), (2, "b"))]
    for path in paths:
        results(path, OURS, model_name="one")
    assert run_names(list(map(str, paths))) == ["a", "b"]
    results(paths[0], OURS, config_general={"model_name": "other"})
    assert run_names(list(map(str, paths))) == ["other", "one"]
    again = results(tmp_path / "a" / "results_2025-01-03T00-00-00.1.json", OURS)
    first = results(paths[0], OURS)
    assert run_names([first, again]) == ["results_2025-01-01T00-00-00.123", "results_2025-01-03T00-00-00.1"]


def test_names_of_tasks_are_never_cut_alike(tmp_path):
    names = [f"collection_high_school_subject_number_{n}" for n in range(50)]
    held = {name: {"acc": 0.5, "acc_stderr": 0.1} for name in names}
    paths = [results(tmp_path / f"{model}.json", held) for model in ("a", "b")]
    told = typed("compare " + " ".join(f"--scores {path}" for path in paths)).out
    assert all(name in told for name in names)


def test_means_without_standard_errors_are_no_results_to_compare(tmp_path):
    assert not holds_task_means(results(tmp_path / "a.json", {"arc": {"acc": 0.5}}))
    assert not holds_task_means(str(write(tmp_path / "b.json", "[1, 2]")))
    assert not holds_task_means(str(write(tmp_path / "c.json", '{"results": ')))
    assert holds_task_means(files(tmp_path)[0])


def test_what_cannot_be_compared_is_refused(tmp_path):
    one, two = files(tmp_path)
    for given, more, message in (
        ([one], {}, "give those of another beside it"),
        ([one, two], {"baseline": "bas"}, "bas"),
        ([one, two], {"score_columns": ["f1"]}, "there is no score 'f1'"),
        ([one, two], {"names": {one: "run", two: "run"}}, "two runs are called 'run'"),
    ):
        with pytest.raises(InputError, match=message):
            compare_task_means(given, **more)


def test_the_command_compares_results_and_refuses_options_of_items(tmp_path):
    asked = "compare " + " ".join(f"--scores {file}" for file in files(tmp_path))
    found = as_json(f"{asked} --baseline ours")
    assert found["baseline"] == "ours"
    assert [row["difference"] for row in found["rows"] if row["task"] == "lambada"] == pytest.approx([-0.3, 80.0])
    assert "--unpaired is for scores of items" in typed(f"{asked} --unpaired", status=2).err
