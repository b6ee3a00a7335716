// What all kernels share: how Python's arrays arrive, what a function returns, and memory that frees itself.
//
// A kernel is a function with a C interface. Python's side is a line in referenceless_metrics/core/support/native_interface.py: each
// array arrives as the address of its first item and its number of items, in that order; each group of arrays as a
// pointer to a struct of such pairs. Nothing here keeps what it is given. No exceptions, no C++ runtime.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(_WIN32)
#define EXPORT extern "C" __declspec(dllexport)
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#endif

// The name of a kernel in native/levels/, which is compiled once for each level of processor: `name_v3`, or the plain
// name where a processor has no levels. Everything else in such a file is in an unnamed namespace or static: what the
// linker merges must not hold instructions that a processor lacks.
#if defined(LEVEL)
#define JOIN_(a, b) a##_v##b
#define JOIN(a, b) JOIN_(a, b)
#define AT_LEVEL(name) JOIN(name, LEVEL)
#else
#define AT_LEVEL(name) name
#endif

namespace {

// What a kernel returns: a number that is not negative, or one of these.
[[maybe_unused]] constexpr int64_t DONE = 0, NO_MEMORY = -1;
// The argument at this place, counted from 0 in Python's line, cannot be used.
[[maybe_unused]] constexpr int64_t wrong_argument(int64_t place) { return -2 - place; }

[[maybe_unused]] constexpr int64_t larger_of(int64_t a, int64_t b) { return a > b ? a : b; }
// The number of slots of a hash table for n keys: a power of two of which at most half are taken, so that searches stay short.
[[maybe_unused]] inline int64_t slots_for(int64_t n) {
    int64_t slots = 2;
    while (slots < 2 * n)
        slots *= 2;
    return slots;
}

// Memory for n items, freed at the end of the block; `at` is null where there is none.
template <class T> struct Room {
    T *at;
    explicit Room(int64_t n, bool zero = false) : at(nullptr) {
        if (n >= 0 && uint64_t(n) < PTRDIFF_MAX / sizeof(T) - 1)
            at = (T *)(zero ? calloc(n + 1, sizeof(T)) : malloc((n + 1) * sizeof(T)));
    }
    Room(const Room &) = delete;
    Room &operator=(const Room &) = delete;
    ~Room() { free(at); }
    explicit operator bool() const { return at; }
    T &operator[](int64_t i) { return at[i]; }
    const T &operator[](int64_t i) const { return at[i]; }
};

} // namespace
