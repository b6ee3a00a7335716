"""Kinds of text that were, or could be, slow to read: each a function from a number of characters to such a text."""

import random
import string
from collections.abc import Callable
from itertools import count, islice

from strange_texts import FRENCH, GERMAN, JAPANESE, keyboard_mash, number_lists, punctuation_rows, unknown_scripts

ENGLISH = [
    "The cat sat on the mat, and nobody said a word about it.",
    "A few of us went home early because the rain had not stopped.",
    "She didn't know that the old bridge was closed for repairs.",
]


def _repeated(piece: str) -> Callable[[int], str]:
    """Return a function that repeats a whole piece: a cut one could give texts of some lengths another reason."""
    return lambda n: piece * (n // len(piece)) or piece[:n]


def _joined(pieces: Callable[[random.Random], str], between: str = " ") -> Callable[[int], str]:
    """Return a function that joins pieces drawn from a seed until they are long enough."""

    def text(n: int) -> str:
        rng, parts, size = random.Random(0), [], 0
        while size < n:
            parts.append(pieces(rng))
            size += len(parts[-1]) + len(between)
        return between.join(parts)[:n]

    return text


def _from_list(texts: list[str], between: str = " ") -> Callable[[int], str]:
    return _joined(lambda rng: rng.choice(texts), between)


def _letters(rng: random.Random, least: int, most: int, alphabet: str = string.ascii_lowercase) -> str:
    return "".join(rng.choices(alphabet, k=rng.randint(least, most)))


def _numbered(form: str) -> Callable[[int], str]:
    """Return a function that fills a form with 0, 1, 2, …: no piece stands there twice."""

    def text(n: int) -> str:
        pieces = islice((form.format(number) for number in count()), n // max(len(form.format(10)) - 2, 1) + 1)
        return "".join(pieces)[:n]

    return text


def _framed(begin: str, piece: str, end: str = "") -> Callable[[int], str]:
    return lambda n: begin + _repeated(piece)(n) + end


KINDS: dict[str, Callable[[int], str]] = {
    # one character, or a few, over and over
    "one letter": _repeated("a"),
    "one capital": _repeated("A"),
    "spaces": _repeated(" "),
    "line ends": _repeated("\n"),
    "full stops": _repeated("."),
    "hyphens": _repeated("-"),
    "apostrophes": _repeated("'"),
    "quotation marks": _repeated("'\""),
    "digits": _repeated("9"),
    "digits with points": _repeated("1.2,"),
    "zeros and commas": _repeated("0,"),
    "asterisks": _repeated("*"),
    "hashes": _repeated("#"),
    "backticks": _repeated("`"),
    "tildes": _repeated("~"),
    "opening brackets": _repeated("["),
    "opening parentheses": _repeated("("),
    "brackets in brackets": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "less-than signs": _repeated("<"),
    "ampersands": _repeated("&"),
    "colons and parentheses": _repeated(":) "),
    "exclamation and question marks": _repeated("!?"),
    "nulls": _repeated("\0"),
    # marks and joiners
    "marks of one class": _framed("e", "\u0301"),
    "marks of two classes": _framed("a", "\u0323\u0301"),
    "marks of three classes": _framed("a", "\u0345\u0323\u0301"),
    "marks that fall apart into two": _framed("\u0f40", "\u0f73"),
    "marks that begin a text": _repeated("\u0301\u0323"),
    "letters with a mark each": _repeated("e\u0323"),
    "letters with forty marks": _repeated("e" + "\u0323\u0301" * 20),
    "words with marks between spaces": _repeated("a\u0323\u0301 "),
    "capital sigmas with marks": _repeated("\u03a3\u0301\u0323"),
    "capital sigmas with apostrophes": _framed("\u03a3", "'", "\u03a3"),
    "jamo that compose": _repeated("\u1100\u1161\u11a8"),
    "emoji": _repeated("\U0001f642"),
    "emoji with joiners": _repeated("\U0001f469\u200d"),
    "flags": _repeated("\U0001f1e6"),
    "variation selectors": _framed("\u2764", "\ufe0f"),
    "tags after a flag": _framed("\U0001f3f4", "\U000e0067"),
    "soft hyphens": _framed("a", "\u00ad", "b"),
    "right to left": _joined(lambda rng: _letters(rng, 2, 8, "אבגדהוזחטיכלמנסעפצקרשת")),
    "changes of direction": _repeated("\u202ea\u202c"),
    "Arabic with marks": _repeated("\u0645\u064f\u0651 "),
    "Devanagari": _repeated("हिन्दी "),
    "Thai without spaces": _repeated("ภาษาไทย"),
    "Chinese without marks": lambda n: "".join(chr(0x4E00 + i % 20_000) for i in range(n)),
    "Japanese": _from_list(JAPANESE, ""),
    "half-width marks": _repeated("\uff76\uff9e"),
    "ligatures that grow": _repeated("\ufdfa"),
    "lone surrogates": _repeated("a\ud83d "),
    # words
    "one word": _repeated("the "),
    "one long word": lambda n: "".join(string.ascii_lowercase[(i * i * 7 + i // 13) % 26] for i in range(n)),
    "two long words": lambda n: "ab" * (n // 4) + " " + "ba" * (n // 4),
    "unknown words": _joined(lambda rng: _letters(rng, 4, 9)),
    "unknown words with capitals": _joined(lambda rng: _letters(rng, 4, 9).title()),
    "words that are never the same": _numbered("w{} "),
    "words of fifty letters": _joined(lambda rng: _letters(rng, 50, 50)),
    "words with hyphens": _repeated("well-known-"),
    "words with underscores": _repeated("_a"),
    "contractions": _repeated("didn't've'll "),
    "not after not": _repeated("n't"),
    "words with capitals inside": _repeated("aB"),
    "letters and digits": _repeated("a1-"),
    "versions": _repeated("v1.2.3-rc4 "),
    "keyboard mash": _joined(lambda rng: keyboard_mash(1, rng.random())[0]),
    # sentences
    "English": _from_list(ENGLISH),
    "German": _from_list(GERMAN),
    "French": _from_list(FRENCH),
    "short sentences": _repeated("It is. "),
    "short sentences without capitals": _repeated("a. "),
    "full stops without spaces": _repeated("a."),
    "marks without spaces": _repeated("a!b?"),
    "abbreviations": _repeated("e.g. "),
    "initials": _repeated("J. R. "),
    "lines": _repeated("A line\n"),
    "lines of one letter": _repeated("a\n"),
    "marks of a list": _repeated("1. \n"),
    "items of a list": _numbered("- item {}\n"),
    "numbers": _joined(lambda rng: number_lists(1, rng.random())[0]),
    "rows of marks": _joined(lambda rng: punctuation_rows(1, rng.random())[0]),
    "unknown scripts": _joined(lambda rng: unknown_scripts(1, rng.random())[0]),
    "quotations": _repeated('"So," he said. '),
    "quotations in single marks": _repeated("'So' "),
    "parentheses": _repeated("(a) "),
    "footnotes": _repeated("word[1] "),
    # Markdown, HTML, links
    "mentions": _repeated("@a "),
    "mentions without spaces": _repeated("@a"),
    "mentions with commas": _repeated("@a,"),
    "hashtags": _repeated("#a "),
    "hashtags without spaces": _repeated("#a"),
    "addresses": _repeated("http://a.b/c?d=e "),
    "one long address": _framed("http://", "a."),
    "full stops after an address": _framed("http://a", "."),
    "addresses of mail": _repeated("a.b@c.d "),
    "one long address of mail": _framed("a@", "b-"),
    "mail without an end": _repeated("a.b+"),
    "signs of mail": _repeated("a@"),
    "unclosed emphasis": _repeated("**a "),
    "unclosed underscores": _repeated("__a "),
    "emphasis in emphasis": _repeated("*_a"),
    "unclosed code": _repeated("`a "),
    "fences of code": _repeated("```\n"),
    "tilde fences": _repeated("~~~\n"),
    "unclosed links": _repeated("[a]("),
    "labels without links": _repeated("[a] "),
    "unclosed images": _repeated("![a]("),
    "unclosed tags": _repeated("<a "),
    "tags": _repeated("<b>a</b> "),
    "entities": _repeated("&amp;"),
    "headings": _repeated("# a\n"),
    "headings of hashes": _repeated("###### "),
    "rules": _repeated("---\n"),
    "tables": _repeated("|a|b|\n"),
    "lines of code": _repeated("x = f(a);\n"),
    "one line of code": _repeated("x=f(a);"),
    "emoticons": _repeated(":-) xD <3 "),
    "hearts": _repeated("<3"),
    "carets": _repeated("^_^ "),
    # sources
    "acts": _repeated("inform(name=a;b=c)&"),
    "slots": _repeated("name[a], "),
    "triples": _repeated("a | b | c\n"),
    "tagged triples": _repeated("<H> a <R> b <T> c "),
    "JSON": _repeated('{"a": ['),
}
