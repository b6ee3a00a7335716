from command_lines import done, typed
from refusals import refused
from text_files import write

from metric_commons.systems.baselines import NAMES, baseline


def test_beside_a_metric(folder):
    for name, texts in (("a.txt", ["the cat sat", "it rains"]), ("b.txt", ["the cat sat on it", "it rained"])):
        write(name, texts)
    write("references.txt", ["a cat sat on the mat", "it rains"])
    line = "compare a.txt b.txt --metric slor --references references.txt --n-samples 50 --with"
    output = done(line, ",".join(NAMES).upper()).output
    for title in ("BLEU", "chrF2", "chrF2++", "TER"):
        assert title in output
    assert "but got 'bleurt'" in typed(f"{line} bleurt", 2).err
    with refused("`name`"):
        baseline("bleurt")
