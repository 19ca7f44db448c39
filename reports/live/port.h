#pragma once

namespace assay::reports::live {

/// A socket that listens to `port` of 127.0.0.1 alone (0: any free one), closed in children. Throws
/// Error, the machine's, where the port is taken or cannot be had.
[[nodiscard]] int listen_at(int port);

}  // namespace assay::reports::live
