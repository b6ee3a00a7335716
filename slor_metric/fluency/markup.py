"""Parts of a text that are no prose: code, formulas, links, marks of Markdown and HTML, mentions, hashtags, emoji.

Marks are left out, and the cells of a table read as items of a list. A link, code, a mention, a formula or the name of
a model may stand in place of a noun, and is then read as a name.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

CODE, LINK, MARKUP, MENTION, HASHTAG, EMOJI, TECHNICAL, FORMULA, TABLE = (
    *("code", "link", "markup", "mention", "hashtag", "emoji"),
    *("technical name", "formula", "table"),
)

#: The name that stands in for a link, code, a mention, a formula or a technical name; no packaged model knows it.
NAME = "Zhivkovic"

#: A text without any of this has nothing to leave out.
_SUSPECT = re.compile(
    r"[`*_#@<>~\[\]=|\\{}^$\U0001f000-\U0001faff\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff]|\w\(|://|www\.|[:;]-?[)(DPpo/|*3]|xD|XD|[!?]{2}|[A-Za-z]-?\d|[a-z][A-Z]|[A-Z]{2}[a-z]"
)
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\s]*\)")
_LINKED = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>|&(?:nbsp|amp|lt|gt|quot);")
_FIRST_MENTIONS = re.compile(r"\A\s*(?:@\w+[\s,:]+)+")
_TAG_WORD = re.compile(r"[#@][^\W\d]\w*")
_HASHTAG = re.compile(r"(?<![\w#])#(?=[^\W\d]\w)")
_LINE_START = re.compile(r"^[ \t]*(?:#{1,6}|>)[ \t]+", re.MULTILINE)
#: A formula of LaTeX: no space stands beside its signs, and a letter in it; so "$5 and $6" is none.
_FORMULA = re.compile(r"\$\$[^$]+\$\$|\$(?=[^$\n]*[A-Za-z\\])(?![\s$])[^$\n]*[^\s$-]\$(?!\w)|\\\(.+?\\\)")
#: Nouns that a formula may follow as their name ("the area $A$"); it is then left out. Elsewhere it stands in place of
#: a noun.
_NAMED_LISTED = (
    "angle area base circle coefficient condition constant curve derivative distance distribution edge element energy "
    "equation event expression force formula function graph group height identity index inequality integer integral "
    "interval length limit line map mass matrix node number operator parameter plane point polynomial prime "
    "probability quantity radius rate ratio root sequence series set side solution space speed sum temperature term "
    "theorem time triangle value variable vector velocity vertex"
)
_NAMED = re.compile(rf"\b(?:{'|'.join(_NAMED_LISTED.split())})\s+\Z")
#: A row of a table, and the row under its head.
_TABLE_ROW = re.compile(r"^[ \t]*\|(.*)\|[ \t]*$", re.MULTILINE)
_TABLE_RULE = re.compile(r"[-:| \t]*")
_RULE = re.compile(r"^[ \t]*[-*_=]{3,}[ \t]*$", re.MULTILINE)
_SIGNS_OF_RULE = re.compile(r"[-*_=]{3}")
_EMPHASIS = re.compile(r"(\*\*|__|~~|(?<!\w)[*_])(?=\S)(.{1,200}?)(?<=\S)\1(?!\w)")
_EMOJI = re.compile(
    r"[\U0001f000-\U0001faff\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u20e3\U000e0020-\U000e007f]+\u200d?"
)
_EMOTICON = re.compile(r"(?<!\S)(?:[:;]['-]?[)(DPpo/|*3]+|<3+|[xX]D+|\^_?\^)(?=[\s.!?,]|\Z)")
_SIGNS_OF_EMOTICONS = (":", ";", "<3", "xD", "XD", "^")
_MARKS = re.compile(r"([!?])[!?]+")
#: Parts of a text that are read as a name; the kind is the name of the group.
_TECHNICAL = re.compile(
    r"(?<![\w#@'-])(?P<technical>(?=v\d|\w*[A-Z])(?:[A-Za-z]+-?\d[\w.-]*\w|[A-Za-z]+-?\d|[a-z]?[A-Z]+[a-z]+[A-Z]\w*)"
    r"(?:-\w+)*)(?![\w'])"
)
_NAMES = re.compile(
    r"(?<![\w`])`(?P<code>[^`\n]+)`(?![\w`])"
    r"|(?P<link>(?:https?://|www\.)[^\s<>]*[^\s<>.,;:!?)\]'\"]|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?<![\w@])(?P<mention>@[^\W\d]\w*)"
    rf"|{_TECHNICAL.pattern}"
)
#: All other names have one of these.
_SIGNS_OF_NAMES = ("`", "://", "www.", "@")
_KIND_OF = {"code": CODE, "link": LINK, "mention": MENTION, "technical": TECHNICAL}
#: A line of code has one of these, and a sign of code to two words at least.
_CODE_SHAPE = re.compile(r"\w\(|=|[{}]|;\s*$|->|::")
_SIGNS_OF_SHAPES = ("(", "=", "{", "}", ";", "->", "::")
_CODE_SIGN = re.compile(r"[(){}\[\]=;<>|\\_+*&^$:]")
_WORD = re.compile(r"[^\W\d_]+")


class Prose(NamedTuple):
    """The prose of a text.

    Attributes:
        text: the text without its other parts.
        read_over: the kinds of these other parts, each once, in the order of its first.
        names: the text that each `NAME` stands in for.
    """

    text: str
    read_over: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def prose_of(text: str) -> Prose:
    """Return the prose of a text, without its other parts.

    >>> prose_of("@anna See [the docs](https://a.b) of `fit()` \N{PARTY POPPER} #docs")
    Prose(text='See the docs of Zhivkovic', read_over=('mention', 'link', 'hashtag', 'code', 'emoji'), names=('fit()',))
    """
    return prose_of_suspect(text) if _SUSPECT.search(text) else Prose(text)


def prose_of_suspect(text: str) -> Prose:
    """Return the same for a text that has signs of other parts."""
    kinds: dict[str, None] = {}
    names: list[str] = []

    def leave_out(pattern: re.Pattern[str], kind: str, instead: str = " ") -> None:
        nonlocal text
        text, n = pattern.subn(instead, text)
        if n:
            kinds[kind] = None

    def name(match: re.Match[str]) -> str:
        kinds[_KIND_OF[match.lastgroup or ""]] = None
        names.append(match[match.lastgroup or 0])
        return NAME

    def formula(match: re.Match[str]) -> str:
        kinds[FORMULA] = None
        if _NAMED.search(match.string, 0, match.start()):
            return " "
        names.append(match[0])
        return NAME

    # Most patterns take longer than a look for a sign that all their matches have.
    if "```" in text or "~~~" in text:
        leave_out(_FENCE, CODE)
    if text.count("$") > 1 or "\\(" in text:
        text = _FORMULA.sub(formula, text)
    if "|" in text and (untabled := _TABLE_ROW.sub(_cells, text)) != text:
        text, kinds[TABLE] = untabled, None
    if "@" in text:
        leave_out(_FIRST_MENTIONS, MENTION)
    if "](" in text:
        leave_out(_IMAGE, LINK)
        leave_out(_LINKED, LINK, r"\1")
    if ("#" in text or "@" in text) and (untagged := _without_last_tags(text)) != text:
        text, kinds[HASHTAG] = untagged, None
    lines = [line for line in text.split("\n") if not _is_code(line)]
    if len(lines) < text.count("\n") + 1:
        text, kinds[CODE] = "\n".join(lines), None
    names_in = _NAMES if any(sign in text for sign in _SIGNS_OF_NAMES) else _TECHNICAL
    text = names_in.sub(name, text)
    if "#" in text:
        leave_out(_HASHTAG, HASHTAG, "")
    if "<" in text or "&" in text:
        leave_out(_TAG, MARKUP)
    if _SIGNS_OF_RULE.search(text):
        leave_out(_RULE, MARKUP, "")
    if "#" in text or ">" in text:
        leave_out(_LINE_START, MARKUP, "")
    if "*" in text or "_" in text or "~~" in text:
        leave_out(_EMPHASIS, MARKUP, r"\2")
    if not text.isascii():
        leave_out(_EMOJI, EMOJI)
    if any(sign in text for sign in _SIGNS_OF_EMOTICONS):
        leave_out(_EMOTICON, EMOJI)
    if "!" in text or "?" in text:
        text = _MARKS.sub(r"\1", text)
    return Prose(text.strip(), tuple(kinds), tuple(names))


def prose_beside_names(text: str) -> Prose:
    """Return the same for a text in which a quick scan found technical names at most.

    >>> prose_beside_names("He flew an F-15 to LaGuardia.")
    Prose(text='He flew an Zhivkovic to Zhivkovic.', read_over=('technical name',), names=('F-15', 'LaGuardia'))
    """
    names: list[str] = []

    def name(match: re.Match[str]) -> str:
        names.append(match[0])
        return NAME

    prose = _TECHNICAL.sub(name, text)
    return Prose(prose.strip(), (TECHNICAL,) if names else (), tuple(names))


def _cells(row: re.Match[str]) -> str:
    """Return the cells of a table's row as items of a list."""
    if _TABLE_RULE.fullmatch(row[1]):
        return ""
    return "\n".join(f"- {cell.strip()}" for cell in row[1].split("|") if cell.strip())


def _without_last_tags(text: str) -> str:
    """Return a text without the hashtags and mentions that end it, each after white space."""
    words = text.split()
    n_tags = sum(1 for _ in takewhile(_TAG_WORD.fullmatch, reversed(words)))
    n_tags -= 0 < n_tags == len(words) and not text[0].isspace()
    if not n_tags:
        return text
    return text.rsplit(None, n_tags)[0] if n_tags < len(words) else ""


def _is_code(line: str) -> bool:
    if not any(sign in line for sign in _SIGNS_OF_SHAPES):
        return False
    return bool(_CODE_SHAPE.search(line)) and 2 * len(_CODE_SIGN.findall(line)) >= max(len(_WORD.findall(line)), 4)
