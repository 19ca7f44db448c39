// Which of a file's trees a query is about. The kind of a file is told by its first bytes and not
// by its name, because engines choose their own. A log of iterative deepening has one tree an
// iteration: asked for nothing else, a query looks at the last complete tree of each search, since
// an iteration that the clock ended says of its later moves only that they were not reached. A
// search without any complete tree still gives its last one, with a warning.
//
// Trees are opened from the last to the first until one is complete: only opening tells, and
// earlier ones are not opened for nothing.
#include "gtql/log/import/open_trees.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/diagnostic.h"
#include "base/text.h"
#include "gtql/log/import/import.h"
#include "gtql/log/import/line_source.h"
#include "gtql/log/packed/packed_file.h"
#include "gtql/log/raw/raw_log.h"

namespace assay::gtql {

namespace {

namespace fs = std::filesystem;

std::string tree_name(const TreeFile& file, const std::string& path, std::size_t i) {
    if (file.size() == 1) return path;
    return path + "#" + std::to_string(file.search(i)) + "." + std::to_string(file.iteration(i));
}

std::string sentence(const std::string& path, const Remark& remark) {
    return path + ": byte " + std::to_string(remark.offset) + ": " + remark.what;
}

class RawFile final : public TreeFile {
public:
    RawFile(std::string path, std::unique_ptr<RandomAccess> file)
        : path_(std::move(path)), log_(std::move(file)) {}

    [[nodiscard]] const char* kind() const override { return "raw"; }

    [[nodiscard]] std::size_t size() const override { return log_.trees(); }

    [[nodiscard]] std::uint64_t search(std::size_t i) const override { return log_.search(i); }

    [[nodiscard]] std::uint64_t iteration(std::size_t i) const override {
        return log_.iteration(i);
    }

    [[nodiscard]] std::unique_ptr<TreeSource> tree(std::size_t i,
                                                   std::vector<std::string>& warnings) override {
        if (!are_remarks_said_) {
            for (const Remark& each : log_.remarks()) warnings.push_back(sentence(path_, each));
        }
        are_remarks_said_ = true;
        std::vector<Remark> remarks;
        auto tree = log_.open(i, tree_name(*this, path_, i), remarks);
        for (const Remark& each : remarks) warnings.push_back(sentence(path_, each));
        return tree;
    }

private:
    std::string path_;
    RawLog log_;
    bool are_remarks_said_ = false;
};

class PackedTrees final : public TreeFile {
public:
    PackedTrees(std::string path, std::unique_ptr<RandomAccess> file)
        : path_(std::move(path)), file_(std::move(file)) {
        for (std::size_t i = 0; i < file_.size(); ++i) infos_.push_back(file_.tree(i).info());
    }

    [[nodiscard]] const char* kind() const override { return "packed"; }

    [[nodiscard]] std::size_t size() const override { return infos_.size(); }

    [[nodiscard]] std::uint64_t search(std::size_t i) const override { return infos_.at(i).search; }

    [[nodiscard]] std::uint64_t iteration(std::size_t i) const override {
        return infos_.at(i).iteration;
    }

    [[nodiscard]] std::unique_ptr<TreeSource> tree(std::size_t i,
                                                   std::vector<std::string>& warnings) override {
        if (!are_remarks_said_) {
            for (const Remark& each : file_.remarks()) warnings.push_back(sentence(path_, each));
        }
        are_remarks_said_ = true;
        auto tree = file_.take(i);
        if (!tree) throw Error(path_ + ": a tree can be taken once");
        tree->rename(tree_name(*this, path_, i));
        return tree;
    }

private:
    std::string path_;
    PackedFile file_;
    std::vector<TreeInfo> infos_;
    bool are_remarks_said_ = false;
};

/// CSV or JSON lines: one tree, read when the file is opened.
class TableFile final : public TreeFile {
public:
    TableFile(const RandomAccess& file, bool is_csv, const ImportOptions& options)
        : is_csv_(is_csv) {
        tree_ =
            is_csv ? import_csv(file, options, warnings_) : import_jsonl(file, options, warnings_);
        search_ = tree_->info().search;
        iteration_ = tree_->info().iteration;
    }

    [[nodiscard]] const char* kind() const override { return is_csv_ ? "csv" : "jsonl"; }

    [[nodiscard]] std::size_t size() const override { return 1; }

    [[nodiscard]] std::uint64_t search(std::size_t) const override { return search_; }

    [[nodiscard]] std::uint64_t iteration(std::size_t) const override { return iteration_; }

    [[nodiscard]] std::unique_ptr<TreeSource> tree(std::size_t,
                                                   std::vector<std::string>& warnings) override {
        warnings.insert(warnings.end(), warnings_.begin(), warnings_.end());
        if (!tree_) throw Error("the tree of a table can be taken once");
        return std::move(tree_);
    }

private:
    bool is_csv_;
    std::unique_ptr<Tree> tree_;
    std::uint64_t search_ = 0;
    std::uint64_t iteration_ = 0;
    std::vector<std::string> warnings_;
};

std::string first_bytes(const RandomAccess& file) {
    std::string first(std::min<std::uint64_t>(file.size(), 8), '\0');
    file.read(0, std::as_writable_bytes(std::span(first)));
    return first;
}

/// The first byte of the text that is not blank; 0 without one.
char first_letter(const RandomAccess& file) {
    LineSource lines(file);
    std::string_view line;
    while (lines.next(line)) {
        if (!trim(line).empty()) return trim(line).front();
    }
    return 0;
}

using Trees = std::vector<std::unique_ptr<TreeSource>>;

/// The last complete tree among `places`, the trees of one search; without one the last tree.
std::unique_ptr<TreeSource> last_complete(TreeFile& file, const std::vector<std::size_t>& places,
                                          std::vector<std::string>& warnings) {
    std::unique_ptr<TreeSource> last;
    for (std::size_t i = places.size(); i-- > 0;) {
        auto tree = file.tree(places[i], warnings);
        if (tree->info().complete) return tree;
        if (!last) last = std::move(tree);
    }
    warnings.push_back(last->info().name + ": the search has no complete iteration");
    return last;
}

}  // namespace

std::unique_ptr<TreeFile> TreeFile::open(const std::string& path, const ImportOptions& options) {
    auto file = RandomAccess::open(path);
    const std::string first = first_bytes(*file);
    if (is_raw_log(first)) return std::make_unique<RawFile>(path, std::move(file));
    if (is_packed_file(first)) return std::make_unique<PackedTrees>(path, std::move(file));
    if (file->size() == 0) throw Error(path + ": the file is empty");
    const char letter = first_letter(*file);
    const bool is_text =
        letter == '#' || letter == '"' || letter == '{' || is_log_name({&letter, 1});
    if (!is_text) {
        throw Error(path + ": expected a packed tree, a raw tree log, CSV or JSON lines");
    }
    return std::make_unique<TableFile>(*file, letter != '{', options);
}

std::vector<std::string> tree_files(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return {path};
    std::vector<std::string> files;
    for (auto each = fs::recursive_directory_iterator(path, error);
         !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
        if (each->is_regular_file(error)) files.push_back(each->path().string());
    }
    if (error) throw Error(path + ": " + error.message());
    if (files.empty()) throw Error(path + ": the folder has no file");
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::unique_ptr<TreeSource>> open_trees(const std::string& path,
                                                    const OpenOptions& options,
                                                    std::vector<std::string>& warnings) {
    const auto file = TreeFile::open(path, options.import);
    if (file->size() == 0) throw Error(path + ": the log has no tree");
    Trees trees;
    std::map<std::uint64_t, std::vector<std::size_t>> searches;
    for (std::size_t i = 0; i < file->size(); ++i) {
        const TreeChoice& choice = options.choice;
        if (choice.all || (choice.iteration && *choice.iteration == file->iteration(i))) {
            trees.push_back(file->tree(i, warnings));
        } else if (!choice.iteration) {
            searches[file->search(i)].push_back(i);
        }
    }
    for (const auto& [search, places] : searches)
        trees.push_back(last_complete(*file, places, warnings));
    if (trees.empty()) {
        throw Error(path + ": no tree is of iteration " +
                    std::to_string(options.choice.iteration.value_or(0)));
    }
    return trees;
}

}  // namespace assay::gtql
