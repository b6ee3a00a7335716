"""Reading rated outputs from tables."""

import pytest
from text_files import write

from referenceless_papers.kann.rated_outputs import read_rated_outputs

CSV = """output,fluency,system,split,reference_0,reference_1
a cat,80,A,test,the cat,
a dog,20.5,B,test,the dog,one dog
x,1,A,train,y,z
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "rated.csv"
    write(path, CSV)
    return str(path)


def test_columns_patterns_and_conditions(table):
    rated = read_rated_outputs(
        table,
        text_column="output",
        rating_column="fluency",
        reference_columns=["reference_*"],
        system_column="system",
        group_column="split",
        where=["split=test"],
    )
    assert rated.texts == ["a cat", "a dog"]
    assert rated.ratings == [80.0, 20.5]
    assert rated.references == [["the cat"], ["the dog", "one dog"]]
    assert rated.systems == ["A", "B"]
    assert rated.groups == ["test", "test"]
    assert rated.domains is None
    assert not rated.is_compression_test_set
