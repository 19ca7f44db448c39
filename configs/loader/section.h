#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "configs/loader/schema.h"
#include "configs/loader/value.h"

namespace assay::configs {

/// What every reader of a config needs: the texts, and where to complain.
struct Context {
    const Texts& texts;
    Complaints& complaints;
    bool checks_files = false;  // complain of programs, folders and books that are not there
};

/// Reads one block of a config by the schema: each function gives a key's value, or nullopt where
/// it is not written or is wrong, which is then complained of. Unknown keys and keys that are not
/// built yet are complained of when a Section is made. Lives no longer than what it was made of.
class Section {
public:
    /// `path` is the block's in the schema, `title` how messages call it, and `place` where they
    /// point when they speak of all of it.
    Section(const Context& context, const Value& block, std::string_view path,
            std::string_view title, const Place& place);

    [[nodiscard]] const Value* find(std::string_view name) const;

    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> seed(std::string_view name) const;
    [[nodiscard]] std::optional<double> error_rate(std::string_view name) const;
    [[nodiscard]] std::optional<std::array<double, 2>> bounds(std::string_view name) const;
    [[nodiscard]] std::optional<bool> truth(std::string_view name) const;
    [[nodiscard]] std::optional<Micros> duration(std::string_view name) const;
    [[nodiscard]] std::optional<Micros> minutes(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view name) const;
    /// A whole number from 0, perhaps with k, M or G, which are thousands.
    [[nodiscard]] std::optional<std::uint64_t> count(std::string_view name) const;
    /// One of the key's words; `later` are words that are not built yet.
    [[nodiscard]] std::optional<std::string> choice(std::string_view name,
                                                    std::string_view later = "") const;
    /// True where the value is one of the words beside the key's form.
    [[nodiscard]] bool is_word(std::string_view name) const;
    /// A path, absolute; one of the key's words stays itself.
    [[nodiscard]] std::optional<std::string> path(std::string_view name) const;

    /// What a path or the first word of a command is relative to.
    enum class Base : std::uint8_t { Config, Later };

    /// Words of a command; the first is made absolute where it has a '/', unless it is relative to
    /// what is known later.
    [[nodiscard]] std::optional<std::vector<std::string>> words(std::string_view name,
                                                                Base base = Base::Config) const;
    /// One command, or a list of them, as they are written.
    [[nodiscard]] std::vector<std::vector<std::string>> steps(std::string_view name) const;
    /// "-3%" is -3.
    [[nodiscard]] std::optional<double> percent(std::string_view name) const;
    /// Free names with scalars.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> names(
        std::string_view name) const;
    /// The block under a key, or nullopt.
    [[nodiscard]] std::optional<Section> block(std::string_view name) const;

    /// Complains where none of the keys is written, unless an unknown key may be meant for one.
    void need(std::initializer_list<std::string_view> keys) const;
    void complain(const Place& place, std::string message) const;

    [[nodiscard]] const Context& context() const { return context_; }

    [[nodiscard]] const Value& node() const { return block_; }

    [[nodiscard]] const Place& place() const { return place_; }

    /// Of a key that is written.
    [[nodiscard]] const Place& place_of(std::string_view name) const;

private:
    void check_member(const Member& member);
    [[nodiscard]] const Key& key(std::string_view name) const;
    /// The scalar under a key; anything else is complained of as "KEY must be EXPECTED".
    [[nodiscard]] const Value* scalar(std::string_view name, std::string_view expected) const;
    void must_be(std::string_view name, const Value& found, std::string_view expected,
                 std::string_view hint = "") const;
    [[nodiscard]] std::string absolute(const Value& node) const;

    Context context_;
    const Value& block_;
    std::string path_;
    std::string title_;
    Place place_;
    bool has_unknown_ = false;
};

/// "'a', 'b' or 'c'" of blank-separated words.
[[nodiscard]] std::string alternatives(std::string_view words);

}  // namespace assay::configs
