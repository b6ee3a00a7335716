// Separation of the ASCII in texts from all else; typographic signs may become plain ones first (slor_metric.tokenizers.encoder).
#include "ascii_bytes.h"
#include "chunks.h"

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

bool is_white_space(uint32_t point) { // as in Python's str.isspace
    if (point < 0x80)
        return is_space(uint8_t(point));
    return point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

// Where the parts of texts are written.
struct Writer {
    const Signs &signs;
    bool is_all_other; // true if chunks of ASCII are written as other ones, too
    uint8_t *out, *others;

    // Writes a text of so many characters and returns its end.
    const uint8_t *write(const uint8_t *at, int64_t n_characters) {
        const uint8_t *chunk = at; // begin of the chunk that is read
        uint8_t *written = out;    // begin of what was written for it
        bool is_other = is_all_other;
        for (int64_t i = 0; i < n_characters; i++) {
            const uint8_t *before = at;
            const uint32_t point = next_point(at);
            if (is_white_space(point)) {
                end_chunk(chunk, before, is_other, written);
                *out++ = point < 0x80 ? uint8_t(point) : ' ';
                chunk = at;
                written = out;
                is_other = is_all_other;
            } else if (!is_other) {
                uint8_t *end = signs.write(point, out);
                is_other = !end;
                out = end ? end : out;
            }
        }
        end_chunk(chunk, at, is_other, written);
        return at;
    }
    void end_chunk(const uint8_t *chunk, const uint8_t *end, bool is_other, uint8_t *written) {
        if (!is_other || chunk == end)
            return;
        out = written;
        *out++ = OTHER_CHUNK;
        memcpy(others, chunk, end - chunk);
        others += end - chunk;
        *others++ = '\n';
    }
};

} // namespace

// Copies n texts of UTF-8 to `characters`, with `plain` in place of the signs `points`, a space in place of white space beyond ASCII, and the
// byte OTHER_CHUNK in place of each chunk between white space that is not ASCII without NUL even so; of each chunk if `is_all_other`. `others`
// receives these chunks, each with a line end. Text i has n_characters[i] characters. `lengths` (n) receives the number written for each, and
// `sizes` those of all characters and of all others.
EXPORT int64_t part_ascii(const uint8_t *text, int64_t, const int64_t *n_characters, int64_t n, const uint32_t *points, int64_t n_points,
                          const uint32_t *plain, int64_t, int64_t is_all_other, uint8_t *characters, int64_t, uint8_t *others, int64_t,
                          int64_t *lengths, int64_t, int64_t *sizes, int64_t) {
    const Signs signs = {points, plain, n_points};
    Writer writer = {signs, bool(is_all_other), characters, others};
    for (int64_t i = 0; i < n; i++) {
        const int64_t size = n_characters[i];
        uint8_t *begin = writer.out;
        if (!is_all_other && count_ascii(text, size) == size) {
            memcpy(begin, text, size);
            text += size;
            writer.out += size;
        } else
            text = writer.write(text, size);
        lengths[i] = writer.out - begin;
    }
    sizes[0] = writer.out - characters;
    sizes[1] = writer.others - others;
    return DONE;
}
