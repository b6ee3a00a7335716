from quality_estimation_metric.gru_model.prepare import NOTHING, prepare


def test_values_become_slots() -> None:
    (prepared,) = prepare(["Chow is near the sea."], ["inform(name=chow;near=sea)&request(area)"])
    assert prepared.tokens == ("X-name", "is", "near", "the", "X-near", ".")
    assert prepared.items == (("inform", "name", "X-name"), ("inform", "near", "X-near"), ("request", "area", NOTHING))
    (as_is,) = prepare(["Chow is near."], ["inform(name=chow)"], delexicalised=False)
    assert as_is.tokens[0] == "chow"
    assert as_is.items == (("inform", "name", "chow"),)


def test_without_sources_and_with_plain_text() -> None:
    assert prepare(["Good."], None)[0].items == ()
    assert prepare(["Good."], ["What is it like?"])[0].items[:2] == (
        (NOTHING, NOTHING, "what"),
        (NOTHING, NOTHING, "is"),
    )
