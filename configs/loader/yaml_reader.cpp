#include "configs/loader/yaml_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/text.h"

// yaml-cpp's node layer keeps the second of two equal keys out of sight, converts 010 to 8 and
// lets aliases grow a small file beyond any bound. So only its parser is used, and the tree is
// made here from its events: every mark is kept and every limit is checked while it grows.

namespace assay::configs {

namespace {

constexpr std::size_t kMostConfigBytes = 256 * 1024;
constexpr std::size_t kMostNodes = 10'000;
constexpr std::size_t kDeepest = 64;
constexpr std::string_view kUnfit = "this line does not fit the indentation of the block above";

/// Refuses bytes that no config may have, before the parser sees any.
class ByteCheck {
public:
    ByteCheck(std::size_t text, std::string_view content, Complaints& complaints)
        : text_(text), content_(content), complaints_(complaints) {}

    void run() {
        if (content_.size() > kMostConfigBytes)
            stop(0, fmt::format("the file has {} bytes; a config has at most {}", content_.size(),
                                kMostConfigBytes));
        bool in_indentation = true;
        for (std::size_t at = 0; at < content_.size();) {
            const std::size_t length = utf8_length(content_.substr(at));
            if (length == 0) stop(at, "this is not valid UTF-8");
            check(at, content_[at], in_indentation);
            if (content_[at] == '\n')
                in_indentation = true;
            else if (content_[at] != ' ')
                in_indentation = false;
            at += length;
        }
        if (has_tabs_) complaints_.throw_if_any();
    }

private:
    void check(std::size_t at, char c, bool in_indentation) {
        if (c == '\t' && in_indentation) {
            complaints_.add({text_, {at, at + 1}}, "tabs cannot indent; use spaces");
            has_tabs_ = true;
            return;
        }
        if (c == '\n' || c == '\t') return;
        if (c == '\r' && content_.substr(at + 1, 1) == "\n") return;
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            stop(at, fmt::format("control character \\x{:02x}", static_cast<unsigned>(c)));
    }

    void stop(std::size_t at, std::string message) {
        complaints_.add({text_, {at, at + 1}}, std::move(message));
        complaints_.throw_if_any();
    }

    std::size_t text_;
    std::string_view content_;
    Complaints& complaints_;
    bool has_tabs_ = false;
};

class TreeMaker final : public YAML::EventHandler {
public:
    TreeMaker(std::size_t text, std::string_view content, Complaints& complaints)
        : text_(text), content_(content), complaints_(complaints) {}

    [[nodiscard]] std::optional<Value>& root() { return root_; }

    /// The value of an alias is unknown, so that no later message would be right.
    [[nodiscard]] bool has_aliases() const { return has_aliases_; }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (!root_) return;
        const Place place = place_of(mark, 1);
        const bool is_document =
            content_.substr(place.span.begin, 3) == "---" ||
            content_.substr(0, place.span.begin).find("\n...") != std::string_view::npos;
        stop(place,
             std::string(is_document ? "a second document begins here; a config is one document"
                                     : kUnfit));
    }

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        Value node;
        node.place = place_of(mark, plain_width(mark));
        put(std::move(node));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        complaints_.add(place_of(mark, 1), "aliases are not supported; write the value out");
        has_aliases_ = true;
        OnNull(mark, 0);
    }

    void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
        complaints_.add(place_of(mark, 1), fmt::format("anchors are not supported, found '&{}'",
                                                       printable_utf8(name)));
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  const std::string& value) override {
        Value node;
        node.kind = Value::Kind::Scalar;
        node.value = value;
        node.is_quoted = tag == "!";
        node.place = place_of(mark, node.is_quoted ? quoted_width(mark) : value.size());
        check_tag(node.place, node.is_quoted ? "" : tag);
        if (node.is_quoted && is_unclosed(mark)) stop(node.place, "this quote is never closed");
        // The system would cut a path, a word or a variable there, without a word about it.
        if (value.find('\0') != std::string::npos)
            complaints_.add(node.place, fmt::format("no value can have a zero byte, found '{}'",
                                                    printable_utf8(value)));
        put(std::move(node));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open(Value::Kind::List, mark, tag);
    }

    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        open(Value::Kind::Map, mark, tag);
    }

    void OnMapEnd() override { close(); }

private:
    struct Level {
        Value node;
        std::optional<Member> member;  // of a map: its name is known, its value comes next
        bool is_wrong = false;         // this member's name is: its value is dropped
    };

    [[nodiscard]] Place place_of(const YAML::Mark& mark, std::size_t width) const {
        const std::size_t begin =
            std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), content_.size());
        const std::size_t line_end = std::min(content_.find('\n', begin), content_.size());
        return {text_, {begin, std::min(begin + std::max<std::size_t>(width, 1), line_end)}};
    }

    [[nodiscard]] std::string_view rest_of_line(const YAML::Mark& mark) const {
        const std::size_t begin = place_of(mark, 1).span.begin;
        return content_.substr(begin, content_.find('\n', begin) - begin);
    }

    [[nodiscard]] std::size_t plain_width(const YAML::Mark& mark) const {
        return rest_of_line(mark).find_first_of(" \t\r,:]}#");
    }

    [[nodiscard]] std::size_t quoted_width(const YAML::Mark& mark) const {
        const std::string_view rest = rest_of_line(mark);
        if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return 1;
        for (std::size_t i = 1; i < rest.size(); ++i) {
            if (rest[0] == '"' && rest[i] == '\\')
                ++i;
            else if (rest[i] == rest[0])
                return i + 1;
        }
        return rest.size();
    }

    /// yaml-cpp takes the end of the text for a closing quote.
    [[nodiscard]] bool is_unclosed(const YAML::Mark& mark) const {
        const std::size_t begin = place_of(mark, 1).span.begin;
        const char quote = begin < content_.size() ? content_[begin] : '\0';
        if (quote != '"' && quote != '\'') return false;
        for (std::size_t i = begin + 1; i < content_.size(); ++i) {
            const bool is_doubled = quote == '\'' && content_.substr(i, 2) == "''";
            const bool is_escape = quote == '"' && content_[i] == '\\';
            if (content_[i] == quote && !is_doubled) return false;
            if (is_doubled || is_escape) ++i;
        }
        return true;
    }

    void check_tag(const Place& place, const std::string& tag) {
        if (!tag.empty() && tag != "?" && tag != "!")
            complaints_.add(place, "tags are not supported; quote the text instead");
    }

    void open(Value::Kind kind, const YAML::Mark& mark, const std::string& tag) {
        const Place place = place_of(mark, 1);
        check_tag(place, tag);
        count(place);
        if (levels_.size() >= kDeepest)
            stop(place, fmt::format("nested deeper than {} levels", kDeepest));
        Level level;
        level.node.kind = kind;
        level.node.place = place;
        levels_.push_back(std::move(level));
    }

    void close() {
        Value node = std::move(levels_.back().node);
        levels_.pop_back();
        place_in_parent(std::move(node));
    }

    void put(Value node) {
        count(node.place);
        place_in_parent(std::move(node));
    }

    void place_in_parent(Value node) {
        if (levels_.empty()) {
            root_ = std::move(node);
            return;
        }
        Level& level = levels_.back();
        if (level.node.kind == Value::Kind::List) {
            level.node.items.push_back(std::move(node));
        } else if (!level.member) {
            level.member = member_named(node);
            level.is_wrong = !is_name(node);
        } else {
            add_member(level, std::move(node));
        }
    }

    [[nodiscard]] static bool is_name(const Value& key) {
        return key.kind == Value::Kind::Scalar && (key.value != "<<" || key.is_quoted);
    }

    Member member_named(const Value& key) {
        if (key.kind != Value::Kind::Scalar)
            complaints_.add(key.place,
                            fmt::format("a key must be a word, found {}", described(key)));
        else if (!is_name(key))
            complaints_.add(key.place,
                            "merge keys are not supported; 'each' gives keys to every program");
        return {key.value, key.place, {}};
    }

    void add_member(Level& level, Value value) {
        Member member = std::move(*level.member);
        level.member.reset();
        if (level.is_wrong) return;
        member.value = std::move(value);
        const auto same =
            std::find_if(level.node.members.begin(), level.node.members.end(),
                         [&](const Member& other) { return other.name == member.name; });
        if (same == level.node.members.end()) {
            level.node.members.push_back(std::move(member));
            return;
        }
        const std::string_view before = content_.substr(0, same->place.span.begin);
        complaints_.add(member.place,
                        fmt::format("'{}' is written twice; the first is in line {}",
                                    printable_utf8(member.name),
                                    std::count(before.begin(), before.end(), '\n') + 1));
    }

    void count(const Place& place) {
        if (++nodes_ > kMostNodes)
            stop(place, fmt::format("more than {} values in one file", kMostNodes));
    }

    void stop(const Place& place, std::string message) {
        complaints_.add(place, std::move(message));
        complaints_.throw_if_any();
    }

    std::size_t text_;
    std::string_view content_;
    Complaints& complaints_;
    std::vector<Level> levels_;
    std::optional<Value> root_;
    std::size_t nodes_ = 0;
    bool has_aliases_ = false;
};

struct Plain {
    std::string_view theirs;
    std::string_view ours;
};

/// Messages that say what to do, for the mistakes that users make most.
std::string in_plain_words(const std::string& message) {
    namespace theirs = YAML::ErrorMsg;
    const std::array<Plain, 8> words{{
        {theirs::END_OF_MAP, kUnfit},
        {theirs::END_OF_SEQ, "expected '- ' as in the list above, or less indentation"},
        {theirs::END_OF_MAP_FLOW, "expected ',' or '}' in the map"},
        {theirs::END_OF_SEQ_FLOW, "expected ',' or ']' in the list"},
        {theirs::MAP_VALUE, "a second ': ' in one line; quote the text or start a new line"},
        {theirs::BLOCK_ENTRY, "'- ' does not begin a list here"},
        {theirs::FLOW_END, "a closing bracket without an opening one"},
        {theirs::UNKNOWN_ANCHOR, "aliases are not supported; write the value out"},
    }};
    for (const Plain& plain : words)
        if (message == plain.theirs) return std::string(plain.ours);
    return "not readable as YAML: " + message;
}

}  // namespace

Value read_yaml(const Texts& texts, std::size_t text, Complaints& complaints, std::size_t skip) {
    const std::string& whole = texts.at(text).content;
    const std::string content = std::string(skip, ' ') + whole.substr(skip);
    ByteCheck(text, content, complaints).run();

    TreeMaker maker(text, content, complaints);
    try {
        std::istringstream stream(content);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(maker)) {}
    } catch (const YAML::Exception& error) {
        const std::size_t at =
            error.mark.is_null() ? content.size() : static_cast<std::size_t>(error.mark.pos);
        complaints.add({text, {at, at}}, in_plain_words(error.msg));
        complaints.throw_if_any();
    }
    if (maker.has_aliases()) complaints.throw_if_any();
    if (maker.root()) return std::move(*maker.root());
    Value empty;
    empty.kind = Value::Kind::Map;
    empty.place = {text, {0, 0}};
    return empty;
}

void check_bytes(const Texts& texts, std::size_t text, Complaints& complaints) {
    ByteCheck(text, texts.at(text).content, complaints).run();
}

}  // namespace assay::configs
