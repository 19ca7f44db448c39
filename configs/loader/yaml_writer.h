#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace assay::configs {

/// A scalar that YAML reads as these bytes: plain where no reader could take it for anything else.
[[nodiscard]] std::string yaml_scalar(std::string_view text);

/// "[one, two]" of scalars.
[[nodiscard]] std::string yaml_list(const std::vector<std::string>& words);

/// Lines of a block map; blocks inside it stand two columns farther right.
class YamlBlock {
public:
    explicit YamlBlock(std::string& out, std::size_t indent = 0) : out_(out), indent_(indent) {}

    /// `value` is YAML already.
    void put(std::string_view key, std::string_view value);

    template <class Number>
    void put_number(std::string_view key, const std::optional<Number>& value) {
        if (value) put(key, plain_number(static_cast<double>(*value)));
    }

    /// The map under this key.
    [[nodiscard]] YamlBlock block(std::string_view key);
    /// The next element of a list that this block is.
    [[nodiscard]] YamlBlock element();

private:
    std::string& out_;
    std::size_t indent_;
    bool is_first_in_list_ = false;
};

}  // namespace assay::configs
