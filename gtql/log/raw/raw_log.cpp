// From the blocks of a raw log to trees. A search with several threads writes a stream for each,
// and a thread joins the tree below a node of another's stream (a split point). The merge puts all
// streams into one preorder, in which a query cannot tell that the tree was searched by several
// threads, except by the built-in `thread`.
//
// A log that is damaged or cut gives what is left of its trees: streams end at the first missing
// block, segments that hang on a lost node are left out, and the tree is marked as not complete.
// The merge is a sort of the segments by their place and one walk, in memory; a tree of one stream
// needs none and may stay in its file (raw_source.h).
#include "gtql/log/raw/raw_log.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unistd.h>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "gtql/log/raw/raw_source.h"
#include "gtql/log/raw/raw_stream.h"

namespace assay::gtql {

namespace {

constexpr std::uint64_t kTop = ~std::uint64_t{0};

/// Memory for joining, for each byte of blocks: a node has at least three bytes there, and needs a
/// Place of 24 bytes and columns.
constexpr std::uint64_t kMemoryAByte = 12;

/// In bytes.
std::uint64_t machine_memory() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long size = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) return std::uint64_t{8} << 30;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
}

/// A node of the merged tree: which stream's, and which of its nodes.
struct Place {
    std::uint32_t stream = 0;  // index into the tree's streams, not its number
    std::uint64_t node = 0;
    std::int64_t level = 0;
};

/// A segment and the node below which it hangs.
struct Hanging {
    std::uint64_t after = 0;
    std::int64_t level = 0;  // of its parent within the parent's segment
    std::uint32_t stream = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Joins the streams of a tree into one preorder. A segment comes right behind the node that its
/// parent's stream had entered last when the place was named: its parent was open then, so all
/// nodes up to there are the parent or below it, and the next one is no deeper than a child. It is
/// a loop with a stack of its own and not a recursion, since segments may hang on segments in any
/// depth.
class Merger {
public:
    Merger(const std::vector<std::uint32_t>& numbers, const std::vector<RawStream>& streams,
           std::uint32_t owner)
        : streams_(streams), hanging_(streams.size()) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            indices_[numbers[i]] = static_cast<std::uint32_t>(i);
        owner_ = indices_.contains(owner) ? indices_[owner] : static_cast<std::uint32_t>(-1);
    }

    /// All nodes in preorder. Those below a missing node are left out.
    std::vector<Place> merge() {
        if (owner_ >= streams_.size()) return {};
        for (std::uint32_t i = 0; i < streams_.size(); ++i) hang_all(i);
        for (auto& list : hanging_) {
            std::sort(list.begin(), list.end(), [](const Hanging& a, const Hanging& b) {
                return std::tuple(a.after, -a.level, a.stream, a.begin) <
                       std::tuple(b.after, -b.level, b.stream, b.begin);
            });
        }
        emit();
        return std::move(order_);
    }

private:
    struct Frame {
        std::uint32_t stream = 0;
        std::uint64_t next = 0;
        std::uint64_t end = 0;
        std::int64_t base = 0;    // level of the segment's top
        std::size_t hanging = 0;  // the next that may hang here
    };

    void hang_all(std::uint32_t index) {
        if (index == owner_) return;
        const RawStream& stream = streams_[index];
        for (std::size_t i = 0; i < stream.segments.size(); ++i) {
            const std::uint64_t end =
                i + 1 < stream.segments.size() ? stream.segments[i + 1].begin : stream.level.size();
            if (end > stream.segments[i].begin) hang(index, stream.segments[i], end);
        }
    }

    void hang(std::uint32_t index, const RawSegment& segment, std::uint64_t end) {
        Hanging hanging{segment.after, 0, index, segment.begin, end};
        std::uint32_t parent_stream = owner_;
        std::uint64_t parent = 0;
        if (segment.node == kTop) {
            hanging.after = streams_[owner_].level.size() - 1;
        } else {
            const auto found = indices_.find(segment.stream);
            if (found == indices_.end()) return;
            parent_stream = found->second;
            parent = segment.node;
        }
        const RawStream& stream = streams_[parent_stream];
        const std::uint64_t size = stream.level.size();
        if (parent >= size || hanging.after < parent || hanging.after >= size) return;
        hanging.level = stream.level.at(parent);
        // Inserted here, the segment would take the next node of the parent's stream as its child.
        const bool is_next_deeper =
            hanging.after + 1 < size && stream.level.at(hanging.after + 1) > hanging.level + 1;
        if (is_next_deeper || stream.level.at(hanging.after) < hanging.level) return;
        hanging_[parent_stream].push_back(hanging);
    }

    [[nodiscard]] std::size_t first_hanging(std::uint32_t stream, std::uint64_t begin) const {
        const auto& list = hanging_[stream];
        return static_cast<std::size_t>(
            std::lower_bound(
                list.begin(), list.end(), begin,
                [](const Hanging& each, std::uint64_t node) { return each.after < node; }) -
            list.begin());
    }

    /// Walks over the owner's stream, and at each place over the segments that hang there.
    void emit() {
        std::vector<Frame> frames;
        frames.push_back({owner_, 0, streams_[owner_].level.size(), 0, 0});
        while (!frames.empty()) {
            Frame& frame = frames.back();
            const auto& list = hanging_[frame.stream];
            if (frame.hanging < list.size() && frame.next > 0 &&
                list[frame.hanging].after == frame.next - 1) {
                const Hanging& each = list[frame.hanging++];
                frames.push_back({each.stream, each.begin, each.end, frame.base + each.level + 1,
                                  first_hanging(each.stream, each.begin)});
            } else if (frame.next == frame.end) {
                frames.pop_back();
            } else {
                const std::int64_t level = streams_[frame.stream].level.at(frame.next);
                order_.push_back({frame.stream, frame.next, frame.base + level});
                ++frame.next;
            }
        }
    }

    const std::vector<RawStream>& streams_;
    std::vector<std::vector<Hanging>> hanging_;
    std::map<std::uint32_t, std::uint32_t> indices_;
    std::uint32_t owner_ = 0;
    std::vector<Place> order_;
};

std::vector<std::pair<std::string, std::string>> parameters_of(const RawSchema& schema,
                                                               const RawTree& tree) {
    std::vector<std::pair<std::string, std::string>> all;
    const auto add = [&all](const char* name, const std::string& text) {
        if (!text.empty()) all.emplace_back(name, printable_utf8(text));
    };
    add("program", schema.program);
    add("parameters", tree.parameters);
    add("filter", tree.filter);
    return all;
}

Column column_of(const std::vector<Place>& order, std::vector<RawStream>& streams,
                 ValueColumn RawStream::*member) {
    ValueColumn all;
    for (const Place& place : order) all.push((streams[place.stream].*member).at(place.node));
    for (RawStream& stream : streams) (void)(stream.*member).take();
    return all.take();
}

Column value_column(const std::vector<Place>& order, std::vector<RawStream>& streams,
                    std::size_t attribute) {
    ValueColumn all;
    for (const Place& place : order)
        all.push(streams[place.stream].values[attribute].at(place.node));
    for (RawStream& stream : streams) (void)stream.values[attribute].take();
    return all.take();
}

std::unique_ptr<Tree> tree_of_one(TreeInfo info, const RawSchema& schema, RawStream& stream,
                                  MoveTexts& moves) {
    auto tree = std::make_unique<Tree>(std::move(info), stream.level.take());
    tree->add_moves("last_move", stream.move.take(), moves.take());
    for (std::size_t i = 0; i < schema.attributes.size(); ++i)
        tree->add_attribute(schema.attributes[i].name, stream.values[i].take());
    if (stream.unfinished_nodes > 0) tree->set_unfinished(stream.unfinished.take());
    return tree;
}

std::unique_ptr<Tree> tree_of_many(TreeInfo info, const RawSchema& schema,
                                   const std::vector<std::uint32_t>& numbers,
                                   std::vector<RawStream>& streams, const std::vector<Place>& order,
                                   MoveTexts& moves) {
    ValueColumn levels;
    ValueColumn threads;
    bool has_unfinished = false;
    for (const Place& place : order) {
        levels.push(place.level);
        threads.push(numbers[place.stream]);
    }
    for (const RawStream& stream : streams) has_unfinished |= stream.unfinished_nodes > 0;
    auto tree = std::make_unique<Tree>(std::move(info), levels.take());
    tree->set_thread(threads.take());
    tree->add_moves("last_move", column_of(order, streams, &RawStream::move), moves.take());
    for (std::size_t i = 0; i < schema.attributes.size(); ++i)
        tree->add_attribute(schema.attributes[i].name, value_column(order, streams, i));
    if (has_unfinished) tree->set_unfinished(column_of(order, streams, &RawStream::unfinished));
    return tree;
}

}  // namespace

RawLog::RawLog(std::unique_ptr<RandomAccess> file)
    : file_(std::move(file)), index_(index_raw_log(*file_)) {}

TreeInfo RawLog::info_of(const RawTree& raw) const {
    TreeInfo info;
    info.name = file_->name();
    info.game = index_.schema.game.empty() ? std::string(kGameWhereUnnamed)
                                           : printable_utf8(index_.schema.game);
    info.position = printable_utf8(raw.position);
    info.search = raw.search;
    info.iteration = raw.iteration;
    info.parameters = parameters_of(index_.schema, raw);
    return info;
}

std::unique_ptr<TreeSource> RawLog::open(std::size_t i, const std::string& name,
                                         std::vector<Remark>& remarks, const Limits& limits) const {
    const RawTree& raw = index_.trees.at(i);
    std::uint64_t bytes = 0;
    for (const auto& [number, blocks] : raw.blocks)
        for (const RawBlock& each : blocks) bytes += each.size;
    const bool is_one = raw.blocks.size() == 1 && raw.blocks.begin()->first == raw.owner;
    const std::uint64_t most =
        limits.several > 0 ? limits.several : machine_memory() / kMemoryAByte;
    if (!is_one && bytes > most) {
        throw Error(name + ": a tree of several threads is joined in memory, and with " +
                    std::to_string(bytes) + " bytes of nodes it is too large for that (" +
                    std::to_string(most) + " at most here); log fewer nodes, or one thread");
    }
    if (!is_one || bytes <= limits.bytes) {
        auto tree = load(i, remarks);
        tree->info().name = name;
        return tree;
    }
    const std::vector<RawBlock>& blocks = raw.blocks.begin()->second;
    const bool is_whole = raw.has_end && !raw.is_limited && raw.streams == 1 && !blocks.empty() &&
                          blocks.back().is_last;
    TreeInfo info = info_of(raw);
    info.name = name;
    return std::make_unique<RawTreeSource>(file_, index_.schema, blocks, std::move(info), is_whole,
                                           limits.window, remarks);
}

std::unique_ptr<Tree> RawLog::load(std::size_t i, std::vector<Remark>& remarks) const {
    const RawTree& raw = index_.trees.at(i);
    MoveTexts moves;
    std::vector<std::uint32_t> numbers;
    std::vector<RawStream> streams;
    bool is_whole = raw.has_end && !raw.is_limited && raw.streams == raw.blocks.size();
    std::uint64_t nodes = 0;
    for (const auto& [number, blocks] : raw.blocks) {
        const bool is_owner = number == raw.owner;
        numbers.push_back(number);
        streams.push_back(decode_stream(*file_, index_.schema, blocks, is_owner, moves, remarks));
        nodes += streams.back().level.size();
        is_whole = is_whole && streams.back().is_whole &&
                   (!is_owner || streams.back().unfinished_nodes == 0);
    }
    TreeInfo info = info_of(raw);
    info.complete = is_whole && nodes > 0;
    std::unique_ptr<Tree> tree;
    if (streams.size() == 1 && numbers.front() == raw.owner) {
        tree = tree_of_one(std::move(info), index_.schema, streams.front(), moves);
    } else {
        tree = merged_tree(std::move(info), raw, numbers, streams, moves, remarks);
    }
    for (const Constant& each : index_.schema.constants) tree->add_constant(each.name, each.value);
    return tree;
}

std::unique_ptr<Tree> RawLog::merged_tree(TreeInfo info, const RawTree& raw,
                                          const std::vector<std::uint32_t>& numbers,
                                          std::vector<RawStream>& streams, MoveTexts& moves,
                                          std::vector<Remark>& remarks) const {
    std::uint64_t nodes = 0;
    for (const RawStream& stream : streams) nodes += stream.level.size();
    const std::vector<Place> order = Merger(numbers, streams, raw.owner).merge();
    if (order.size() != nodes) {
        info.complete = false;
        remarks.push_back({0, "tree " + std::to_string(raw.number) + ": " +
                                  std::to_string(nodes - order.size()) +
                                  " nodes are left out, since what they hang on is lost"});
    }
    return tree_of_many(std::move(info), index_.schema, numbers, streams, order, moves);
}

}  // namespace assay::gtql
