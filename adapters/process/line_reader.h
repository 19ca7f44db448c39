#pragma once
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace assay::adapters {

/// Cuts a stream of bytes into lines. A line ends with LF; one CR before it is dropped. Any other
/// byte passes. Of a line longer than the limit the first part is given once, the rest is dropped.
/// Lines that lie whole in the bytes fed are not copied.
class LineReader {
public:
    static constexpr std::size_t kLongestLine = 64U << 10U;

    explicit LineReader(std::size_t longest = kLongestLine) : longest_(longest) {}

    /// Calls on_line(std::string_view line, bool was_cut) for each line, until it returns false.
    /// Then the rest of the bytes is dropped and this object is not touched again, so that on_line
    /// may have destroyed it.
    template <class OnLine>
    void feed(std::string_view bytes, const OnLine& on_line) {
        while (!bytes.empty()) {
            const void* const found = std::memchr(bytes.data(), '\n', bytes.size());
            if (found == nullptr) {
                keep(bytes, on_line);
                return;
            }
            const auto length =
                static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
            const std::string_view piece = bytes.substr(0, length);
            bytes.remove_prefix(length + 1);
            if (is_dropping_) {
                is_dropping_ = false;
                continue;
            }
            if (partial_.empty() && length <= longest_) {
                if (!on_line(without_cr(piece), false)) return;
                continue;
            }
            if (!finish(piece, on_line)) return;
        }
    }

    /// What came since the last line end.
    [[nodiscard]] std::string_view partial() const { return partial_; }

private:
    [[nodiscard]] static std::string_view without_cr(std::string_view line) {
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }

    // A line end after a kept beginning, or after too long a piece.
    template <class OnLine>
    [[nodiscard]] bool finish(std::string_view piece, const OnLine& on_line) {
        // Swapped out, so that on_line sees no half-changed state; swapped back for its capacity.
        std::string line;
        line.swap(partial_);
        const bool is_cut = line.size() + piece.size() > longest_;
        line.append(piece.substr(0, longest_ - line.size()));
        if (!on_line(is_cut ? std::string_view(line) : without_cr(line), is_cut)) return false;
        line.clear();
        partial_.swap(line);
        return true;
    }

    template <class OnLine>
    void keep(std::string_view bytes, const OnLine& on_line) {
        if (is_dropping_) return;
        if (partial_.size() + bytes.size() <= longest_) {
            partial_.append(bytes);
            return;
        }
        is_dropping_ = true;
        std::string line;
        line.swap(partial_);
        line.append(bytes.substr(0, longest_ - line.size()));
        static_cast<void>(on_line(line, true));
    }

    std::size_t longest_;
    std::string partial_;  // never longer than longest_
    bool is_dropping_ = false;
};

}  // namespace assay::adapters
