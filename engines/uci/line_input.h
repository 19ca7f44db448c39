#pragma once
#include <optional>
#include <string>

namespace assay::engines {

/// Lines from a descriptor, waited for or not. One thread.
class LineInput {
public:
    explicit LineInput(int descriptor) : descriptor_(descriptor) {}

    /// The next line without its end; nullopt at the end of the input.
    std::optional<std::string> wait();

    /// The next line if it is there by now. At the end of the input is_over() turns true.
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

/// The whole text, at once; what cannot be written is lost.
void write_all(int descriptor, const std::string& text);

}  // namespace assay::engines
