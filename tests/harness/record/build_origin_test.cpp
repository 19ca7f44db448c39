#include "harness/record/build_origin.h"

#include <doctest/doctest.h>

#include "base/diagnostic.h"

using namespace assay::harness;

TEST_CASE("Origin: what is unsaid has no key, and what is said comes back") {
    VersionRecord version;
    CHECK(origin_json(version).empty());
    version.source = SourceRecord{"/repo", "HEAD", "a1b2c3", "", "Search deeper", 1'700'000'000};
    version.bench = BenchRecord{1234, {}, 1234};
    const std::string text = origin_json(version);
    CHECK(text == R"({"source":{"repo":"/repo","ref":"HEAD","commit":"a1b2c3","tree":"",)"
                  R"("subject":"Search deeper","date_us":1700000000},)"
                  R"("bench":{"nodes":1234,"nps":null,"declared":1234}})");
    VersionRecord read;
    read_origin_json(text, read);
    CHECK(origin_json(read) == text);
    CHECK_FALSE(read.build);
}

TEST_CASE("Findings: older texts lack keys, and one of a wrong type is named") {
    RunFindings findings;
    findings.is_gate = true;
    findings.speed.push_back({0, 3, -1.5, -2, -1, 7.5, -3, {100, 99}, SpeedFinding::State::Holds});
    const RunFindings read = read_findings_json(findings_json(findings));
    CHECK(read.is_gate == true);
    CHECK(read.speed.at(0).nodes_per_second == findings.speed[0].nodes_per_second);
    CHECK(read.speed.at(0).state == SpeedFinding::State::Holds);
    CHECK(read_findings_json(R"({"speed":[{"match":1}]})").speed.at(0).match == 1);
    for (const char* const text : {R"({"gate":1})", R"({"drift":"x"})", R"({"speed":[[]]})",
                                   R"({"speed":[{"state":"fine"}]})", "[]", "{"}) {
        CAPTURE(text);
        CHECK_THROWS_AS((void)read_findings_json(text), assay::Error);
    }
    try {
        (void)read_findings_json(R"({"exit_code":"two"})");
        FAIL("read");
    } catch (const assay::Error& error) {
        CHECK(std::string(error.what()) ==
              "this store holds a record whose 'exit_code' is not as expected");
    }
}
