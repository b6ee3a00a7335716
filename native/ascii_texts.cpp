// Separation of ASCII texts from others; typographic signs may become plain ones first (slor_metric.tokenizers.encoder).
#include "ascii_bytes.h"

namespace {

// Returns the code point at `at` and moves `at` behind it. The text is well-formed UTF-8, in which surrogates may stand alone.
inline uint32_t next_point(const uint8_t *&at) {
    const uint32_t first = *at++;
    if (first < 0x80)
        return first;
    const int n_more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    uint32_t point = first & (0x3F >> n_more);
    for (int i = 0; i < n_more; i++)
        point = point << 6 | (*at++ & 0x3F);
    return point;
}

struct Signs {
    const uint32_t *points, *plain; // ascending code points; the characters for each, the first in the lowest byte
    int64_t n;

    // Writes the plain characters for a sign, or an ASCII character itself, and returns the end; null for NUL and all other characters.
    uint8_t *write(uint32_t point, uint8_t *out) const {
        for (int64_t i = 0; i < n && points[i] <= point; i++)
            if (points[i] == point) {
                for (uint32_t rest = plain[i]; rest; rest >>= 8)
                    *out++ = uint8_t(rest);
                return out;
            }
        if (point == 0 || point >= 0x80)
            return nullptr;
        *out = uint8_t(point);
        return out + 1;
    }
};

} // namespace

// Copies those of n texts of UTF-8 to `characters` that are ASCII without NUL, or become so with `plain` in place of the signs `points`.
// Text i has n_characters[i] characters. Returns the number of characters written. `lengths` (n) receives the number written for each text;
// −1 for a text that is not copied.
EXPORT int64_t part_ascii(const uint8_t *text, int64_t, const int64_t *n_characters, int64_t n, const uint32_t *points, int64_t n_points,
                          const uint32_t *plain, int64_t, uint8_t *characters, int64_t, int64_t *lengths, int64_t) {
    const Signs signs = {points, plain, n_points};
    uint8_t *out = characters;
    for (int64_t i = 0; i < n; i++) {
        const int64_t size = n_characters[i];
        if (count_ascii(text, size) == size) {
            memcpy(out, text, size);
            text += size;
            out += size;
            lengths[i] = size;
            continue;
        }
        uint8_t *end = out; // end of the copy of this text; null once it cannot be copied
        for (int64_t character = 0; character < size; character++) {
            const uint32_t point = next_point(text);
            end = end ? signs.write(point, end) : nullptr;
        }
        lengths[i] = end ? end - out : -1;
        out = end ? end : out;
    }
    return out - characters;
}
