"""The recipes for evaluators of other tools run with each tool that is installed."""

import re

import pytest
from documents import ROOT, blocks
from text_files import read

from referenceless_metrics import WPSLOR

GUIDE = ROOT / "docs" / "guides" / "evaluators.md"
TOOLS = {
    "pydantic-evals": "pydantic_evals",
    "Phoenix": "phoenix.evals",
    "Opik": "opik",
    "autoevals": "autoevals",
    "Ragas": "ragas",
    "EvalScope": "evalscope",
    "LangSmith": "langsmith",
    "LightEval": "lighteval",
    "unitxt": "unitxt",
    "OpenCompass": "opencompass.openicl.icl_evaluator",
}
pytestmark = pytest.mark.skipif(not GUIDE.is_file(), reason="needs the project's documentation")


@pytest.mark.parametrize("tool", TOOLS)
def test_a_recipe_gives_the_value_of_the_metric(tool, monkeypatch, tmp_path):
    pytest.importorskip(TOOLS[tool])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("evaluate.config.HF_EVALUATE_OFFLINE", True)
    beginning, *sections = re.split("^## ", read(GUIDE), flags=re.MULTILINE)
    section = next(part for part in sections if part.startswith(tool))
    names = {}
    for _, block in blocks(beginning) + blocks(section):
        exec(compile(_by_folder(block), tool, "exec"), names)
    if tool == "LightEval":
        assert callable(names["TASKS_TABLE"][0].scorer)
    elif tool == "OpenCompass":
        assert names["found"] == pytest.approx(WPSLOR().predict(names["outputs"]).mean)
    elif tool == "unitxt":
        assert names["found"] == pytest.approx(WPSLOR().predict(["The new bridge was opened on Monday."]).mean)
    else:
        assert names["found"] == pytest.approx(names["metric"].predict(names["outputs"][:1]).values[0])


def _by_folder(block):
    """Name a module of `evaluate` by its folder: its plain name works only if it is registered."""
    folder = ROOT / "metrics" / "wpslor"
    block = block.replace('HuggingfaceEvaluator("wpslor")', f'HuggingfaceEvaluator("{folder}")')
    return block.replace('hf_metric_name="wpslor"', f'hf_metric_name="{folder}"')


def test_the_guide_says_which_version_of_each_tool_was_tried():
    beginning = read(GUIDE).partition("\n## ")[0]
    for tool in TOOLS:
        assert re.search(rf"\| {tool}[^|]*\| \d+\.\d+", beginning), tool
