// Basis of all kernels: arguments from Python, return values, and memory that is freed at the end of a block.
//
// A kernel is a function with a C interface. A line in referenceless_metrics/core/support/native_interface.py declares it for Python. An
// array arrives as the address of its first item and its number of items, in that order. A group of arrays arrives as a pointer to a struct
// of such pairs. No kernel uses an argument after it has returned. There are no exceptions and no C++ runtime.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(_WIN32)
#define EXPORT extern "C" __declspec(dllexport)
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#endif

// Name of a kernel in native/levels/. On x86-64 these files are compiled once per instruction set, with names such as `name_v3`; on other
// processors the name is plain. Everything else in such a file is static or in an unnamed namespace: otherwise the linker could keep one
// copy of a function for all sets, with instructions that a processor lacks.
#if defined(LEVEL)
#define JOIN_(a, b) a##_v##b
#define JOIN(a, b) JOIN_(a, b)
#define AT_LEVEL(name) JOIN(name, LEVEL)
#else
#define AT_LEVEL(name) name
#endif

namespace {

// A kernel returns a number that is not negative, or one of these codes.
[[maybe_unused]] constexpr int64_t DONE = 0, NO_MEMORY = -1;
// Code for an argument that cannot be used. Its place in Python's line is counted from 0.
[[maybe_unused]] constexpr int64_t wrong_argument(int64_t place) { return -2 - place; }

[[maybe_unused]] constexpr int64_t larger_of(int64_t a, int64_t b) { return a > b ? a : b; }
// Number of slots of a hash table for n keys: a power of two, of which at most half are taken, so that searches stay short.
[[maybe_unused]] inline int64_t slots_for(int64_t n) {
    int64_t slots = 2;
    while (slots < 2 * n)
        slots *= 2;
    return slots;
}

// Memory for n items, freed at the end of the block; `at` is null if there is none.
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
