#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "rules/multigame/object/loader.h"

namespace assay::rules::multigame {

/// Shared objects of compiled programs are kept in a folder of their user's alone:
///     FOLDER/HASH-COMPILER-SUM.so
/// HASH is hash_of_rules(), COMPILER stands for the compiler, its version and flags, and SUM is
/// that of the object's own bytes, so that an object which was cut or changed since is not used.

/// $XDG_CACHE_HOME/assay/rules, or ~/.cache/assay/rules; empty where neither is set.
[[nodiscard]] std::string usual_object_folder();

/// SUM of the bytes of an object.
[[nodiscard]] std::string sum_of_object(std::string_view bytes);

/// The program of an object in the folder that has this hash, whatever compiler made it; null where
/// there is none that may be used. Starts no process and changes nothing. Takes less than 5 ms.
[[nodiscard]] std::shared_ptr<const CompiledProgram> load_object(const std::string& folder,
                                                                 const std::string& hash);

}  // namespace assay::rules::multigame
