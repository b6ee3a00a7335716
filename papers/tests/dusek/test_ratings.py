import numpy as np
from refusals import refused
from small_nlg_ratings import write_nlg_ratings
from text_files import read, write

from metric_commons.support.validation import InputError
from referenceless_papers.dusek.ratings import read_bagel, read_ratings, read_sfx


def test_bad_files(tmp_path):
    folder = write_nlg_ratings(tmp_path, 20)
    references = folder / "with_references.jsonl"
    lines = read(references).splitlines()
    write(references, "\n".join(lines[:-1]))
    with refused("has 19 rows, but", InputError):
        read_ratings(folder)
    write(references, [*lines[1:], lines[0]])
    with refused("has another mr", InputError):
        read_ratings(folder)
    write(references, [*lines[:-1], "{"])
    with refused("line 20", InputError):
        read_ratings(folder)
    write(folder / "sfx" / "hotel" / "valid.json", "nothing")
    with refused(r"valid\.json: expected comments and a list", InputError):
        read_sfx(folder)
    write(folder / "bagel.txt", "nothing")
    with refused("no entry", InputError):
        read_bagel(folder)


def test_the_research_data(data_dir):
    folder = data_dir("nlg-ratings")
    ratings = read_ratings(folder)
    assert len(ratings) == 2460
    assert len(set(ratings.keys)) == 2370
    assert np.isin(ratings.ratings["quality"] * 2, np.arange(2, 13)).all()
    assert len(read_sfx(folder)) + len(read_bagel(folder)) == 10969
