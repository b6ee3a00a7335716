"""The cards: front matter that the Hub reads, sections that readers look for, and examples that run."""

from importlib.metadata import requires

import pytest
from documents import blocks, run_examples
from packaging.requirements import Requirement
from text_files import read

from referenceless_metrics.core.registry import metric_names
from referenceless_metrics.core.support.installation import DISTRIBUTION
from referenceless_metrics.frameworks.hub.cards import card_path, front_matter
from referenceless_metrics.frameworks.hub.modules import module_path

METRICS = [name for name in metric_names() if card_path("metrics", name).is_file()]
#: The Hub's colours of a Space's thumbnail.
COLORS = set("red yellow green blue indigo purple pink gray".split())
SECTIONS = (
    "Metric description",
    "Intended uses",
    "How to use",
    "Inputs",
    "Output values",
    "Values from the paper, and measured ones",
    "Examples",
    "Limitations and bias",
    "Citation",
    "Further references",
)
#: Warnings that the limitations must hold: for all, and by metric.
WARNINGS = ("domain", "gamed", "abstains", "Data licences")
OWN_WARNINGS = {
    "bleu_neighbors": ("character n-grams", "Tables 2"),
    "rouge_lm": ("not truth",),
    "quality_estimation": ("texts like the rated ones",),
}


def section(card, title):
    """Return the text below a heading, up to the next one."""
    lines = card.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("#") and line.lstrip("# ") == title)
    end = next((i for i in range(start + 1, len(lines)) if lines[i].startswith("#")), len(lines))
    return "\n".join(lines[start + 1 : end])


def test_every_metric_has_a_card_but_the_variant_that_fluencys_card_describes():
    assert set(metric_names()) - set(METRICS) == {"fluency_ngram"}
    assert "FluencyNgram" in read(card_path("metrics", "fluency"))


@pytest.mark.parametrize("name", METRICS)
def test_examples_of_metric_cards(name):
    assert run_examples(card_path("metrics", name)) >= 8


@pytest.mark.parametrize("name", METRICS)
def test_front_matter_of_metric_cards(name):
    from huggingface_hub import SpaceCard

    path = card_path("metrics", name)
    metadata = front_matter(read(path))
    assert all(metadata[key] for key in ("title", "emoji", "description"))
    assert {metadata["colorFrom"], metadata["colorTo"]} <= COLORS
    assert len(metadata.get("short_description", "")) <= 60  # which the Hub allows
    data = SpaceCard.load(path, ignore_metadata_errors=False).data
    assert (data.sdk, data.app_file, data.license) == ("gradio", "app.py", "apache-2.0")
    (gradio,) = {line.specifier for line in map(Requirement, requires(DISTRIBUTION)) if line.name == "gradio"}
    assert gradio.contains(data.sdk_version)
    assert data.to_dict()["pinned"] is False
    assert data.to_dict()["python_version"] == "3.11"  # the Hub's own is too old to install us
    assert data.tags[:2] == ["evaluate", "metric"]


@pytest.mark.parametrize("name", METRICS)
def test_sections_of_metric_cards(name):
    card = read(card_path("metrics", name))
    summary = card.partition("\n# ")[2].partition("\n## ")[0].strip().splitlines()[2:]
    assert len(summary) <= 10
    for word in ("Says", "Scale", "Abstains", "Worth", "Use", "Not for"):
        assert any(line.startswith(f"- **{word}**") for line in summary), word
    for title in SECTIONS:
        assert len(section(card, title).strip()) > 50, title
    assert "higher is better" in section(card, "Output values").lower()
    limitations = " ".join(section(card, "Limitations and bias").split())
    for warning in (*WARNINGS, *OWN_WARNINGS.get(name, ("acceptability, not truth",))):
        assert warning in limitations
    assert blocks(section(card, "Citation"))[0][1].startswith("@")


@pytest.mark.parametrize("name", METRICS)
def test_cards_name_the_results_that_the_modules_give(name):
    import evaluate

    given = {"predictions": ["The cat sat.", "A dog sat."], "references": [["The cat sat."], ["A dog."]]}
    bound = {"rated_texts": ["a", "b"], "ratings": [0.0, 1.0], "min_neighbors": 1} if name == "bleu_neighbors" else {}
    if name == "quality_estimation":
        given["sources"] = ["inform(food=thai)"] * 2
    results = evaluate.load(module_path(name), **bound).compute(**given)
    described = section(read(card_path("metrics", name)), "Output values")
    for key in results:
        assert f"**{key}**" in described


@pytest.mark.parametrize("name", METRICS)
def test_cards_describe_every_parameter(name):
    import evaluate

    module = evaluate.load(module_path(name))
    inputs = section(read(card_path("metrics", name)), "Inputs")
    # rare parameters are left to the class that the card names
    parameters = set(module.parameters) - {"smooth_value", "kernel_options"}
    assert {parameter for parameter in parameters if f"**{parameter}**" not in inputs} == set()
