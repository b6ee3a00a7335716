"""A gate on the share of bad outputs: of a metric's scores, or those of any tool."""

import json

import pytest
from command_lines import typed
from text_files import write, write_table

from referenceless_metrics import WPSLOR

WORDS = "the small grey cat sat on a warm mat and saw one red bird".split()
GOOD = [" ".join(WORDS[n % 5 :]) for n in range(40)]
WORSE = [" ".join(text.split()[::-1]) if n % 2 else text for n, text in enumerate(GOOD)]


@pytest.fixture(autouse=True)
def limit(folder):
    """Write the outputs of two systems, and return a limit that parts whole texts from those in another order."""
    write("good.txt", GOOD)
    write("worse.txt", WORSE)
    values = WPSLOR().predict(GOOD[1::2] + WORSE[1::2]).values
    return (values[:20].min() + values[20:].max()) / 2


def rows_of(line):
    return json.loads(typed(f"{line} -f json").out)["rows"]


@pytest.mark.parametrize("more", ["", " --unpaired"])
def test_the_share_of_bad_outputs_is_compared_and_more_of_them_fail(limit, more):
    line = f"compare good.txt worse.txt --metric wpslor --bad '<{limit:.3f}'{more}"
    good, worse = rows_of(line)
    assert (good["mean"], worse["mean"], worse["difference"]) == (0.0, 0.5, 0.5)
    assert 0.2 < worse["from"] < 0.5 < worse["to"]
    named = f"share with WPSLOR < {limit:.3f}"[: len("share with WPSLOR < -1.2")]
    done = typed(f"{line} --fail-if-worse", 1)
    assert f"By {named}" in done.out
    assert "(lower is better), worse is higher than good" in done.out
    test = "Newcombe's interval of two shares." if more else "McNemar's exact test, with Newcombe's interval."
    assert f"p and intervals of differences: {test}" in done.out
    assert f"worse ({named}" in done.err
    assert "less that of good, of which lower is better, is +0.5," in done.err
    typed(f"compare worse.txt good.txt --metric wpslor --bad '<{limit:.3f}'{more} --fail-if-worse", 0)


def test_scores_of_a_tool_count_as_bad_and_items_without_one_count_neither_way(folder):
    rows = [
        (item, system, 5 - 3 * (system == "ours" and item < 12)) for item in range(30) for system in ("base", "ours")
    ]
    rows[-1] = (29, "ours", "")
    write_table("scores.csv", ["item", "system", "judge"], rows)
    base, ours = rows_of("compare --scores scores.csv --bad '<= 2'")
    assert (base["mean"], ours["mean"], ours["items"]) == (0.0, 12 / 29, 29)
    assert ours["score"] == "share with judge <= 2"
    note = (
        "What has no score, such as an empty output, is left out of the shares: it counts neither as bad nor as good."
    )
    assert note in typed("compare --scores scores.csv --bad '<= 2'").out
    assert (
        "(share with judge <= 2): worse: The share of ours"
        in typed("compare --scores scores.csv --bad '<=2' --fail-if-worse", 1).err
    )
    caption, table = (
        typed("compare --scores scores.csv --bad '<=2' -f latex")
        .out.split(r"\end{tabular}")[0]
        .split(r"\begin{tabular}")
    )
    assert "p: by McNemar's exact test, with Newcombe's interval." in caption
    assert "{p} & {wins}" in table
    assert "p holm" not in table


def test_the_shares_are_those_of_a_column_of_0_and_1(folder):
    rows = [(item, system, item % 7 - (system == "ours") * (item % 3 == 0)) for item in range(40) for system in "ab"]
    write_table("numbers.csv", ["item", "system", "score"], rows)
    write_table("shares.csv", ["item", "system", "score"], [(i, s, int(value < 1)) for i, s, value in rows])
    ours = rows_of("compare --scores numbers.csv --bad '<1'")
    theirs = rows_of("compare --scores shares.csv --lower-is-better score")
    for name in ("mean", "difference", "from", "to", "p", "wins", "losses"):
        assert [row[name] for row in ours] == [row[name] for row in theirs]


def test_clusters_count_as_dependent(limit):
    write("docs.txt", [f"doc {n // 4}" for n in range(40)])
    ours = rows_of(f"compare good.txt worse.txt --metric wpslor --bad '<{limit:.3f}' --cluster-column docs.txt")[1]
    assert ours["clusters"] == 10


@pytest.mark.parametrize(
    "options, message",
    [
        ("--bad low", 'expected what counts as bad, such as "<=2" or ">=4", but got \'low\''),
        ("--bad '<0' --with bleu --references good.txt", "--references is of the mean of a metric"),
        ("--bad '<0' --all-pairs", "--all-pairs is of the mean of a metric"),
        ("--bad '<0' --scale=-5-5 --fail-if-worse", "--scale is of scores, and --bad compares shares"),
        ("--bad '<0' --metric rouge_lm --reference-columns text", "--reference-columns is of the mean of a metric"),
        ("--bad '<0' --metric rouge_lm", "rouge_lm reads references or sources, and --bad reads texts alone"),
    ],
)
def test_what_does_not_go_with_shares_is_refused(options, message):
    assert message in " ".join(typed(f"compare good.txt worse.txt {options}", 2).err.split())
