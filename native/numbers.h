// Logarithms and powers, the same for all kernels.
#pragma once
#include <cmath>

namespace {

[[maybe_unused]] inline double exp_of(double x) { return std::exp(x); }
[[maybe_unused]] inline double log_of(double x) { return std::log(x); }
[[maybe_unused]] inline double pow_of(double x, double y) { return std::pow(x, y); }

} // namespace
