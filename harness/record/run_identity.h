#pragma once
#include <string>
#include <vector>

#include "harness/record/run.h"

namespace assay::harness {

/// What tells one run from all others, whatever store they are in: 128 bits as 32 hexadecimal
/// digits.
///
/// Of a new run: drawn.
[[nodiscard]] std::string drawn_uid();

/// Of a shard: the same on each machine that plays a shard of this run, from its plan with the
/// seed, its programs (the commit, or the SHA-256 of the file), its books, and a key of the user's
/// that tells two runs of equal programs apart. REQUIRES: plan_hash, versions and book_hashes of
/// `run` are set.
[[nodiscard]] std::string shards_uid(const RunRecord& run, const std::string& key);

/// Of a run of an assay that stored none: from name, moment of the start and host.
[[nodiscard]] std::string derived_uid(const RunRecord& run);

/// Why these two cannot be parts or copies of one run: "their seeds differ"; empty: they can. A
/// program that was built from the same commit is the same whatever file came out, unless its
/// benchmark says otherwise.
[[nodiscard]] std::string why_not_one_run(const RunRecord& one, const RunRecord& other);

/// The same of one program.
[[nodiscard]] bool is_same_program(const VersionRecord& one, const VersionRecord& other);

}  // namespace assay::harness
