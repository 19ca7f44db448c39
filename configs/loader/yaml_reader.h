#pragma once
#include <cstddef>

#include "configs/loader/value.h"

namespace assay::configs {

/// Reads one text as the part of YAML 1.2 that configs are written in: maps, lists, scalars and
/// comments. Anchors, aliases, merge keys, tags, several documents, keys that stand twice, tabs
/// as indentation, a byte order mark, control bytes, text that is no UTF-8, more than 10,000
/// values, nesting beyond 64 and texts above 256 KiB are complained of; what cannot be read on
/// throws ConfigError with all complaints so far. An empty text is an empty map. The first `skip`
/// bytes of the text are taken for blanks.
[[nodiscard]] Value read_yaml(const Texts& texts, std::size_t text, Complaints& complaints,
                              std::size_t skip = 0);

/// The checks of bytes alone, for texts that are no YAML. Throws ConfigError.
void check_bytes(const Texts& texts, std::size_t text, Complaints& complaints);

}  // namespace assay::configs
