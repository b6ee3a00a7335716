"""The web page of Fluency, as a Space runs it: the page itself is in the package."""

from metric_commons.app.page import build_app, launch

demo = build_app("fluency")

if __name__ == "__main__":
    launch(demo)
