// The only source with the code of treelog.h, which is a header and an implementation in one.
#include <utility>

// NOLINTNEXTLINE(readability-identifier-naming): the header asks for this name
#define TREELOG_IMPLEMENTATION
#include "engines/search/node_log.h"

namespace assay::engines {

NodeLog::NodeLog(const std::string& path, const std::string& game, std::uint64_t most_nodes,
                 MoveName name, const void* context)
    : log_(treelog_new(path.c_str())), name_(name), context_(context) {
    for (const char* attribute : {"ply", "depth", "alpha", "beta", "type"}) {
        treelog_attribute(log_, attribute, TREELOG_ENTRY);
    }
    treelog_attribute(log_, "value", TREELOG_EXIT);
    treelog_attribute(log_, "flags", TREELOG_EXIT);
    constexpr std::array<std::pair<const char*, std::int64_t>, 18> kConstants{{
        {"PVNode", static_cast<std::int64_t>(NodeType::PV)},
        {"CUTNode", static_cast<std::int64_t>(NodeType::Cut)},
        {"ALLNode", static_cast<std::int64_t>(NodeType::All)},
        {"QNode", kQNode},
        {"QRootNode", kQRootNode},
        {"NullMove", kNullMove},
        {"NullSearch", kNullSearch},
        {"ReSearch", kReSearch},
        {"ReSearchTree", kReSearchTree},
        {"InCheck", kInCheck},
        {"Extended", kExtended},
        {"Reduced", kReduced},
        {"TTCut", kTTCut},
        {"Draw", kDraw},
        {"StandPat", kStandPat},
        {"ChainLink", kChainLink},
        {"ChainEnd", kChainEnd},
        {"ChainBroken", kChainBroken},
    }};
    for (const auto& [word, value] : kConstants) treelog_constant(log_, word, value);
    treelog_program(log_, "assay player", game.c_str());
    treelog_move_names(log_, write_name, this);
    if (most_nodes > 0) {
        treelog_filter filter = treelog_no_filter();
        filter.most_nodes = most_nodes;
        treelog_set_filter(log_, &filter);
    }
    stream_ = treelog_stream_new(log_);
}

NodeLog::~NodeLog() {
    treelog_stream_free(stream_);
    treelog_free(log_);
}

void NodeLog::write_name(std::int64_t move, char* text, void* self) {
    const auto* const log = static_cast<const NodeLog*>(self);
    log->name_(static_cast<Move>(move), text, log->context_);
}

void NodeLog::start_search(std::string position, std::string parameters) {
    if (!position_.empty()) ++search_;
    position_ = std::move(position);
    parameters_ = std::move(parameters);
}

void NodeLog::start_tree(int iteration) {
    treelog_open(stream_, search_, static_cast<std::uint32_t>(iteration), position_.c_str(),
                 parameters_.c_str());
}

void NodeLog::end_tree() {
    treelog_close(stream_);
}

std::string NodeLog::error() const {
    const char* const text = treelog_error(log_);
    return text == nullptr ? "" : text;
}

}  // namespace assay::engines
