#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/multigame/form/form.h"
#include "rules/multigame/interpret/code.h"

namespace assay::rules::multigame {

/// Facts of a form that all machines of it share: instructions and tables. Any thread may read it.
class Tables {
public:
    static constexpr std::size_t kContents = 2 * kMostPieces + 2;

    /// The form must outlive it.
    explicit Tables(const Form& form);

    [[nodiscard]] const Form& form() const { return form_; }

    [[nodiscard]] bool matches(int pattern, int own, Content content) const {
        return matching_[(static_cast<std::size_t>(pattern) * 2 + static_cast<std::size_t>(own)) *
                             kContents +
                         content] != 0;
    }

    /// Hash of a content on a field.
    [[nodiscard]] std::uint64_t key(std::size_t field, Content content) const {
        return field_keys_[field * kContents + content];
    }

    /// Hash of a value in a slot; 0 for slots that are no part of a position's identity.
    [[nodiscard]] std::uint64_t slot_key(std::size_t slot, std::int32_t value) const;

    Code code;
    std::vector<std::vector<Content>> contents;  // by pattern * 2 + own: what matches
    std::vector<std::uint8_t> is_identity;       // by slot: what slot_key() covers
    std::size_t words = 0;                       // of 64 fields

private:
    const Form& form_;
    std::vector<std::uint8_t> matching_;
    std::vector<std::uint64_t> field_keys_;
};

}  // namespace assay::rules::multigame
