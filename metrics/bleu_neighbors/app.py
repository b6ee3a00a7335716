"""The web page of BLEU Neighbors, as a Space runs it: the page itself is in the package."""

from bleu_neighbors_metric.app.page import build_app, launch

demo = build_app()

if __name__ == "__main__":
    launch(demo)
