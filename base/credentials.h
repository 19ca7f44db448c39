#pragma once
#include <string>
#include <string_view>

namespace assay {

/// The text with what may be a password taken out of the URLs in it: "https://TOKEN@host/x" becomes
/// "https://***@host/x". A name without a password stays where it is no secret
/// ("ssh://git@host/x").
[[nodiscard]] std::string without_credentials(std::string_view text);

}  // namespace assay
