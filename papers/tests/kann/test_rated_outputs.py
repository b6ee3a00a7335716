"""Reading rated outputs from tables."""

from text_files import write

from referenceless_papers.kann.rated_outputs import read_rated_outputs

CSV = """output,fluency,system,split,reference_0,reference_1
a cat,80,A,test,the cat,
a dog,20.5,B,test,the dog,one dog
x,1,A,train,y,z
"""


def test_columns_patterns_and_conditions(tmp_path):
    rated = read_rated_outputs(
        str(write(tmp_path / "rated.csv", CSV)),
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
