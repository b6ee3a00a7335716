"""Requirements of commands beside numpy, sacrebleu and click."""

from command_lines import python

from referenceless_metrics.demo import write_example_files

PROGRAM = """
import sys
for name in ("scipy pandas pyarrow evaluate datasets yaml jinja2 huggingface_hub tokenizers rapidfuzz sentencex"
             " filelock matplotlib torch tqdm wcwidth").split():
    sys.modules[name] = None
from referenceless_metrics.__main__ import main
main(sys.argv[1:])
"""


def test_scores_from_a_pool_need_little_and_other_commands_say_what_they_need(tmp_path):
    write_example_files(tmp_path)
    scored = python(PROGRAM, "score", "outputs.txt", "--pool", "pool.csv", cwd=tmp_path)
    assert "coverage" in scored.stdout
    refused = python(PROGRAM, "score", "outputs.txt", "--pool", "pool.csv", "-o", "a.parquet", status=1, cwd=tmp_path)
    assert "pyarrow" in refused.stderr
    assert "Traceback" not in refused.stderr
