"""Fixtures that tests of all rooms share."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in an empty folder, so that commands and messages hold short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
