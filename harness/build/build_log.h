#pragma once
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace assay::harness {

/// The file with what a build says: its beginning and its end, since a build may say a lot and each
/// commit has a log that stays. What is in between is counted. For one thread.
class BuildLog {
public:
    static constexpr std::size_t kMostOfEach = std::size_t{1} << 20U;

    explicit BuildLog(const std::string& path);
    BuildLog(const BuildLog&) = delete;
    BuildLog& operator=(const BuildLog&) = delete;
    ~BuildLog();

    /// The beginning is in the file at once, the end when the log is closed.
    void write(std::string_view bytes);
    void close();

private:
    std::ofstream file_;
    std::size_t begun_ = 0;
    std::string end_;
    std::uint64_t left_out_ = 0;
};

}  // namespace assay::harness
