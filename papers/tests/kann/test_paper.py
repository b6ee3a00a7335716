"""The report: every published figure beside a measured one or a reason, and any rated outputs of one's own."""

import dataclasses

from text_files import ROOT, read, write

from referenceless_papers.common.published import published_figures
from referenceless_papers.kann.paper import NEEDS_DATA, report
from referenceless_papers.kann.run import Agreement, Reproduction, Section

PAGE = ROOT / "papers" / "docs" / "slor.md"


def cells(result=None):
    return {(cell.table, cell.figure): cell for part in report(result).parts.values() for cell in part.cells}


def test_without_data_each_figure_has_its_reason_as_on_the_committed_page():
    assert set(cells()) == set(published_figures("kann"))
    assert {cell.why for (place, _), cell in cells().items() if place == "Table 4, WPSLOR"} == {"", NEEDS_DATA}
    assert report(None).to_markdown() == read(PAGE)


def small_result(folder):
    def section(name):
        metrics = dict.fromkeys(place.split(", ", 1)[1] for place, figure in published_figures("kann") if figure == "r")
        metrics |= dict.fromkeys(place.split(", ", 1)[1] for place, _ in published_figures("kann") if "W" in place)
        rows = tuple(Agreement(metric, 0.5, (0.4, 0.6), 0.2, 0.3) for metric in metrics)
        return Section(name, 9, 1, 2.0, 0.4, rows)

    write(folder / "test.tsv", "1\tNews\tA source. ||| A text\tj\t0\n")
    rating = "\t6\tGood\tmore"
    write(
        folder / "test_output.ILP.tsv",
        f"1\tNews\tA source. ||| A text\tILP\t3{rating * 3} ||| Text\tILP\t5{rating * 5}\n",
    )
    return Reproduction(
        source=str(folder),
        overall=section("all"),
        by_system=tuple(map(section, ("ILP", "NAMAS", "Seq2Seq", "T3"))),
        by_domain=tuple(map(section, ("Letters", "Journal", "Newswire", "Non-Fiction"))),
        left_out={"ROUGE-LM": "no references"},
        notes=("a note",),
        models={"slor": "metric:slor"},
        columns={},
        of_the_paper=True,
    )


def test_on_the_papers_data_all_tables_are_filled(tmp_path):
    found = cells(small_result(tmp_path))
    assert [key for key, cell in found.items() if cell.why] == [
        ("Text, setup", "training, WordPieces (hours)"),
        ("Text, setup", "training, words (days)"),
    ]
    assert found["Table 4, outputs", "SEQ2SEQ"].measured == 10
    assert found["Table 2, fluency", "T3"].measured == 2.0
    assert found["Table 5, WPSLOR", "news r"].measured == 0.5
    assert found["Table 3, WPSLOR", "MSE"].measured == 0.2
    ratings = [found["Text, setup", f"ratings an output, {end}"].measured for end in ("fewest", "most")]
    assert ratings == [3, 5]
    fewer = dataclasses.replace(small_result(tmp_path), by_system=())
    assert "the data have no such texts" in cells(fewer)["Table 4, WPSLOR", "ILP r"].why
