"""Hypothesis strategies for texts that n-gram code gets wrong."""

from hypothesis import strategies as st

_AWKWARD = [
    "",
    " ",
    "a",
    "aa",
    "aaa",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "ababababab",
    "the the the the",
    "👩‍👩‍👧‍👦 👩‍👩‍👧‍👦",
    "e\u0301e\u0301e\u0301",
    "שלום עולם שלום",
    "مرحبا بالعالم",
    "數據數據數據",
    "a\tb\nc\r\nd",
    "line-\nbreak",
    "3.5,,4 -- &quot;no&quot; U.S.A. <skipped>",
    "\ue000 private use \ue000.",
    "\x00\x00\x00",
]

few_letters = st.text(alphabet="ab ", max_size=40)
words = st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat.", "a", ",", "3.5"]), max_size=16).map(" ".join)
any_text = st.text(max_size=30)
texts = st.one_of(few_letters, words, any_text, st.sampled_from(_AWKWARD))
pools = st.lists(texts, min_size=1, max_size=12)
candidates = st.lists(texts, min_size=1, max_size=6)

_INFLECTED = st.sampled_from(["the", "cat", "Cats", "sat", "running", "a", ".", "é", "東京", "👍", "", " ", "\0"])
_OVERLAPPING = st.lists(_INFLECTED, max_size=12).map(" ".join) | st.text(max_size=30)
texts_with_references = st.lists(
    st.tuples(_OVERLAPPING, st.lists(_OVERLAPPING, min_size=1, max_size=4)), min_size=1, max_size=8
)
