// One scan over texts, which finds those of prose alone and those that are one sentence (slor_metric.fluency.plain_texts).
#include "ascii_bytes.h"

namespace {

// Flags of a text, as in slor_metric.fluency.plain_texts.
enum Flag : uint8_t {
    PROSE_ALONE = 1,
    PLAIN_SENTENCE = 2,
    QUOTED_SENTENCE = 4,
    ASIDE_SENTENCE = 8,
    NAMES_ALONE = 16,
    MARKS_INSIDE = 32,
};

// Parts that a byte can play in the patterns of slor_metric.fluency.sentences.
enum Trait : uint16_t {
    LETTER = 1, // of ASCII
    CAPITAL = 2,
    DIGIT = 4,
    OF_WORD = 8,       // may be part of a word: a letter, a digit, an underscore, and all bytes beyond ASCII
    ENDS_SENTENCE = 16,
    FINAL = 32,        // may stand at the end of a sentence
    COLON = 64,        // inside a sentence, or after the name of who speaks
    QUOTE = 128,
    BRACKET = 256,
    LINE_BREAK = 512,
    APOSTROPHE = 1024,
    SPACE = 2048,
    SYMBOL = 4096,     // the first byte of a character from U+2000 to U+2FFF
    FOREIGN = 8192,    // the first byte of a character beyond Latin letters and those
    PART_OF_MARKUP = 16384, // may be part of an emoticon or of HTML: Python's rules decide
};
constexpr uint16_t PARTS_PLAIN = ENDS_SENTENCE | QUOTE | BRACKET | LINE_BREAK | COLON; // a plain sentence has these as its last byte only

// Pairs of neighbours that end something suspect: `_SUSPECT` of slor_metric.fluency.markup has the patterns. Most are suspect by themselves.
// Those of `BY_BYTES_BEFORE` are if the bytes before them agree. Those of `OF_NAMES` are parts of technical names.
enum Pair : uint16_t {
    SIGN = 1,            // any byte, and a sign that is never part of prose
    SHOUTS = 2,          // "!?"
    SYMBOLS = 4,         // 0xE2, and a byte that arrows and other symbols have after it
    NUMBERED = 8,        // "a1"
    EMOTICON = 16,       // ":)"
    CAMEL = 32,          // "aB"
    CALL = 64,           // "f("
    GRIN = 128,          // "xD"
    OVER_HYPHEN = 256,   // "-1" after a letter, "-)" after eyes
    CAPITALS = 512,      // "Ba" after a capital
    ADDRESS = 1024,      // "//" after a colon, "w." after "ww"
    HYPHENS = 2048,      // "--": not suspect, but may be part of a rule
};
constexpr uint16_t BY_BYTES_BEFORE = OVER_HYPHEN | CAPITALS | ADDRESS;
constexpr uint16_t OF_NAMES = NUMBERED | CAMEL | OVER_HYPHEN | CAPITALS;

struct Bytes {
    uint16_t traits[256];
    uint16_t begins[256], ends[256]; // the pairs whose first and whose second byte this is

    constexpr void add(uint16_t *to, const char *bytes, int bits) {
        for (; *bytes; bytes++)
            to[uint8_t(*bytes)] |= uint16_t(bits);
    }
    constexpr void add(uint16_t *to, int first, int last, int bits) {
        for (int byte = first; byte <= last; byte++)
            to[byte] |= uint16_t(bits);
    }
    constexpr Bytes() : traits(), begins(), ends() {
        add(traits, 'a', 'z', LETTER | OF_WORD);
        add(traits, 'A', 'Z', LETTER | CAPITAL | OF_WORD);
        add(traits, '0', '9', DIGIT | OF_WORD);
        add(traits, "_", OF_WORD);
        add(traits, 0x80, 0xFF, OF_WORD);
        add(traits, 0xC0, 0xFF, FOREIGN);
        add(traits, ".!?", ENDS_SENTENCE | FINAL);
        add(traits, ":;", FINAL);
        add(traits, ":", COLON);
        add(traits, "\"`", QUOTE);
        add(traits, "()[]", BRACKET);
        add(traits, "\n", LINE_BREAK);
        add(traits, "'", APOSTROPHE);
        add(traits, "&:;", PART_OF_MARKUP);
        add(traits, " \t\n\v\f\r\x1c\x1d\x1e\x1f", SPACE);
        for (int byte = 0xC3; byte <= 0xC9; byte++) // U+00C0 to U+027F
            traits[byte] &= uint16_t(~FOREIGN);
        traits[0xE2] = OF_WORD | SYMBOL;

        add(begins, 0, 0xFF, SIGN);
        add(ends, "`*_#@<>~[]=|\\{}^$\xF0", SIGN); // 0xF0: emoji, and rare scripts
        add(begins, "!?", SHOUTS);
        add(ends, "!?", SHOUTS);
        add(begins, "\xE2", SYMBOLS);
        add(ends, "\x86\x87\x98\x99\x9A\x9B\x9C\x9D\x9E\xAC\xAD\xAE\xAF", SYMBOLS);
        add(begins, 'a', 'z', NUMBERED | CAMEL);
        add(begins, 'A', 'Z', NUMBERED | CAPITALS);
        add(ends, '0', '9', NUMBERED | OVER_HYPHEN);
        add(ends, 'A', 'Z', CAMEL);
        add(ends, 'a', 'z', CAPITALS);
        add(begins, ":;", EMOTICON);
        add(ends, ")(DPpo/|*3", EMOTICON | OVER_HYPHEN);
        add(begins, "-", OVER_HYPHEN | HYPHENS);
        add(ends, "-", HYPHENS);
        add(begins, "xX", GRIN);
        add(ends, "D", GRIN);
        add(begins, "/w", ADDRESS);
        add(ends, "/.", ADDRESS);
        for (int byte = 0; byte < 256; byte++)
            if (traits[byte] & OF_WORD)
                begins[byte] |= CALL;
        add(ends, "(", CALL);
    }
};
constexpr Bytes BYTES;

constexpr int64_t LEAST_INSIDE = 2; // fewest characters between the first letter of a plain sentence and its mark

struct Text {
    const uint8_t *at;
    int64_t n, n_characters;

    uint16_t traits(int64_t i) const { return i < 0 ? 0 : BYTES.traits[at[i]]; }
    bool says(int64_t end, const char *bytes, int64_t size) const { return end >= size && !memcmp(at + end - size, bytes, size); }

    // True if the pair that ends right before `end` is suspect for the bytes before it.
    bool is_suspect(int64_t end) const {
        const uint8_t last = at[end - 1], before_pair = end >= 3 ? at[end - 3] : 0;
        if (at[end - 2] == '-') {
            if (traits(end - 1) & DIGIT && BYTES.traits[before_pair] & LETTER)
                return true;
            return BYTES.ends[last] & BYTES.begins[before_pair] & EMOTICON;
        }
        if (last == '/')
            return says(end, "://", 3);
        if (last == '.')
            return says(end, "www.", 4);
        return BYTES.traits[before_pair] & CAPITAL; // two capitals and a small letter
    }
    // True for a dash or an apostrophe that begins at place i.
    bool is_plain_symbol(int64_t i) const {
        return n - i >= 3 && at[i + 1] == 0x80 && (at[i + 2] == 0x93 || at[i + 2] == 0x94 || at[i + 2] == 0x99);
    }
    // Flags of what a text holds beside prose. `pairs` has all suspect pairs in it, `all` the traits of all its bytes.
    uint8_t flags_of_parts(uint16_t pairs, uint16_t all) const {
        if (!(pairs & ~HYPHENS))
            return PROSE_ALONE;
        const bool may_hold_more = pairs & ~OF_NAMES || all & PART_OF_MARKUP || n > n_characters;
        return may_hold_more ? 0 : NAMES_ALONE;
    }
    uint8_t flags() const {
        bool several = false, doubled = false;
        uint16_t inside = 0, last = 0; // traits of all bytes before the last one, and of the last one
        uint16_t begun = SIGN;         // the pairs that the byte before begins
        uint16_t suspect = 0;          // the pairs that were found
        for (int64_t i = 0; i < n; i++) {
            const uint8_t byte = at[i];
            const uint16_t before = last, pairs = begun & BYTES.ends[byte];
            last = BYTES.traits[byte];
            begun = BYTES.begins[byte];
            inside |= before;
            if (pairs)
                suspect |= pairs & BY_BYTES_BEFORE && !is_suspect(i + 1) ? pairs & ~BY_BYTES_BEFORE : pairs;
            several |= bool(last & OF_WORD) & bool(inside & ENDS_SENTENCE); // no branch on each byte
            doubled |= bool(last & before & APOSTROPHE);
            if (last & SYMBOL && !is_plain_symbol(i))
                last |= FOREIGN;
        }
        const uint16_t all = inside | last;
        const uint8_t parts = flags_of_parts(suspect, all);
        if (all & FOREIGN)
            return parts;
        if (n_characters >= LEAST_INSIDE + 2 && traits(0) & LETTER && last & ENDS_SENTENCE && !(inside & PARTS_PLAIN))
            return uint8_t(parts | PLAIN_SENTENCE);
        if (doubled || all & LINE_BREAK || !is_sentence(all & COLON))
            return parts;
        const uint8_t inside_and_parts = several ? parts | MARKS_INSIDE : parts;
        if (all & BRACKET)
            return uint8_t(inside_and_parts | ASIDE_SENTENCE);
        const bool as_it_stands = !(all & QUOTE) && !((traits(0) | last) & SPACE);
        return uint8_t(inside_and_parts | (as_it_stands ? PLAIN_SENTENCE : QUOTED_SENTENCE));
    }
    // True if a text is one sentence with a final mark, unless marks inside it end others. The text has no line breaks or two apostrophes in a
    // row. False if it may be an item of a list, have the name of who speaks, begin with brackets or be in single quotes: Python's rules decide
    // then.
    bool is_sentence(bool has_colon) const {
        int64_t begin = 0, end = n;
        while (begin < n && traits(begin) & SPACE)
            begin++;
        while (end > begin && traits(end - 1) & SPACE)
            end--;
        const int64_t last = end - 1;
        while (end > begin && traits(end - 1) & (SPACE | QUOTE))
            end--;
        while (end > begin && (traits(end - 1) & (APOSTROPHE | QUOTE) || at[end - 1] == ' ' || at[end - 1] == '\t'))
            end--;
        if (begin == end || !(traits(end - 1) & FINAL))
            return false;
        if (at[begin] == '-' || at[begin] == '*' || traits(begin) & (BRACKET | SYMBOL) || (traits(begin) & CAPITAL && has_colon))
            return false;
        if (traits(begin) & APOSTROPHE && traits(last) & APOSTROPHE)
            return false;
        int64_t marker = begin; // place of the sign after the number or letter of a list's item
        while (marker < end && traits(marker) & DIGIT)
            marker++;
        marker += marker == begin && traits(begin) & LETTER;
        return marker == begin || marker == end || (at[marker] != '.' && at[marker] != ')');
    }
};

} // namespace

// Fills the flags of n texts of UTF-8; text i has n_characters[i] characters. A text with characters beyond Latin letters, dashes and
// apostrophes gets no flag of a sentence.
EXPORT int64_t scan_texts(const uint8_t *text, int64_t size, const int64_t *n_characters, int64_t n, uint8_t *flags, int64_t) {
    const uint8_t *end_of_texts = text + size;
    for (int64_t i = 0; i < n; i++) {
        const int64_t n_ascii = count_ascii(text, n_characters[i]);
        const uint8_t *end = text + n_ascii;
        for (int64_t rest = n_characters[i] - n_ascii; end < end_of_texts && (rest > 0 || (*end & 0xC0) == 0x80); end++)
            rest -= (*end & 0xC0) != 0x80;
        flags[i] = Text{text, end - text, n_characters[i]}.flags();
        text = end;
    }
    return DONE;
}
