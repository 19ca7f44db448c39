#include "harness/machine/doctor.h"

#include <cstdio>
#include <memory>
#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "reports/view/json_text.h"

namespace assay::cli {

namespace {

namespace json = boost::json;

constexpr const char* kDoctorExamples =
    R"(It looks at cores, load, frequency governor, latencies and disk. The exit code is 0, also with
warnings.

examples:
  assay doctor                          before a long run
  assay doctor --db /data/nightly.db    also measures that folder's disk
  assay doctor --json                   for a CI log)";

struct DoctorFlags {
    std::string store = "assay.db";
    bool json = false;
};

json::value latency_json(const harness::Latency& latency) {
    return json::object{{"p50", reports::json_number(latency.p50_us)},
                        {"p99", reports::json_number(latency.p99_us)},
                        {"max", reports::json_number(latency.max_us)}};
}

std::string doctor_json(const harness::DoctorFacts& facts,
                        const std::vector<harness::Finding>& findings) {
    json::array lines;
    std::int64_t warnings = 0;
    for (const harness::Finding& finding : findings) {
        if (finding.is_warning()) ++warnings;
        lines.push_back(json::object{
            {"name", finding.name},
            {"state", finding.is_warning() ? "warning" : "ok"},
            {"text", reports::json_string(finding.text)},
            {"advice", finding.is_warning() ? json::value(finding.advice) : json::value()}});
    }
    const harness::MachineRecord& machine = facts.machine;
    return reports::json_text(
        json::object{{"schema", 1},
                     {"warnings", warnings},
                     {"machine", json::object{{"host", reports::json_string(machine.host)},
                                              {"cpu", reports::json_string(machine.cpu)},
                                              {"kernel", reports::json_string(machine.kernel)},
                                              {"logical_cores", machine.logical_cores},
                                              {"physical_cores", machine.physical_cores},
                                              {"memory_bytes", machine.memory_bytes}}},
                     {"quota", reports::json_number(facts.quota)},
                     {"load", reports::json_number(facts.load)},
                     {"timer_us", latency_json(facts.timer)},
                     {"pipe_us", latency_json(facts.pipe)},
                     {"disk_us", latency_json(facts.disk)},
                     {"findings", lines}});
}

void print_text(const std::vector<harness::Finding>& findings) {
    int warnings = 0;
    for (const harness::Finding& finding : findings) {
        const char* const state = finding.is_warning() ? "warning" : "ok";
        fmt::print("{:<8} {:<12} {}\n", state, finding.name, finding.text);
        if (!finding.is_warning()) continue;
        ++warnings;
        fmt::print("{:<21} {}\n", "", finding.advice);
    }
    if (warnings == 0) {
        fmt::print("\nthis machine is suitable for timed games\n");
    } else {
        fmt::print("\n{}; those about time do not matter with node or depth limits\n",
                   counted(warnings, "warning"));
    }
}

void examine_and_print(const DoctorFlags& flags) {
    const harness::DoctorFacts facts = harness::examine(flags.store, SteadyClock());
    const auto findings = harness::judge(facts);
    if (flags.json) {
        fmt::print("{}\n", doctor_json(facts, findings));
    } else {
        print_text(findings);
    }
}

}  // namespace

void add_doctor(Command& app, Exit&) {
    const auto flags = std::make_shared<DoctorFlags>();
    Command* const command =
        app.add_subcommand("doctor", "check whether this machine is suitable for timed games");
    command->add_flag("--json", flags->json, "one JSON object, times in microseconds");
    command->add_option("--db", flags->store, "the store whose folder's disk is measured")
        ->type_name("FILE")
        ->capture_default_str();
    command->footer(kDoctorExamples);
    command->callback([flags] { examine_and_print(*flags); });
}

}  // namespace assay::cli
