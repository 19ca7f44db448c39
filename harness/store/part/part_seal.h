#pragma once
#include <string>

namespace assay::harness {

/// Closes a store to one file, without -wal and -shm, and seals it with the SHA-256 of all its
/// bytes, durable when this returns. Nothing may be written to it afterwards; a second time does
/// nothing. REQUIRES: nobody has it open. Throws as Store does, and Error where it is larger than a
/// part may be (part.h).
void close_part(const std::string& file);

/// The bytes of a sealed file of a schema that this assay knows, without the seal. Throws
/// PartRefusal (part.h).
[[nodiscard]] std::string sealed_bytes(const std::string& file);

}  // namespace assay::harness
