"""Facts about the data sets without an import of `datasets`."""

import pytest
from refusals import refused

from referenceless_metrics import datasets as rated
from referenceless_metrics.core.support.installation import imported
from referenceless_metrics.datasets.catalogue import SPECS, names


@pytest.mark.parametrize(
    "spec, message",
    [
        ("hose:summarization", "Unknown data set 'hose' in 'hose:summarization'; known: huse, asap_sas, nlg_ratings"),
        ("huse:summary", "Unknown configuration 'summary' in 'huse:summary'; known: summarization, "),
        ("asap_sas:set_3:dev", "Unknown split 'dev' in 'asap_sas:set_3:dev'; known: train, test"),
        ("huse:summarization:train:x", "Expected a data set as name:config or name:config:split, but got"),
        ("", "Unknown data set ''"),
        (None, "Expected a data set as name:config or name:config:split, but got None"),
    ],
)
def test_unknown_parts_of_a_spec_list_the_known_ones(spec, message):
    with refused(r"^") as raised:
        rated.parse_spec(spec)
    assert str(raised.value).startswith(message)


def test_a_spec_without_a_configuration_is_of_the_first():
    assert rated.parse_spec("huse") == ("huse", "summarization", "train")


def test_unknown_names_list_the_known_ones():
    with refused(r"`name` to be one of \{'huse', 'asap_sas', 'nlg_ratings'\}, but got 'x'"):
        rated.configs("x")
    with refused(r"`config` to be one of \{'set_1', .*'all'\}, but got 'set_11'"):
        rated.load("asap_sas", "set_11")


@pytest.mark.parametrize("name", names())
def test_every_data_set_is_cited(name):
    assert imported(SPECS[name].builder)(config_name=SPECS[name].default_config).info.citation.startswith("@")
