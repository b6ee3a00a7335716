"""The web page of ROUGE-LM, as a Space runs it: the page itself is in the package."""

from metric_commons.app.page import build_app, launch

demo = build_app("rouge_lm")

if __name__ == "__main__":
    launch(demo)
