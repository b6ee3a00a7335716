"""Studies whose raters have answered."""

from text_files import write_table


def answer(design, folder, rating):
    """Write the ratings of a study in a folder: of each rater, screen and output what `rating` returns."""
    for rater, screens in design.raters.items():
        rows = [
            (design.study, rater, number, output, rating(rater, screen, output))
            for number, screen in enumerate(screens, 1)
            for output in design.answers_on(screen)
        ]
        columns = ("study", "rater", "screen", "output", "rating")
        write_table(folder / "ratings" / f"{rater}.csv", columns, rows)
