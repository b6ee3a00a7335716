import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from quality_estimation_metric.sources import MALFORMED, Triple, is_plain_text, parse_mr
from tests.support import rated_sentences

NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
VALUES = st.text("abc XYZ'&.é0", min_size=1, max_size=12).map(str.strip).filter(bool)

READ = [  # a source, and its triples: act / slot / value
    ("inform(name='annie's bistro';area=soma)", "inform/name/annie's bistro; inform/area/soma"),
    ("inform(a=b)&?request(near)", "inform/a/b; request/near/-"),
    ("inform ( name = red door ; area = x ) ", "inform/name/red door; inform/area/x"),
    ("Set ( x = 3 ) here", "text/-/Set ( x = 3 ) here"),
    ("inform(a=b; )", "inform/a/b"),
    ("reqmore()", "reqmore/-/-"),
    ("?select(goodformeal=dont_care;goodformeal=dinner')", "select/goodformeal/dont_care; select/goodformeal/dinner"),
    ("inform(name != 'x')", "inform/name/not x"),
    ("inform(name[Tony Hawk: Pro], genres[sport, action])", "inform/name/Tony Hawk: Pro; inform/genres/sport, action"),
    ("name[The Eagle], eatType[coffee shop]", "inform/name/The Eagle; inform/eatType/coffee shop"),
    ('A_b | c | d\nE | f | "g h"', "A b/c/d; E/f/g h"),
    ("<H> a <R> b <T> c d <H> e <R> f <T> g", "a/b/c d; e/f/g"),
    ('[["M", "city", "F"]]', "M/city/F"),
    ('{"name": "x", "food": ["y", "z"], "kids": true, "in": {"area": 3}, "near": null}',
     "inform/name/x; inform/food/y; inform/food/z; inform/kids/yes; inform/in.area/3; inform/near/-"),
    ("{'name': 'x'} is no JSON", "text/-/{'name': 'x'} is no JSON"),
    ("['tis the season to be read as text", "text/-/['tis the season to be read as text"),
    ("[[Link]] and text", "text/-/[[Link]] and text"),
    ('{"act": "confirm", "slots": {"a": "b"}}', "confirm/a/b"),
    ('{"modified_triple_sets": {"mtriple_set": [["a | b | c", "d | e | f"]]}}', "a/b/c; d/e/f"),
    ("Hello (world) there.", "text/-/Hello (world) there."),
    ("request(near) is a call", "text/-/request(near) is a call"),
]  # fmt: skip


@pytest.mark.parametrize("source, triples", READ, ids=[source[:25] for source, _ in READ])
def test_formats_are_told_apart(source, triples):
    parts = [triple.split("/") for triple in triples.split("; ")]
    assert parse_mr(source) == tuple(Triple(*(None if part == "-" else part for part in own)) for own in parts)


def test_objects_are_read_as_their_json():
    for source in ({"name": "x", "food": ["y"]}, [["a", "b", "c"]], {"tripleset": [["a", "b", "c"]]}):
        assert parse_mr(source) == parse_mr(json.dumps(source))
    assert parse_mr(parse_mr("inform(a=b)")) == parse_mr("inform(a=b)")


MALFORMED_SOURCES = [
    ("inform(name='x'", "the quote is never closed at character 12"),
    ("inform(name=x", r"`inform\(` is never closed at character 13"),
    ("inform(a=b)x", "expected `&` or the end at character 11"),
    ("name[The", r"`\[` is never closed at character 4"),
    ("name[a] b[c]", "expected `,` or the end at character 8"),
    ("a | b | c\nd | e", "but got 2 parts at character 15"),
    ('{"a": }', "it is not JSON .* at character 6"),
    ("<H> a <T> b", "expected the tag of the predicate at character 6"),
    ("[[1, 2]]", "item 0"),
    ('{"a":' * 30 + "1" + "}" * 30, "nested too deeply"),
    ('{"a":' * 100_000, "nested too deeply"),
    ("{'name': 'x', 'near': None}", "it is not JSON .* at character 1"),  # as Python writes a mapping
    ("[('a', 'b', 'c')]\n", "it is not JSON .* at character 1"),
    ("[['a', 'b', 'c']]", "it is not JSON .* at character 2"),
]


@pytest.mark.parametrize("source, message", MALFORMED_SOURCES, ids=[source[:25] for source, _ in MALFORMED_SOURCES])
def test_a_malformed_source_names_the_place(source, message):
    with refused(f"{MALFORMED}: .*{message}"):
        parse_mr(source)


def test_what_is_no_source_is_refused():
    for source in (5, None, b"inform()"):
        with refused("Expected argument `source` to be text, a mapping or a list", TypeError):
            parse_mr(source)


@given(st.text(max_size=80), st.sampled_from(["", "inform(", "name[", '{"', "<table>", "a|b|c\n", "<H>"]))
def test_any_text_is_read_or_refused_with_a_place(text, begin):
    try:
        triples = parse_mr(begin + text)
    except ValueError as error:
        assert str(error).startswith(MALFORMED)  # noqa: PT017
    else:
        assert all(isinstance(triple, Triple) for triple in triples)


@given(NAMES, st.lists(st.tuples(NAMES, VALUES.filter(lambda value: "'" not in value)), min_size=1, max_size=5))
def test_what_was_written_is_read(act, slots):
    expected = tuple(Triple(act, slot, value) for slot, value in slots)
    assert parse_mr(f"{act}({';'.join(f'{slot}=' + repr(value) for slot, value in slots)})") == expected
    assert parse_mr(f"?{act}( {', '.join(f'{slot} [{value}]' for slot, value in slots)} )") == expected
    informed = tuple(triple._replace(act="inform") for triple in expected)
    assert parse_mr(", ".join(f"{slot}[{value}]" for slot, value in slots)) == informed


def test_all_sources_of_the_ratings_are_read(data_dir):
    for source in rated_sentences.read(data_dir("nlg-ratings") / "emnlp_data_medians.csv")["mr"]:
        triples = parse_mr(source)
        assert not is_plain_text(triples)
        assert len(triples) == max(1, source.count("=") or len(triples))
