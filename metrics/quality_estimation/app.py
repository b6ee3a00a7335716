"""The web page of quality estimation, as a Space runs it: the page itself is in the package."""

from metric_commons.app.page import build_app, launch

demo = build_app("quality_estimation")

if __name__ == "__main__":
    launch(demo)
