#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "configs/loader/schema.h"

namespace assay::configs {

/// The value of a key whose form is one scalar.
using ScalarValue = std::variant<std::string, std::int64_t, std::uint64_t, double, bool, Micros>;

/// The value that `text` spells for a key. Its type depends on the key's form: text and
/// choice are strings; whole numbers int64; seed, size and count uint64; number and percent
/// double; duration and minutes Micros; truth bool. Nullopt where the text does not fit.
/// REQUIRES: the form is one of these.
[[nodiscard]] std::optional<ScalarValue> parse_scalar(const Key& key, std::string_view text);

/// What the value must be, to follow "KEY must be ".
[[nodiscard]] std::string expected_of(const Key& key);

/// How to correct `text`, which does not fit: begins with "; ", or is empty.
[[nodiscard]] std::string hint_for(const Key& key, std::string_view text);

/// True where `word` is one of the blank-separated words.
[[nodiscard]] bool is_one_of(std::string_view words, std::string_view word);

/// "'a', 'b' or 'c'" of blank-separated words.
[[nodiscard]] std::string alternatives(std::string_view words);

}  // namespace assay::configs
