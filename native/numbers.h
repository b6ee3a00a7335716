// Exponentials, logarithms and roots, to within one unit in the last place. Platforms' libraries differ in the last bits; with these
// functions a text has the same score on all platforms. No step may be contracted or reordered (-ffp-contract=off).
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

[[maybe_unused]] inline int64_t bits_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
[[maybe_unused]] inline double double_of(int64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

[[maybe_unused]] inline double power_of_2(int64_t n) { return double_of(int64_t(uint64_t(n + 1023) << 52)); }

constexpr double LN_2_HIGH = 0x1.62e42feep-1, LN_2_LOW = 0x1.a39ef35793c76p-33; // the first ends in zeros, so that n times it is exact

// e^x = 2^n e^r with |r| <= ln 2 / 2, and e^r by its series to r^13 / 13!. Without branches, loops over many numbers are vectorised.
[[maybe_unused]] inline double exp_of(double x) {
    x = x < -760.0 ? -760.0 : x > 760.0 ? 760.0 : x; // beyond these bounds the result is 0 or infinite
    constexpr double TO_WHOLE = 0x1.8p52;            // adding and subtracting it rounds; between both, the last bits are n
    const double shifted = x * 0x1.71547652b82fep0 + TO_WHOLE, n = shifted - TO_WHOLE;
    const double high = x - n * LN_2_HIGH, low = n * LN_2_LOW, r = high - low, lost = (high - r) - low, z = r * r;
    const double even = 1.0 / 2 + z * (1.0 / 24 + z * (1.0 / 720 + z * (1.0 / 40320 + z * (1.0 / 3628800 + z * (1.0 / 479001600)))));
    const double odd = 1.0 / 6 + z * (1.0 / 120 + z * (1.0 / 5040 + z * (1.0 / 362880 + z * (1.0 / 39916800 + z * (1.0 / 6227020800)))));
    const double power = 1.0 + (r + (z * (even + r * odd) + lost));
    // 2^n in two factors: neither overflows, and a result below the normal numbers is rounded
    const int64_t whole = bits_of(shifted) - bits_of(TO_WHOLE), half = (whole + 2048) / 2 - 1024;
    return power * power_of_2(half) * power_of_2(whole - half);
}

// ln x of a number x = 2^k m is k ln 2 + ln m, with m between the roots of 1/2 and 2. With f = m - 1 and s = f / (2 + f),
// ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...). -inf for 0, NaN for a negative number.
[[maybe_unused]] inline double log_of(double x) {
    if (!(x > 0.0 && x < INFINITY))
        return x == 0.0 ? -INFINITY : x > 0.0 ? x : NAN;
    const bool tiny = x < 0x1p-1022;
    constexpr int64_t ROOT_OF_HALF = 0x3fe6a09e667f3bcd, MANTISSA = (int64_t(1) << 52) - 1;
    const int64_t bits = bits_of(tiny ? x * 0x1p54 : x) + (0x3ff0000000000000 - ROOT_OF_HALF);
    const double k = double((bits >> 52) - 1023 - (tiny ? 54 : 0));
    const double f = double_of((bits & MANTISSA) + ROOT_OF_HALF) - 1.0, s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double rest = 2.0 / 21;
    for (int odd = 19; odd > 1; odd -= 2)
        rest = rest * z + 2.0 / odd;
    // ln m = f - s (f - z rest), in an order in which the largest terms are exact
    return k * LN_2_HIGH - ((half - (s * (half + z * rest) + k * LN_2_LOW)) - f);
}

// x^n of a whole n.
[[maybe_unused]] inline double power_of(double x, int64_t n) {
    double power = 1.0;
    for (int64_t i = 0; i < n; i++)
        power *= x;
    return power;
}

// a b as the sum of two numbers, the result and `lost` (Dekker 1971).
[[maybe_unused]] inline double product(double a, double b, double *lost) {
    constexpr double SPLIT = 0x1p27 + 1.0;
    const double whole = a * b, a_high = a * SPLIT - (a * SPLIT - a), b_high = b * SPLIT - (b * SPLIT - b);
    const double a_low = a - a_high, b_low = b - b_high;
    *lost = ((a_high * b_high - whole) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return whole;
}

// n-th root of a number that is not negative, for n from 1 to 64: one step of Newton's from e^(ln x / n).
[[maybe_unused]] inline double root_of(double x, int64_t n) {
    if (x == 0.0 || n == 1)
        return x;
    const double root = exp_of(log_of(x) / double(n));
    double power = root, low = 0.0; // root^i is the sum of both
    for (int64_t i = 1; i < n; i++) {
        double lost;
        const double more = low * root;
        power = product(power, root, &lost);
        low = lost + more;
    }
    return root + ((x - power) - low) * root / (double(n) * power);
}

} // namespace
