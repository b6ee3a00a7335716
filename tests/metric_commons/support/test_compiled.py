"""Compiled functions work where nothing can be cached."""

from __future__ import annotations

import pytest

from metric_commons.support import compiled as module


def test_a_folder_that_cannot_be_written_costs_only_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(module, "CompiledCache", refuse)

    @module.compiled()
    def twice(x):
        return 2 * x

    assert twice(21) == 42
    assert twice.signatures
