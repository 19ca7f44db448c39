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
#include "configs/loader/scalar.h"
#include "configs/loader/schema.h"
#include "configs/loader/value.h"
#include "rules/make_game.h"

namespace assay::configs {

/// What every reader of a config needs: the texts, and where to complain.
struct Context {
    const Texts& texts;
    Complaints& complaints;
    bool checks_files = false;  // complain of programs, folders and books that are not there
    /// Rules whose files may be gone.
    const std::vector<rules::GameSource>* known_games = nullptr;
};

/// Reads one block of a config by the schema. Each function gives a key's value, or nullopt where
/// the key is absent or its value is wrong; a wrong value adds a complaint. The constructor
/// complains of unknown keys and of keys that are not built yet. A Section must not outlive what it
/// was made of.
class Section {
public:
    /// `path` is the block's in the schema, `title` how messages call it, and `place` where they
    /// point when they speak of all of it.
    Section(const Context& context, const Value& block, std::string_view path,
            std::string_view title, const Place& place);

    [[nodiscard]] const Value* find(std::string_view name) const;

    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

    /// The value of a key whose form is one scalar, converted as the schema says; `Type` is the
    /// type that parse_scalar gives for the form. Nullopt also where a word stands in place of a
    /// whole number ('auto').
    template <class Type>
    [[nodiscard]] std::optional<Type> get(std::string_view name) const {
        const std::optional<ScalarValue> value = scalar(name);
        return value ? std::optional<Type>(std::get<Type>(*value)) : std::nullopt;
    }

    /// A whole number that an int holds.
    [[nodiscard]] int whole_or(std::string_view name, int fallback) const {
        return static_cast<int>(get<std::int64_t>(name).value_or(fallback));
    }

    /// The value, where it is one of the key's words.
    [[nodiscard]] std::optional<std::string> word(std::string_view name) const;

    /// What a path, or the first word of a command, is relative to.
    enum class Base : std::uint8_t { Config, Later };

    /// A path, made absolute unless it is relative to a folder that is known later; one of the
    /// key's words stays itself. Also of a block that a path alone may stand for.
    [[nodiscard]] std::optional<std::string> path(std::string_view name,
                                                  Base base = Base::Config) const;
    /// The game of a name, or of a file of rules, which is read. Wrong rules are complained of at
    /// their place in that file.
    [[nodiscard]] std::optional<rules::GameSource> game(std::string_view name) const;
    /// The words of a command; the first is made absolute where it has a '/', unless it is relative
    /// to a folder that is known later.
    [[nodiscard]] std::optional<std::vector<std::string>> words(std::string_view name,
                                                                Base base = Base::Config) const;
    /// One command, or a list of them, as they are written.
    [[nodiscard]] std::vector<std::vector<std::string>> steps(std::string_view name) const;
    /// Two numbers in rising order.
    [[nodiscard]] std::optional<std::array<double, 2>> bounds(std::string_view name) const;
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
    [[nodiscard]] const rules::GameSource* known_game(const std::string& path) const;
    void check_member(const Member& member);
    [[nodiscard]] const Key* known_key(std::string_view name) const;
    /// REQUIRES: the schema has the key in this block.
    [[nodiscard]] const Key& key(std::string_view name) const;
    [[nodiscard]] std::optional<ScalarValue> scalar(std::string_view name) const;
    /// Complains that `found`, under a key, is not what the key's form asks for.
    void refuse(std::string_view name, const Value& found, std::string_view hint = "") const;
    /// The scalars of a list, whose first may not be empty; nullopt and `wrong` where they are not.
    [[nodiscard]] std::optional<std::vector<std::string>> argv(const Value& list, Base base,
                                                               const Value*& wrong) const;
    [[nodiscard]] std::string absolute(const Value& node) const;

    Context context_;
    const Value& block_;
    std::string path_;
    std::string title_;
    Place place_;
    bool has_unknown_ = false;
};

}  // namespace assay::configs
