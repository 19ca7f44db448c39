#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "configs/loader/loader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const auto plan = assay::configs::plan_from_text(text, "f.yaml", "/");
        if (assay::harness::plan_from_json(to_json(plan)) != plan) __builtin_trap();
    } catch (const assay::SyntaxError&) {}
    try {
        assay::configs::RunFlags flags;
        flags.programs = {"a", "b"};
        flags.sets = {text};
        const auto plan = plan_from_flags(flags);
        if (assay::harness::plan_from_json(to_json(plan)) != plan) __builtin_trap();
    } catch (const assay::SyntaxError&) {}
    return 0;
}
