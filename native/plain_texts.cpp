// One scan over texts, which finds those of prose alone and those that are one plain sentence (slor_metric.fluency.plain_texts).
#include "kernels.h"

namespace {

enum Flag : uint8_t { PROSE_ALONE = 1, PLAIN_SENTENCE = 2, QUOTED_SENTENCE = 4 }; // as in slor_metric.fluency.plain_texts

// Parts that a byte can play in `_SUSPECT` of slor_metric.fluency.markup and in the patterns of slor_metric.fluency.sentences.
enum Trait : uint16_t {
    SIGN = 1,       // never part of prose
    SMALL = 2,      // a to z
    CAPITAL = 4,    // A to Z
    DIGIT = 8,
    SHOUT = 16,     // two of them in a row are suspect
    EYES = 32,      // of an emoticon
    MOUTH = 64,
    WORD_SIGN = 128, // may be part of a word: an underscore, and all bytes beyond ASCII
    ENDS_SENTENCE = 256,
    COLON = 512,    // inside a sentence, or after the name of who speaks
    QUOTE = 1024,
    ASIDE = 2048,   // brackets and line breaks: Python's rules decide
    CLOSES = 4096,  // may be the last byte of something suspect
    FINAL = 8192,   // may stand at the end of a sentence
    APOSTROPHE = 16384,
    SPACE = 32768,
};
constexpr uint16_t LETTER = SMALL | CAPITAL, OF_WORD = LETTER | DIGIT | WORD_SIGN;
constexpr uint16_t PARTS_PLAIN = ENDS_SENTENCE | QUOTE | ASIDE | COLON; // a plain sentence has these as its last byte only

struct Traits {
    uint16_t of[256];

    constexpr void add(const char *bytes, int trait) {
        for (; *bytes; bytes++)
            of[uint8_t(*bytes)] |= uint16_t(trait);
    }
    constexpr Traits() : of() {
        for (int letter = 'a'; letter <= 'z'; letter++) {
            of[letter] |= SMALL;
            of[letter - 32] |= CAPITAL | CLOSES;
        }
        for (int digit = '0'; digit <= '9'; digit++)
            of[digit] |= DIGIT | CLOSES;
        add("`*_#@<>~[]=|\\{}^$", SIGN | CLOSES);
        add("!?", SHOUT | CLOSES);
        add(":;", EYES | FINAL);
        add(")(DPpo/|*3", MOUTH | CLOSES);
        add("_", WORD_SIGN);
        for (int byte = 0x80; byte < 0x100; byte++)
            of[byte] |= WORD_SIGN;
        add("\x86\x87\x98\x99\x9A\x9B\x9C\x9D\x9E\xAC\xAD\xAE\xAF", CLOSES); // after 0xE2: arrows and other symbols
        add("\xF0", SIGN | CLOSES);                                          // emoji, and rare scripts
        add(".!?", ENDS_SENTENCE | FINAL);
        add(".", CLOSES);
        add(":", COLON);
        add("\"`", QUOTE);
        add("\n()[]", ASIDE);
        add("'", APOSTROPHE);
        add(" \t\n\v\f\r\x1c\x1d\x1e\x1f", SPACE);
    }
};
constexpr Traits TRAITS;

constexpr int64_t LEAST_INSIDE = 2; // fewest bytes between the first letter of a plain sentence and its mark

struct Text {
    const uint8_t *at;
    int64_t n;
    bool is_ascii;

    uint16_t traits(int64_t i) const { return i < 0 ? 0 : TRAITS.of[at[i]]; }
    bool says(int64_t end, const char *bytes, int64_t size) const { return end >= size && !memcmp(at + end - size, bytes, size); }

    // True if something suspect ends right before `end`.
    bool is_suspect(int64_t end) const {
        const uint16_t last = traits(end - 1), before = traits(end - 2);
        if (last & SIGN)
            return true;
        if (last & SHOUT && before & SHOUT)
            return true;
        if (at[end - 1] >= 0x80 && end >= 2 && at[end - 2] == 0xE2)
            return true;
        // a hyphen may stand between a letter and a digit, and between eyes and mouth
        const uint16_t over_hyphen = end >= 2 && at[end - 2] == '-' ? traits(end - 3) : 0;
        if (last & DIGIT && (before | over_hyphen) & LETTER)
            return true;
        if (last & MOUTH && (before | over_hyphen) & EYES)
            return true;
        if (last & CAPITAL && before & SMALL)
            return true;
        if (last & SMALL && before & CAPITAL && traits(end - 3) & CAPITAL)
            return true;
        if (at[end - 1] == '(' && before & OF_WORD)
            return true;
        if (at[end - 1] == 'D' && says(end, "XD", 2))
            return true;
        return says(end, "://", 3) || says(end, "www.", 4);
    }
    uint8_t flags() const {
        bool suspect = false, several = false, doubled = false;
        uint16_t inside = 0, last = 0; // traits of all bytes before the last one, and of the last one
        for (int64_t i = 0; i < n; i++) {
            const uint16_t before = last;
            last = TRAITS.of[at[i]];
            inside |= before;
            if (last & CLOSES || before & CAPITAL)
                suspect = suspect || is_suspect(i + 1);
            several |= last & OF_WORD && inside & ENDS_SENTENCE;
            doubled |= last & before & APOSTROPHE;
        }
        const uint8_t prose = suspect ? 0 : PROSE_ALONE;
        if (!is_ascii)
            return prose;
        if (n >= LEAST_INSIDE + 2 && traits(0) & LETTER && last & ENDS_SENTENCE && !(inside & PARTS_PLAIN))
            return uint8_t(prose | PLAIN_SENTENCE);
        inside |= last;
        if (several || doubled || inside & ASIDE || !is_sentence(inside & COLON))
            return prose;
        const bool as_it_stands = !(inside & QUOTE) && !((traits(0) | last) & SPACE);
        return uint8_t(prose | (as_it_stands ? PLAIN_SENTENCE : QUOTED_SENTENCE));
    }
    // True if a text is one sentence with a final mark. The text has no line breaks, brackets or two apostrophes in a row, and final marks
    // at its end alone. False if it may be an item of a list, have the name of who speaks, or be in single quotes: Python's rules decide
    // then.
    bool is_sentence(bool has_colon) const {
        int64_t begin = 0, end = n;
        while (traits(begin) & SPACE && begin < n)
            begin++;
        while (end > begin && traits(end - 1) & (SPACE | QUOTE))
            end--;
        while (end > begin && (traits(end - 1) & (APOSTROPHE | QUOTE) || at[end - 1] == ' ' || at[end - 1] == '\t'))
            end--;
        if (begin == end || !(traits(end - 1) & FINAL))
            return false;
        if (at[begin] == '-' || traits(begin) & APOSTROPHE || (traits(begin) & CAPITAL && has_colon))
            return false;
        int64_t marker = begin; // place of the point after the number or letter of a list's item
        while (marker < end && traits(marker) & DIGIT)
            marker++;
        marker += marker == begin && traits(begin) & LETTER;
        return marker == begin || marker == end || at[marker] != '.';
    }
};

} // namespace

// Fills the flags of n texts of UTF-8; text i has n_characters[i] characters. A text beyond ASCII gets no flag of a sentence.
EXPORT int64_t scan_texts(const uint8_t *text, int64_t size, const int64_t *n_characters, int64_t n, uint8_t *flags, int64_t) {
    const uint8_t *end_of_texts = text + size;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *end = text;
        for (int64_t rest = n_characters[i]; end < end_of_texts && (rest > 0 || (*end & 0xC0) == 0x80); end++)
            rest -= (*end & 0xC0) != 0x80;
        flags[i] = Text{text, end - text, end - text == n_characters[i]}.flags();
        text = end;
    }
    return DONE;
}
