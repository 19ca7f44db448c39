#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::adapters {

/// The newest lines of a stream, in a ring of 2 KiB made at the first line: cheap enough to be fed
/// every line. Lines longer than 400 bytes are cut.
class RecentLines {
public:
    void add(std::string_view line);

    /// At most 20, oldest first, as printable text.
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    void put(std::string_view bytes);

    std::string ring_;
    std::size_t next_ = 0;
    bool is_full_ = false;
};

}  // namespace assay::adapters
