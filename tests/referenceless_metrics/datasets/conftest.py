"""Small files in the formats of the data sets, written for the tests."""

import copy
import csv

import pytest

from referenceless_metrics import datasets as rated


@pytest.fixture
def assignments():
    """Return three assignments of two sentences each, in nested lists that a test may change.

    An assignment is a HIT, a worker, slots (context, type, output, log-probability) and their answers.
    """
    first = [["a cat sat", "LM", "the cat, sat", "-3.5"], ["", "HUMAN_LM", "naïve 🙂", "-inf"]]
    second = [["ctx", "LM", 'say "hi"', "-1"], ["ctx", "HUMAN_LM", "", "0"]]
    return [
        ["HIT1", "worker-z", copy.deepcopy(first), ["Typical", "Invalid"]],
        ["HIT1", "worker-a", copy.deepcopy(first), ["Very Typical", "Rare"]],
        ["HIT2", "worker-z", second, ["Average", "Specific"]],
    ]


@pytest.fixture
def huse_folder(tmp_path, assignments):
    """Write a file in the format of HUSE's raw outputs, and return its folder."""
    default = assignments

    def write(assignments=None, task="language_model", folder="huse", **renamed):
        assignments = default if assignments is None else assignments
        path = tmp_path / folder / f"{task}_raw_outputs.csv"
        path.parent.mkdir(exist_ok=True)
        slots = len(assignments[0][2])
        header = ["HITId", "AssignmentId", "WorkerId"]
        header += [f"Input.{kind}{i}" for i in range(slots) for kind in ("IDX", "CTX", "TYPE", "OUT", "LOGP")]
        # The order of Mechanical Turk: as strings; and the last two columns have no cells in any row.
        header += [f"Answer.{i}" for i in sorted(range(slots), key=str)] + ["Approve", "Reject"]
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow([renamed.get(name, name) for name in header])
            for number, (hit, worker, given, answers) in enumerate(assignments):
                row = [hit, f"assignment-{number}", worker]
                row += [cell for i, slot in enumerate(given) for cell in (str(i), *slot)]
                row += [answers[i] for i in sorted(range(slots), key=str)]
                writer.writerow(row)
        return path.parent

    return write


TRAIN = (
    "Id\tEssaySet\tScore1\tScore2\tEssayText\r\n"
    "1\t1\t3\t2\tPlain text, with a comma.\r\n"
    '2\t1\t0\t0\t"He said ""no"" and\tleft."\r\n'
    "4\t3\t1\t2\tça va 🙂\r\n"
)
TEST = "Id\tEssaySet\tEssayText\r\n10\t3\tone\r\n11\t1\ttwo\r\n12\t3\tthree\r\n"
SOLUTION = """id,essay_set,essay_weight,essay_score,Usage
12,3,1,2,PublicTest
11,1,1,1,PublicTest
10,3,1,0,PublicTest
"""


@pytest.fixture
def asap_folder(tmp_path):
    """Write files in the format of ASAP-SAS, and return their folder; None leaves a file out."""

    def write(train=TRAIN, test=TEST, solution=SOLUTION, folder="asap"):
        target = tmp_path / folder
        target.mkdir(exist_ok=True)
        for name, content in (
            ("train_rel_2.tsv", train),
            ("public_leaderboard_rel_2.tsv", test),
            ("public_leaderboard_solution.csv", solution),
        ):
            if content is not None:
                (target / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    return write


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Let `datasets` keep its prepared files in a folder of the test's own."""
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))


@pytest.fixture(params=[False, True], ids=["prepared", "streaming"])
def streaming(request):
    """Say whether rows are read as they are asked for."""
    return request.param


@pytest.fixture
def rows_of():
    """Return a function that loads the rows of one split."""

    def rows(name, config, folder, streaming=False, split="train"):
        return list(rated.load(name, config, data_dir=folder, split=split, streaming=streaming))

    return rows
