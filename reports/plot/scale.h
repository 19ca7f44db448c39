#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay::reports::plot {

/// Maps the values of a domain onto positions in a picture. A domain without width is widened, so
/// that a scale never divides by zero; values outside the domain map outside the range.
class Scale {
public:
    /// `lo` lands on `from`, `hi` on `to`; `from` may be the larger (y grows downwards).
    [[nodiscard]] static Scale linear(double lo, double hi, double from, double to);
    /// The same with equal factors at equal distances. Values below 1e-12 count as that.
    [[nodiscard]] static Scale logarithmic(double lo, double hi, double from, double to);

    [[nodiscard]] double operator()(double value) const;

    [[nodiscard]] double lo() const { return lo_; }

    [[nodiscard]] double hi() const { return hi_; }

    [[nodiscard]] double from() const { return from_; }

    [[nodiscard]] double to() const { return to_; }

    [[nodiscard]] bool is_logarithmic() const { return is_log_; }

private:
    Scale(double lo, double hi, double from, double to, bool is_log);

    double lo_;
    double hi_;
    double from_;
    double to_;
    bool is_log_;
};

/// A value that an axis names.
struct Tick {
    double value = 0;
    std::string text;
};

/// How an axis writes its numbers.
struct TickStyle {
    bool is_signed = false;  // "+20", for differences; zero has no sign
    std::string unit;        // stands at the last tick: "5,000 pairs"
    bool is_whole = false;   // of counts: no tick lies between two whole numbers
};

/// The round values (1, 2 or 5 times a power of ten) inside the scale's domain, at most `most` of
/// them and at least one. On a logarithmic scale 1 and 3 times powers of ten. REQUIRES: most >= 2.
[[nodiscard]] std::vector<Tick> ticks(const Scale& scale, int most, const TickStyle& style = {});

/// A number as pictures write it: a true minus (U+2212), thousands with commas.
[[nodiscard]] std::string number_text(double value, int decimals, bool is_signed);

/// The text with each hyphen that leads a number as a true minus.
[[nodiscard]] std::string with_minus(std::string_view text);

}  // namespace assay::reports::plot
