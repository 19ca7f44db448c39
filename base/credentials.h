#pragma once
#include <string>
#include <string_view>

namespace assay {

/// The text with what may be a password or a token taken out of the URLs in it:
/// "https://TOKEN@host/x?key=TOKEN#TOKEN" becomes "https://***@host/x?key=***#***". A name without
/// a password stays where it is no secret ("ssh://git@host/x").
[[nodiscard]] std::string without_credentials(std::string_view text);

/// The same with a '*' for each byte, so that all else stays in its column.
[[nodiscard]] std::string with_hidden_credentials(std::string_view text);

}  // namespace assay
