// A stream ends at its first fault. Events say nothing of where they are in the tree: a node hangs
// below the nodes that are open before it, so that what follows a lost or damaged block could be
// put anywhere. What came before stays as it is.
#include "gtql/log/raw/raw_stream.h"

#include "gtql/log/raw/raw_decoder.h"

namespace assay::gtql {

std::int64_t MoveTexts::code_of(const std::string& text) {
    const auto [place, is_new] = codes_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return place->second;
}

RawStream decode_stream(const RandomAccess& file, const RawSchema& schema,
                        std::vector<RawBlock> blocks, bool is_owner, MoveTexts& moves,
                        std::vector<Remark>& remarks) {
    StreamDecoder decoder(schema, is_owner, moves);
    std::vector<std::byte> content;
    bool is_whole = !blocks.empty() && blocks.back().is_last;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const RawBlock& block = blocks[i];
        if (block.number != i) {
            remarks.push_back({block.offset, "a block of nodes before this one is lost"});
            is_whole = false;
            break;
        }
        content.resize(block.size);
        file.read(block.offset, content);
        Cursor cursor(content);
        if (decoder.decode(cursor)) continue;
        remarks.push_back({block.offset + cursor.position(), decoder.why()});
        is_whole = false;
        break;
    }
    RawStream stream = decoder.take();
    stream.is_whole = is_whole;
    return stream;
}

}  // namespace assay::gtql
