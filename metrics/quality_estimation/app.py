"""The web page of quality estimation, as a Space runs it: the page itself is in the package."""

from quality_estimation_metric.app.page import build_app, launch

demo = build_app()

if __name__ == "__main__":
    launch(demo)
