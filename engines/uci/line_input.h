#pragma once
#include <optional>
#include <string>

namespace assay::engines {

/// Reads lines from a descriptor, with or without waiting. One thread.
class LineInput {
public:
    explicit LineInput(int descriptor) : descriptor_(descriptor) {}

    /// The next line without its end; nullopt at the end of the input.
    std::optional<std::string> wait();

    /// The next line if it has arrived. is_over() is true at the end of the input.
    std::optional<std::string> look();

    [[nodiscard]] bool is_over() const {
        return over_ && buffer_.find('\n', at_) == std::string::npos;
    }

private:
    std::optional<std::string> take();
    void read();

    int descriptor_;
    std::string buffer_;
    std::size_t at_ = 0;
    bool over_ = false;
};

/// Writes the whole text. An error is ignored, since there is nobody left to tell.
void write_all(int descriptor, const std::string& text);

}  // namespace assay::engines
