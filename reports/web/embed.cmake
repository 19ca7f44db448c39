# Writes OUTPUT, a source with the text of FILES by name (reports/web/page/assets.h).
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(MAKE_C_IDENTIFIER ${name} id)
  string(APPEND texts "constexpr char k_${id}[] = {${bytes}'\\0'};\n")
  string(APPEND entries
    "    if (name == \"${name}\") return {k_${id}, sizeof(k_${id}) - 1};\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"reports/web/page/assets.h\"\n
#include \"base/check.h\"\n
namespace assay::reports::web {\n
namespace {\n
${texts}
}  // namespace\n
std::string_view asset(std::string_view name) {
${entries}    ASSAY_CHECK(false);
    return {};
}\n
}  // namespace assay::reports::web\n")
