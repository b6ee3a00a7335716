"""The oracles of other tests are right on this machine: the self-tests of NLTK's package pass."""

import doctest
from importlib import import_module
from importlib.resources import files

import pytest
from lazily import lazily

lazily("nltk")


pytestmark = pytest.mark.long

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("name", ["bleu", "metrics"])
def test_documents_of_nltk(name):
    document = files("nltk") / "test" / f"{name}.doctest"
    found = doctest.testfile(str(document), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert found.attempted > 0
    assert found.failed == 0


def test_examples_of_nltk():
    found = doctest.testmod(import_module("nltk.translate.bleu_score"), optionflags=FLAGS)
    assert found.attempted > 0
    assert found.failed == 0
