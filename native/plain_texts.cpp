// One scan over texts of ASCII: which can hold what is no prose, and which are one plain sentence (slor_metric.fluency.plain_texts).
#include "kernels.h"

namespace {

enum Flag : uint8_t { PROSE_ALONE = 1, PLAIN_SENTENCE = 2 }; // of slor_metric.fluency.plain_texts

// What a byte can be part of. The patterns are `_SUSPECT` in slor_metric.fluency.markup and `_PLAIN` in slor_metric.fluency.sentences.
enum Trait : uint16_t {
    SIGN = 1,          // no prose wherever it stands
    SMALL = 2,         // a to z
    CAPITAL = 4,       // A to Z
    DIGIT = 8,
    SHOUT = 16,        // two of them in a row are suspect
    EYES = 32,         // of an emoticon
    MOUTH = 64,
    UNDERSCORE = 128,
    PARTS_SENTENCE = 256, // no plain sentence has it but at its end, if there
    ENDS_SENTENCE = 512,
    COLON = 1024, // a plain sentence may have it, but so may who speaks
};
constexpr uint16_t LETTER = SMALL | CAPITAL, OF_WORD = LETTER | DIGIT | UNDERSCORE;

struct Traits {
    uint16_t of[256];

    constexpr void add(const char *bytes, uint16_t trait) {
        for (; *bytes; bytes++)
            of[uint8_t(*bytes)] |= trait;
    }
    constexpr Traits() : of() {
        for (int letter = 'a'; letter <= 'z'; letter++) {
            of[letter] |= SMALL;
            of[letter - 32] |= CAPITAL;
        }
        for (int digit = '0'; digit <= '9'; digit++)
            of[digit] |= DIGIT;
        add("`*_#@<>~[]=|\\{}^$", SIGN);
        add("!?", SHOUT);
        add(":;", EYES);
        add(")(DPpo/|*3", MOUTH);
        add("_", UNDERSCORE);
        add("\n.!?\"`()[]", PARTS_SENTENCE);
        add(".!?", ENDS_SENTENCE);
        add(":", COLON);
    }
};
constexpr Traits TRAITS;

constexpr int64_t LEAST_INSIDE = 2; // bytes between the first letter of a plain sentence and its mark

struct Text {
    const uint8_t *at;
    int64_t n;

    uint16_t traits(int64_t i) const { return i < 0 ? 0 : TRAITS.of[at[i]]; }
    bool says(int64_t end, const char *bytes, int64_t size) const { return end >= size && !memcmp(at + end - size, bytes, size); }

    // Whether something suspect ends before `end`.
    bool is_suspect(int64_t end) const {
        const uint16_t last = traits(end - 1), before = traits(end - 2);
        if (last & SIGN)
            return true;
        if (last & SHOUT && before & SHOUT)
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
        bool suspect = false;
        uint16_t inside = 0; // what all but the last byte are
        for (int64_t i = 0; i < n; i++) {
            suspect = suspect || is_suspect(i + 1);
            inside |= i + 1 < n ? traits(i) : 0;
        }
        const bool plain = n >= LEAST_INSIDE + 2 && traits(0) & LETTER && traits(n - 1) & ENDS_SENTENCE && !(inside & (PARTS_SENTENCE | COLON));
        return uint8_t((suspect ? 0 : PROSE_ALONE) | (plain ? PLAIN_SENTENCE : 0));
    }
};

} // namespace

// Fills the flags of n texts; one of length −1 is not of ASCII, and has none.
EXPORT int64_t scan_texts(const uint8_t *text, int64_t, const int64_t *lengths, int64_t n, uint8_t *flags, int64_t) {
    for (int64_t i = 0; i < n; i++) {
        flags[i] = 0;
        if (lengths[i] < 0)
            continue;
        flags[i] = Text{text, lengths[i]}.flags();
        text += lengths[i];
    }
    return DONE;
}
