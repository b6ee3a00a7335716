// Instruction set of this processor, and checksum of the interface with which the library was built.
#include "kernels.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

// Number of the x86-64 instruction set (2 to 4, for v2 to v4), or 0 on other processors, which have one set of kernels.
EXPORT int64_t processor_level() {
#if defined(__x86_64__)
    unsigned a, b, c, d, low, high; // CPUID itself: __builtin_cpu_supports needs a compiler's run-time library
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 2;
    unsigned features = b;
    __get_cpuid(1, &a, &b, &c, &d);
    const unsigned v3_of_first_leaf = bit_OSXSAVE | bit_FMA | bit_F16C | bit_MOVBE;
    if ((c & v3_of_first_leaf) != v3_of_first_leaf)
        return 2;
    if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & (1u << 5))) // LZCNT
        return 2;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); // the registers that the operating system saves
    const unsigned v3 = bit_AVX2 | bit_BMI | bit_BMI2;
    const unsigned v4 = bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
    if ((low & 0x06) != 0x06 || (features & v3) != v3)
        return 2;
    return (low & 0xE0) == 0xE0 && (features & v4) == v4 ? 4 : 3;
#else
    return 0;
#endif
}

// Checksum of Python's table of functions that the library was built with.
EXPORT int64_t interface_checksum() { return INTERFACE; }
