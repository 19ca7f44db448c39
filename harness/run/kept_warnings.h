#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/record/listener.h"

namespace assay::harness {

/// Keeps the warnings of a session for the run's record, each once and the first of many; those
/// that the record has a place of their own for (control, drift) come after its end.
class KeptWarnings final : public Listener {
public:
    static constexpr std::size_t kMost = 50;

    void on_warning(std::string_view /*kind*/, std::string_view text) override {
        std::string sentence(text.substr(0, kMostBytes));
        if (std::ranges::find(kept_, sentence) != kept_.end()) return;
        if (kept_.size() < kMost) {
            kept_.push_back(std::move(sentence));
        } else {
            ++more_;
        }
    }

    /// Those of earlier sessions with what is new in this one.
    [[nodiscard]] std::vector<std::string> after(std::vector<std::string> earlier) const {
        for (const std::string& sentence : kept_) {
            if (std::ranges::find(earlier, sentence) != earlier.end()) continue;
            if (earlier.size() >= 2 * kMost) break;
            earlier.push_back(sentence);
        }
        if (more_ > 0) earlier.push_back(fmt::format("further warnings were not kept: {}", more_));
        return earlier;
    }

private:
    static constexpr std::size_t kMostBytes = 2000;

    std::vector<std::string> kept_;
    std::size_t more_ = 0;
};

}  // namespace assay::harness
