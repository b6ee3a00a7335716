// Kinds of words: KINDS of slor_metric.fluency.words.
#pragma once
#include <cstdint>

namespace {

enum Kind : int8_t { WORD, NAME, UNKNOWN, MISSPELLING, BLANK };

} // namespace
