#pragma once
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace assay::configs {

/// Where a piece of a config was written: bytes of one of the texts.
struct Place {
    std::size_t text = 0;  // index into Texts
    Span span;
};

struct Member;

/// A piece of a config as it was written: scalars keep their text, nothing is converted.
struct Value {
    enum class Kind { Scalar, Null, List, Map };

    Kind kind = Kind::Null;
    bool is_quoted = false;  // a quoted or a block scalar: its content, not its spelling
    std::string value;       // of a scalar
    std::vector<Value> items;
    std::vector<Member> members;  // in the order written; names are distinct
    Place place;

    [[nodiscard]] const Value* find(std::string_view name) const;
};

struct Member {
    std::string name;
    Place place;  // of the name
    Value value;
};

/// For messages: 'text' of a scalar, "a list", "a map", "nothing".
[[nodiscard]] std::string described(const Value& node);

/// Merges `over` into `under`: maps key by key, all other values as a whole. An empty value or null
/// removes the key; where there is none to remove it stays, for the reader to complain of. A key
/// removes those that it excludes, such as another limit of a time control or another rule of
/// `stop`. A word that is short for a block (a book, a test's preset) counts as that block.
void merge(Value& under, const Value& over);

/// The texts that a plan is made of; addresses stay.
class Texts {
public:
    struct Text {
        std::string path;    // as in messages
        std::string folder;  // relative paths in it start here; absolute
        std::string content;
    };

    std::size_t add(Text text) {
        texts_.push_back(std::move(text));
        return texts_.size() - 1;
    }

    [[nodiscard]] const Text& at(std::size_t index) const { return texts_[index]; }

private:
    std::deque<Text> texts_;
};

/// Collects errors, so that a user sees all of them at once.
class Complaints {
public:
    explicit Complaints(const Texts& texts) : texts_(texts) {}

    /// Adds a message about a place; the same message about the same place is kept once.
    void add(const Place& place, std::string message);

    /// Adds an error in another file that the config names.
    void add(Diagnostic diagnostic);

    /// True where something was said about just this place.
    [[nodiscard]] bool has(const Place& place) const;

    [[nodiscard]] bool empty() const { return complaints_.empty() && others_.empty(); }

    /// Throws ConfigError where there is any complaint.
    void throw_if_any() const;

private:
    struct Complaint {
        Place place;
        std::string message;
    };

    const Texts& texts_;
    std::vector<Complaint> complaints_;
    std::vector<Diagnostic> others_;  // after those of the config
};

/// Everything that is wrong with a config (20 messages at most), in the order of the files and
/// their lines; what() ends with how many and that nothing was started.
class ConfigError final : public SyntaxError {
public:
    ConfigError(std::vector<Diagnostic> diagnostics, std::size_t total);

    [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

private:
    std::string text_;
};

}  // namespace assay::configs
