// Reads the blocks of a packed tree in order, while two threads decode those ahead. The threads
// share the number of the next block and a ring of kAhead slots. A block is decoded only when its
// slot is free, so that a slow reader limits the memory.
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "base/diagnostic.h"
#include "gtql/log/packed/packed_file.h"

namespace assay::gtql {

namespace {

constexpr std::size_t kThreads = 2;
constexpr std::size_t kAhead = 6;  // blocks in memory, the reader's own among them

class PackedReader final : public BlockReader {
public:
    PackedReader(const PackedTree& tree, std::span<const ColumnId> wanted)
        : tree_(tree), wanted_(wanted.begin(), wanted.end()) {
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
            widths_.push_back(tree.width_of_column(wanted_[i]));
            if (wanted_[i] == kLevelColumn) level_at_ = static_cast<int>(i);
        }
        // A thread costs more than a small tree.
        if (tree_.blocks() < 2) return;
        for (std::size_t i = 0; i < kThreads; ++i) threads_.emplace_back([this] { work(); });
    }

    PackedReader(const PackedReader&) = delete;
    PackedReader& operator=(const PackedReader&) = delete;

    ~PackedReader() override {
        {
            const std::lock_guard lock(mutex_);
            is_stopped_ = true;
        }
        changed_.notify_all();
        for (std::thread& each : threads_) each.join();
    }

    bool next(TreeBlock& block) override {
        if (given_ == tree_.blocks()) return false;
        Slot& slot = slots_[given_ % kAhead];
        if (threads_.empty()) {
            tree_.decode(given_, wanted_, room_, slot.columns);
        } else {
            std::unique_lock lock(mutex_);
            // The block that was handed out last may be overwritten from now on: the caller has
            // come back.
            released_ = given_;
            changed_.notify_all();
            changed_.wait(lock, [&] { return slot.is_ready; });
            // An error waits for its turn, so that the blocks before it are still handed out and
            // the message does not depend on the threads.
            if (slot.error) std::rethrow_exception(slot.error);
            slot.is_ready = false;
        }
        block.first = tree_.first_of(given_);
        block.size = tree_.nodes_of(given_);
        block.columns.clear();
        for (std::size_t i = 0; i < wanted_.size(); ++i)
            block.columns.push_back({slot.columns[i].data(), block.size, widths_[i]});
        check_seam(block);
        ++given_;
        return true;
    }

private:
    struct Slot {
        std::vector<std::vector<std::byte>> columns;
        std::exception_ptr error;
        bool is_ready = false;
    };

    /// Whether a block continues the one before can be checked only here: blocks are decoded apart.
    void check_seam(const TreeBlock& block) {
        if (level_at_ < 0) return;
        const ColumnView& levels = block.columns[static_cast<std::size_t>(level_at_)];
        if (first_wrong_level(levels.part(0, 1), last_level_) == 0) {
            throw Error(tree_.info().name + ": node " + std::to_string(block.first + 1) +
                        ": its level does not follow the block before");
        }
        last_level_ = levels.at(levels.size - 1);
    }

    void work() {
        Unpacking room;
        while (true) {
            std::size_t block = 0;
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] {
                    return is_stopped_ || next_ == tree_.blocks() || next_ < released_ + kAhead;
                });
                if (is_stopped_ || next_ == tree_.blocks()) return;
                block = next_++;
            }
            Slot& slot = slots_[block % kAhead];
            std::exception_ptr error;
            try {
                tree_.decode(block, wanted_, room, slot.columns);
            } catch (...) {
                error = std::current_exception();
            }
            {
                const std::lock_guard lock(mutex_);
                slot.error = error;
                slot.is_ready = true;
            }
            changed_.notify_all();
        }
    }

    const PackedTree& tree_;
    std::vector<ColumnId> wanted_;
    std::vector<Width> widths_;
    Unpacking room_;  // where there are no threads
    int level_at_ = -1;
    std::int64_t last_level_ = -1;
    std::size_t given_ = 0;  // blocks handed out
    std::array<Slot, kAhead> slots_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;      // block that nobody decodes yet
    std::size_t released_ = 0;  // blocks that nobody looks at any more
    bool is_stopped_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<BlockReader> PackedTree::read(std::span<const ColumnId> wanted) const {
    return std::make_unique<PackedReader>(*this, wanted);
}

}  // namespace assay::gtql
