"""Messages on files end with command lines that fit them, those for the command that was typed first."""

import json
import shlex
import shutil

import pytest

from quality_estimation_metric.model_files.file import packaged_path
from referenceless_metrics.__main__ import main

RATINGS = "segment,model,fluency\n" + "".join(f"{n},{s},{1 + n % 5}\n" for n in range(12) for s in ("base", "ours"))
RATED = "output,quality\n" + "".join(f"text number {n} is here,{1 + n % 5}\n" for n in range(24))
WIDE = "item,system,output,rater_A,rater_B\n" + "".join(
    f"{n},{s},text {s} number {n} is here,{1 + n % 5},{1 + n % 3}\n" for n in range(12) for s in "ab"
)

ANSWERS = "prompt,system,answer\n" + "".join(
    f"say something of the number {n},{s},{s} answers that it is {n}\n" for n in range(24) for s in ("base", "ours")
)


def refused(capsys, line):
    with pytest.raises(SystemExit) as left:
        main(shlex.split(line))
    assert left.value.code in (1, 2)
    _, _, proposals = capsys.readouterr().err.partition("These command lines fit the file:\n")
    return [proposal.strip() for proposal in proposals.splitlines()]


@pytest.mark.parametrize(
    "line, first",
    [
        ("human-score --ratings r.csv", "human-score --ratings r.csv --rating-column fluency"),
        ("human-score r.csv", "human-score --ratings r.csv --rating-column fluency"),
        ("compare r.csv", "human-score --ratings r.csv --rating-column fluency --item-column segment"),
        ("compare --scores=r.csv --system-column system", "human-score --ratings r.csv --rating-column fluency"),
        ("fit t.csv -o x", "fit t.csv --text-column output --rating-column quality -o"),
        ("calibrate t.csv", "calibrate t.csv --text-column output --rating-column quality"),
        ("score t.csv", "score t.csv --text-column output"),
        ("filter t.csv --keep 'wpslor > 0'", "filter t.csv --keep 'wpslor > 0' --text-column output"),
        ("serve --pool t.csv", "serve --pool t.csv --pool-text-column output --pool-rating-column quality"),
        (
            "score u.csv --text-column output --pool t.csv",
            "score u.csv --text-column output --pool t.csv --pool-text-column output --pool-rating-column quality",
        ),
        ("compare t.csv u.csv -o x.html", "compare t.csv u.csv -o x.html --text-column output"),
        (
            "report t.csv u.csv --ratings w.csv -o x.html",
            "report t.csv u.csv --ratings w.csv -o x.html --text-column output",
        ),
        (
            "sample s.csv -n 12 -o x --text-column answer",
            "sample s.csv -n 12 -o x --text-column answer --system-column system --item-column prompt",
        ),
        (
            "report a.txt b.txt --ratings w.csv -o x.html",
            "report a.txt b.txt --ratings w.csv -o x.html --rating-column rater_A --rating-column rater_B "
            "--ratings-text-column output",
        ),
        (
            "report a.txt b.txt --ratings w.csv -o x.html --text-column output",
            "report a.txt b.txt --ratings w.csv -o x.html --rating-column rater_A --rating-column rater_B "
            "--ratings-text-column output",
        ),
        (
            "score a.txt --pool w.csv",
            "score a.txt --pool w.csv --pool-text-column output --pool-rating-column rater_A "
            "--pool-rating-column rater_B",
        ),
    ],
)
def test_every_command_ends_with_what_fits_its_file(tmp_path, monkeypatch, capsys, line, first):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text(RATINGS)
    for name in "tu":
        (tmp_path / f"{name}.csv").write_text(RATED)
    (tmp_path / "w.csv").write_text(WIDE)
    (tmp_path / "s.csv").write_text(ANSWERS)
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("".join(f"text {name} number {n} is here\n" for n in range(12)))
    proposed = refused(capsys, line)
    assert proposed
    assert proposed[0].startswith(f"referenceless {first}")


def test_a_line_of_the_typed_command_writes_where_the_user_said_and_keeps_what_is_bad(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(RATED)
    for line in (
        "advise t.csv -o advice",
        "advise t.csv --output advice",
        "advise t.csv -o advice --bad '<=2'",
        "fit t.csv -o x.index",
    ):
        first, *_ = refused(capsys, line)
        command, _, kept = line.partition(" t.csv")
        assert first.startswith(f"referenceless {command} t.csv --text-column output --rating-column quality")
        assert first.endswith(kept)
        assert "fitted.pool" not in first


@pytest.mark.parametrize(
    "line, columns",
    [
        ("advise s.csv", "--text-column output --rating-column score --system-column system"),
        ("advise s.csv --text-column output", "--text-column output --rating-column score --system-column system"),
        ("fit s.csv -o x", "--text-column output --rating-column score --system-column system"),
        ("evaluate s.csv", "--text-column output --rating-column score --system-column system"),
        ("calibrate s.csv", "--text-column output --rating-column score --system-column system"),
        ("serve --pool s.csv", "--pool-text-column output --pool-rating-column score --pool-system-column system"),
        ("score a.txt --pool s.csv", "--pool-text-column output --pool-rating-column score"),
    ],
)
def test_commands_that_learn_take_scores_for_ratings_if_nothing_tells_who_gave_them(
    tmp_path, monkeypatch, capsys, line, columns
):
    monkeypatch.chdir(tmp_path)
    rows = [f"{s},facts on {n},{s} says {n} here,{1 + n * 7 % 5}" for n in range(24) for s in ("base", "ours")]
    (tmp_path / "s.csv").write_text("\n".join(["system,facts,output,score", *rows]))
    (tmp_path / "a.txt").write_text("text number 1 is here\n")
    first, *_ = refused(capsys, line)
    assert first.split()[1] == line.split()[0]
    assert columns in first


@pytest.mark.parametrize("pool", ["--pool t.csv", "--pool=t.csv"])
def test_rated_texts_in_place_of_a_fitted_file_are_fitted_first(tmp_path, monkeypatch, capsys, pool):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(RATED)
    publish = "hub publish bleu_neighbors {} --license mit --to me/ours --dry-run space --no-build"
    fit, again = refused(capsys, publish.format(pool))
    columns = "--text-column output --rating-column quality"
    assert fit == f"referenceless fit t.csv --metric bleu_neighbors {columns} -o t.index"
    assert again == f"referenceless {publish.format(pool.replace('t.csv', 't.index'))}"
    for line in (fit, again):
        with pytest.raises(SystemExit) as left:
            main(shlex.split(line)[1:])
        assert left.value.code == 0
    assert (tmp_path / "space" / "t.index").is_file()


@pytest.mark.parametrize(
    "line, mended",
    [
        ("compare a.txt b.txt --pool t.csv --text-column output", "compare a.txt b.txt --pool t.csv"),
        ("score a.txt --pool=t.csv", "score a.txt --pool=t.csv"),
        ("score u.csv --text-column output --pool t.csv", "score u.csv --text-column output --pool t.csv"),
        (
            "filter a.txt --pool t.csv --pool-text-column output --keep 'x > 3'",
            "filter a.txt --pool t.csv --keep 'x > 3'",
        ),
        ("score t.csv --text-column output --pool t.csv", "score t.csv --text-column output --pool t.csv"),
        ("report a.txt b.txt -o x.html --pool t.csv", "report a.txt b.txt -o x.html --pool t.csv"),
    ],
)
def test_a_command_with_a_pool_is_mended_by_the_columns_of_the_pool(tmp_path, monkeypatch, capsys, line, mended):
    monkeypatch.chdir(tmp_path)
    for name in ("t.csv", "u.csv"):
        (tmp_path / name).write_text(RATED)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("text number 1 is here\n")
    with pytest.raises(SystemExit):
        main(shlex.split(line))
    told = capsys.readouterr().err
    _, _, proposed = told.partition("These command lines fit the file:\n")
    columns = "--pool-text-column output --pool-rating-column quality"
    assert proposed.splitlines() == [f"  referenceless {mended} {columns}"]


@pytest.mark.parametrize(
    "line",
    [
        "human-score --ratings r.csv --rating-colum fluency",
        "human-score --ratings r.csv --level 3",
        "serve --pool=t.csv --text-column output",
        "fit t.csv",
        "filter t.csv",
        "sample t.csv u.csv -o study",
        "sample t.csv u.csv --text-column output -n 61 -o study",
        "sample t.csv u.csv --text-column output -n 12 --checks 3 --scale preference -o study",
        "compare a.txt u.csv --text-column output",
        "calibrate t.csv --text-column output --rating-column quality --threshold 2",
    ],
)
def test_options_counts_and_settings_are_no_fault_of_the_files(tmp_path, monkeypatch, capsys, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text(RATINGS)
    (tmp_path / "a.txt").write_text("text number 1 is here\n")
    for name in "tu":
        (tmp_path / f"{name}.csv").write_text(RATED)
    assert refused(capsys, line) == []


OUTPUTS = "prompt,system,answer\n" + "".join(
    f"Tell me of number {n}.,{s},The answer {n} of {s} is here.\n" for n in range(24) for s in ("base", "ours")
)


def test_a_line_that_failed_is_not_proposed_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scores = [f"{{day}}-{n},{n * 7 % 10 / 10}" for n in range(12)]
    for day in "xy":
        (tmp_path / f"{day}.csv").write_text("\n".join(["id,comet", *scores]).format(day=day))
    line = "compare --scores x.csv --scores y.csv --score-column comet --item-column id"
    assert refused(capsys, line) == [f"referenceless {line} --unpaired"]  # no common items
    (tmp_path / "t.csv").write_text("item,system,rating\n1,a,low\n2,b,5\n1,b,4\n")
    assert "referenceless human-score --ratings t.csv" not in refused(capsys, "human-score --ratings t.csv --scale 1-5")


def test_systems_without_common_items_lead_to_unpaired_ones_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{kind}{n},{kind == 'b'},{n * 7 % 10 / 10},{n * 3 % 10 / 10}" for n in range(12) for kind in "ab"]
    (tmp_path / "t.csv").write_text("\n".join(["id,is_poisoned,faithfulness,relevance", *rows]))
    line = "compare --scores t.csv --score-column faithfulness --item-column id --system-column is_poisoned"
    assert refused(capsys, line) == [f"referenceless {line} --unpaired"]


def test_a_file_of_sources_gets_no_lines_for_the_outputs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(OUTPUTS)
    (tmp_path / "a.txt").write_text("The answer is here.\n" * 48)
    assert refused(capsys, "score a.txt --metric rouge_lm --references a.csv") == []


def test_outputs_beside_ratings_get_their_column(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text(OUTPUTS)
    (tmp_path / "r.csv").write_text(RATINGS)
    line = "report a.csv b.csv --ratings r.csv -o x.html"
    assert any(" --text-column answer" in proposed for proposed in refused(capsys, line))


def test_ratings_are_not_proposed_as_scores(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text(RATINGS.replace("fluency", "comet"))
    (tmp_path / "r.csv").write_text(RATINGS.replace("segment", "line"))
    for line in refused(capsys, "evaluate --scores s.csv --ratings r.csv --item-column segment"):
        assert "--scores r.csv" not in line


def test_what_files_hold_together_is_proposed_for_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in "tu":
        (tmp_path / f"{name}.csv").write_text(RATINGS.replace("base", name).replace("ours", name))
    line = "compare --scores t.csv --score-column fluency --item-column segment --system-column model"
    assert refused(capsys, f"{line} --fail-if-worse")  # one system alone


def test_a_required_option_says_what_it_is_for(capsys):
    with pytest.raises(SystemExit):
        main(["filter", "t.csv"])
    assert "Missing option '--keep'. Such as 'fluency_ngram > -2'; repeated, or joined by 'and', all must hold.\n" in (
        capsys.readouterr().err
    )


def test_what_is_written_and_what_is_not_there_is_not_looked_at(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text(RATINGS)
    assert refused(capsys, "score nothing.txt -o r.csv") == []
    assert refused(capsys, "human-score --level") == []


def test_an_option_of_the_pool_that_was_perhaps_meant(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--pool", "none.csv", "--rating-column", "score"])
    assert "No such option: --rating-column; did you mean --pool-rating-column?" in capsys.readouterr().err


def test_a_pool_of_a_metric_that_takes_a_fitted_file(capsys):
    with pytest.raises(SystemExit):
        main("compare a.txt b.txt --metric quality_estimation --pool rated.csv".split())
    told = capsys.readouterr().err
    assert "`referenceless fit rated.csv --metric quality_estimation -o fitted.model`, then `--model-file" in told
    assert "--plot" not in told


def test_a_fitted_model_in_place_of_a_pool_or_of_texts_is_called_so(tmp_path, capsys):
    model = shutil.copy(packaged_path(), tmp_path / "ours.safetensors")
    for line, told in (
        (f"score a.txt --metric quality_estimation --pool {model}", f"a fitted model: `--model-file {model}`"),
        (f"score {model}", f"{model}: it holds a fitted model and no texts"),
    ):
        with pytest.raises(SystemExit):
            main(line.split())
        assert told in " ".join(capsys.readouterr().err.split())


def test_weights_of_another_model_are_not_taken_for_a_fitted_one(tmp_path, capsys):
    header = b'{"encoder.weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(SystemExit):
        main(["score", str(tmp_path / "model.safetensors")])
    told = capsys.readouterr().err
    assert "model.safetensors: it holds the weights of a model, and no texts" in told
    assert "--model-file" not in told


def test_a_system_that_was_perhaps_meant(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text(RATINGS)
    with pytest.raises(SystemExit):
        main(
            shlex.split(
                "human-score --ratings r.csv --rating-column fluency --system-column model --item-column segment "
                "--baseline our"
            )
        )
    assert "the systems are base, ours; did you mean 'ours'?" in capsys.readouterr().err


def test_columns_of_keys_that_were_named_are_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{n},t{n // 3},{s},{1 + n % 5}\n" for n in range(12) for s in ("base", "ours")]
    (tmp_path / "r.csv").write_text("segment,theme,model,fluency\n" + "".join(rows))
    (first, *_) = refused(capsys, "human-score --ratings r.csv --item-column segment --cluster-column theme")
    assert "--rating-column fluency" in first
    assert first.count("--item-column segment") == 1
    assert "--cluster-column theme" in first
    main_line = refused(capsys, "human-score --ratings r.csv --rating-column fluency --cluster-column nothing")[0]
    assert "nothing" not in main_line  # the message names it
    (plain, *_) = refused(capsys, "human-score --ratings r.csv --rater-column nobody --item-column segment")
    assert "--rating-column fluency" in plain
    assert "nobody" not in plain  # no column is called so


SIDE_BY_SIDE = "item,bart_text,t5_text\n" + "".join(
    f"{n},bart says that number {n} is here,and t5 says so of number {n} too\n" for n in range(24)
)


def test_texts_side_by_side_are_scored_with_the_options_that_were_typed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wide.csv").write_text(SIDE_BY_SIDE)
    line, *others = refused(capsys, "score wide.csv --metric slor -o scores.csv")
    assert (line, others) == ("referenceless score wide.csv --metric slor -o scores.csv --rows-in '*_text'", [])
    with pytest.raises(SystemExit) as left:
        main(shlex.split(line)[1:])
    assert left.value.code == 0
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 49
    (tmp_path / "wide.csv").write_text(SIDE_BY_SIDE.replace("_text", " answer"))
    proposed = refused(capsys, "score wide.csv --metric slor")
    assert proposed == ["referenceless score wide.csv --metric slor --rows-in '* answer' --text-column answer"]


def test_outputs_of_an_api_that_share_no_items_lead_to_unpaired_ones(capsys, tmp_path, monkeypatch):
    """The proposed line is read: files of outputs are no scores."""
    monkeypatch.chdir(tmp_path)
    for name in ("v1", "v2"):
        rows = [
            {"id": f"{name}-{n}", "model": name, "choices": [{"text": f"{name} says this of number {n}."}]}
            for n in range(12)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = "--metric slor --rows-in choices --text-column text"
    line, *others = refused(capsys, f"compare v1.jsonl v2.jsonl {options} --item-column id")
    assert set(shlex.split(line)) >= {"v1.jsonl", "v2.jsonl", "--unpaired"}
    assert not {"--scores", "OTHER", "--item-column"} & set(shlex.split(line))
    assert others == []
    with pytest.raises(SystemExit) as left:
        main([*shlex.split(line)[1:], "--metric", "slor"])
    assert left.value.code == 0


def test_lines_keep_the_columns_of_scores_and_ratings_that_were_typed(capsys, tmp_path, monkeypatch):
    """Another criterion never stands in the place of one that was named, and each may be meant if none was."""
    monkeypatch.chdir(tmp_path)
    rows = [(n, system, f"{system} says {n} well", n * 7 % 9 + n % 2) for n in range(40) for system in ("a", "b")]
    for name in ("slor", "fluency"):
        lines = [f"{n},{system},{text},{value / 10}" for n, system, text, value in rows]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"item,system,text,{name}", *lines]))
    lines = [f"{n},{system},{value % 5 + 1},{value % 3 + 1}" for n, system, _, value in rows]
    (tmp_path / "rated.csv").write_text("\n".join(["item,system,meaning,fluency", *lines]))
    scores = "--scores slor.csv --scores fluency.csv"
    for named in ("", " --score-column slor"):
        line, *_ = refused(capsys, f"evaluate {scores} --ratings rated.csv --rating-column fluency{named}")
        assert line.endswith("--rating-column fluency --score-column slor --score-column fluency")
        with pytest.raises(SystemExit) as left:
            main(shlex.split(line)[1:])
        assert left.value.code == 0
    columns = "--score-column slor --score-column fluency"
    for line in refused(
        capsys, f"compare {scores} {columns} --score-column ter --ratings rated.csv --rating-column fluency"
    ):
        assert "--rating-column fluency" in line
    with pytest.raises(SystemExit) as left:
        main(shlex.split(f"compare {scores} {columns} --ratings rated.csv --rating-column fluency"))
    assert left.value.code == 0
    proposed = refused(capsys, "compare --scores slor.csv --score-column slor --ratings rated.csv")
    assert {line.partition("--rating-column ")[2] for line in proposed} == {"meaning", "fluency"}
