"""Logs that Inspect and lm-evaluation-harness wrote become tables of outputs with their judge's scores."""

import pytest
from text_files import write

from metric_commons.integrations.judge_logs import read_judged
from metric_commons.support.validation import InputError

HARNESS = (  # two lines of a file that lm-evaluation-harness 0.4.13 wrote, without its hashes
    '{"doc_id": 10, "doc": {"question": "q 10", "answer": "lol"}, "target": "lol", "arguments": {"gen_args_0": '
    '{"arg_0": "q 10", "arg_1": {"until": ["\\n"]}}}, "resps": [["lol"]], "filtered_resps": ["lol"], "filter": "none", '
    '"metrics": ["exact_match", "bleu"], "exact_match": 1.0, "bleu": ["lol", "lol"]}\n'
    '{"doc_id": 9, "doc": {"question": "q 9", "answer": "a"}, "target": "a", "arguments": {"gen_args_0": {"arg_0": '
    '"q 9", "arg_1": {"until": ["\\n"]}}}, "resps": [["lol"]], "filtered_resps": ["lol"], "filter": "none", "metrics": '
    '["exact_match", "bleu"], "exact_match": 0.0, "bleu": ["a", "lol"]}\n'
)


def test_samples_of_lm_evaluation_harness(tmp_path):
    file = tmp_path / "samples_tiny.jsonl"
    write(file, HARNESS)
    assert read_judged(str(file)) == [
        {"item": "9", "text": "lol", "exact_match": 0.0},
        {"item": "10", "text": "lol", "exact_match": 1.0},
    ]
    write(file, '{"doc_id": 0, "filtered_resps": [[-1.5, false]], "metrics": [], "filter": "none"}\n')
    with pytest.raises(InputError, match="the response is no text"):
        read_judged(str(file))


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_logs_of_inspect(tmp_path, kind):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import includes
    from inspect_ai.solver import solver

    @solver
    def answer():
        async def solve(state, generate):
            state.output = ModelOutput.from_content("none", state.input_text)
            return state

        return solve

    samples = [Sample(id=number, input=text, target="yes") for number, text in ((2, "yes"), (10, "no"), (1, "yes"))]
    task = inspect_ai.Task(dataset=samples, solver=answer(), scorer=includes())
    (log,) = inspect_ai.eval(task, model="mockllm/model", log_dir=str(tmp_path), log_format=kind, display="none")
    found = read_judged(log.location.removeprefix("file://"))
    assert [row["item"] for row in found] == ["1", "2", "10"]
    assert [(row["text"], row["includes"]) for row in found] == [("yes", 1.0), ("yes", 1.0), ("no", 0.0)]
