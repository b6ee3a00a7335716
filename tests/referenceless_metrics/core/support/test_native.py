"""The binding of the compiled library: accepted and refused arguments, and the level that runs."""

import numpy as np
import pytest
from command_lines import python

from referenceless_metrics.core.support import native, native_interface

STARTS, TEXTS = np.array([0, 2, 3]), np.array([1, 4, 2], dtype=np.int32)


def test_every_function_of_the_table_is_in_the_library():
    for name in native_interface.FUNCTIONS:
        with pytest.raises(ValueError, match="argument"):
            native.call(name)  # bound, then refused: no function goes without arguments


def test_a_function_is_called_with_its_arrays():
    assert native.call("lists_ascend", STARTS, TEXTS) == 1
    assert native.call("lists_ascend", STARTS, TEXTS[[1, 0, 2]]) == 0


@pytest.mark.parametrize(
    "texts",
    [None, [1, 4, 2], TEXTS.astype(np.int64), np.repeat(TEXTS, 2)[::2]],
    ids=["none", "list", "other type", "with gaps"],
)
def test_an_array_of_another_kind_is_refused_by_name(texts):
    with pytest.raises(ValueError, match="`texts` of `lists_ascend` to be a contiguous array of int32, but got"):
        native.call("lists_ascend", STARTS, texts)


def test_an_array_that_may_not_be_written_is_refused():
    kept, remaining = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int32)
    remaining.flags.writeable = False
    with pytest.raises(ValueError, match="`remaining` of `without_dense` to be an array that may be written to"):
        native.call("without_dense", STARTS, TEXTS, np.full(2, -1, dtype=np.int32), kept, remaining)


SHOW = "from referenceless_metrics.core.support import native; print(native.instruction_set())"


@pytest.mark.long
def test_a_level_of_the_machine_can_be_forced():
    highest = python(SHOW, environ={"REFERENCELESS_LEVEL": ""}).stdout.strip()
    if not highest.startswith("x86-64-v"):
        pytest.skip("processors of this kind have no levels")
    for level in range(2, int(highest[-1]) + 1):
        assert python(SHOW, environ={"REFERENCELESS_LEVEL": str(level)}).stdout.strip() == f"x86-64-v{level}"


@pytest.mark.parametrize("level", ["1", "9", "fast"])
def test_another_level_is_refused_with_those_that_there_are(level):
    done = python(SHOW, environ={"REFERENCELESS_LEVEL": level}, status=1)
    assert "REFERENCELESS_LEVEL to be a level of this machine (" in done.stderr
    assert repr(level) in done.stderr
