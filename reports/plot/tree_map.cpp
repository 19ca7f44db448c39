// Squarified treemap (Bruls, Huizing and van Wijk 2000): children are laid in rows along the
// shorter side, and a row is closed when one more child would make its rectangles longer than they
// are wide.
//
// Which nodes are shown is decided before the layout: the largest subtree that has no boxes for its
// children yet is opened, again and again, until the number of boxes is used up. So a tree of 10^8
// nodes gives a picture of the places where the nodes are, at the cost of the boxes, while a cut at
// a depth would show all of the first levels and nothing below them. A node whose children do not
// all fit is left closed, because a box with some of its children would mislead about the rest.
//
// The tree is read once into four columns, 20 bytes a node.
#include "reports/plot/tree_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "reports/view/escape.h"

namespace assay::reports {

namespace {

using gtql::ColumnId;
using gtql::TreeSource;

constexpr double kMargin = 16;
constexpr double kHead = 64;        // the title's and the legend's height
constexpr double kCharacter = 6.2;  // width of one, in the labels' size of 11

struct Rectangle {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

struct Box {
    std::uint64_t node = 0;  // preorder index
    std::size_t parent = 0;  // index of its box
    Rectangle area;
    bool is_open = false;  // its children have boxes
    std::vector<std::size_t> children;
};

/// The tree's columns that a map needs, for all nodes.
struct MapTree {
    std::vector<std::uint32_t> level;
    std::vector<std::uint32_t> size;  // of the subtree with the node
    std::vector<std::int32_t> move;   // -1: there are no moves
    std::vector<std::int64_t> colour;
};

ColumnId colour_column(const TreeSource& tree, std::string& name) {
    if (name.empty()) name = tree.schema().attribute("type") >= 0 ? "type" : "level";
    const ColumnId id = tree.schema().attribute(name);
    if (id >= 0) return id;
    if (name == "level") return gtql::kLevelColumn;
    std::vector<std::string_view> names = {"level"};
    for (const auto& each : tree.schema().attributes) names.emplace_back(each.name);
    throw Error(tree.info().name + ": there is no attribute '" + name + "'" +
                did_you_mean(name, names));
}

MapTree load(const TreeSource& tree, ColumnId colour) {
    MapTree map;
    std::vector<ColumnId> wanted = {gtql::kLevelColumn, colour};
    const auto& attributes = tree.schema().attributes;
    for (std::size_t i = 0; i < attributes.size() && wanted.size() == 2; ++i) {
        if (attributes[i].is_move) wanted.push_back(static_cast<int>(i));
    }
    const auto reader = tree.read(wanted);
    gtql::TreeBlock block;
    while (reader->next(block)) {
        for (std::size_t i = 0; i < block.size; ++i) {
            map.level.push_back(static_cast<std::uint32_t>(block.columns[0].at(i)));
            map.colour.push_back(block.columns[1].at(i));
            map.move.push_back(wanted.size() > 2 ? static_cast<std::int32_t>(block.columns[2].at(i))
                                                 : -1);
        }
    }
    // A node's subtree ends where the next node of its level or above begins.
    map.size.resize(map.level.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i <= map.level.size(); ++i) {
        const std::size_t level = i < map.level.size() ? map.level[i] : 0;
        while (open.size() > level || (i == map.level.size() && !open.empty())) {
            map.size[open.back()] = static_cast<std::uint32_t>(i - open.back());
            open.pop_back();
        }
        open.push_back(i);
    }
    return map;
}

/// The boxes of the largest subtrees, outermost first.
std::vector<Box> choose(const MapTree& map, std::uint64_t root, std::size_t most) {
    std::vector<Box> boxes;
    boxes.push_back({root, 0, {}, false, {}});
    std::priority_queue<std::pair<std::uint32_t, std::size_t>> largest;
    largest.emplace(map.size[root], 0);
    while (!largest.empty()) {
        const std::size_t at = largest.top().second;
        largest.pop();
        const std::uint64_t node = boxes[at].node;
        std::vector<std::uint64_t> children;
        const std::uint64_t end = node + map.size[node];
        for (std::uint64_t child = node + 1; child < end; child += map.size[child])
            children.push_back(child);
        if (children.empty() || boxes.size() + children.size() > most) continue;
        boxes[at].is_open = true;
        for (const std::uint64_t child : children) {
            boxes[at].children.push_back(boxes.size());
            largest.emplace(map.size[child], boxes.size());
            boxes.push_back({child, at, {}, false, {}});
        }
    }
    return boxes;
}

/// Longest side over shortest of the worst rectangle in a row of these areas.
double worst(double sum, double least, double most, double side) {
    const double square = sum * sum;
    return std::max(side * side * most / square, square / (side * side * least));
}

/// Lays the areas, largest first, into the rectangle.
void squarify(const std::vector<double>& areas, Rectangle free, std::vector<Rectangle>& out) {
    std::size_t begin = 0;
    while (begin < areas.size()) {
        const double side = std::max(1e-9, std::min(free.width, free.height));
        double sum = areas[begin];
        std::size_t end = begin + 1;
        while (end < areas.size() && worst(sum + areas[end], areas[end], areas[begin], side) <=
                                         worst(sum, areas[end - 1], areas[begin], side)) {
            sum += areas[end++];
        }
        const bool is_upright = free.width >= free.height;
        const double thick = sum / side;
        double along = is_upright ? free.y : free.x;
        for (std::size_t i = begin; i < end; ++i) {
            const double length = areas[i] / thick;
            out.push_back(is_upright ? Rectangle{free.x, along, thick, length}
                                     : Rectangle{along, free.y, length, thick});
            along += length;
        }
        if (is_upright) {
            free.x += thick;
            free.width -= thick;
        } else {
            free.y += thick;
            free.height -= thick;
        }
        begin = end;
    }
}

void lay_out(const MapTree& map, std::vector<Box>& boxes) {
    for (Box& box : boxes) {
        if (!box.is_open) continue;
        Rectangle inner = box.area;
        const bool has_title = inner.width > 34 && inner.height > 34;
        const double edge = inner.width > 12 && inner.height > 12 ? 1.5 : 0.25;
        inner.x += edge;
        inner.y += has_title ? 14 : edge;
        inner.width = std::max(0.0, inner.width - 2 * edge);
        inner.height = std::max(0.0, inner.height - (has_title ? 14 : edge) - edge);
        std::vector<std::size_t> order = box.children;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return map.size[boxes[a].node] > map.size[boxes[b].node];
        });
        const double scale = inner.width * inner.height / (map.size[box.node] - 1.0);
        std::vector<double> areas;
        for (const std::size_t each : order)
            areas.push_back(std::max(1e-12, scale * map.size[boxes[each].node]));
        std::vector<Rectangle> rectangles;
        squarify(areas, inner, rectangles);
        for (std::size_t i = 0; i < order.size(); ++i) boxes[order[i]].area = rectangles[i];
    }
}

struct Rgb {
    int red = 0;
    int green = 0;
    int blue = 0;
};

/// Eight colours that differ for every kind of colour blindness (Okabe and Ito 2008).
constexpr std::array<Rgb, 8> kKinds = {{{0, 114, 178},
                                        {230, 159, 0},
                                        {0, 158, 115},
                                        {204, 121, 167},
                                        {86, 180, 233},
                                        {213, 94, 0},
                                        {240, 228, 66},
                                        {150, 150, 150}}};

/// Values as colours: one each where they are few, a scale where they are many.
class Palette {
public:
    Palette(const TreeSource& tree, const MapTree& map, const std::vector<Box>& boxes) {
        for (const Box& box : boxes) values_.push_back(map.colour[box.node]);
        std::sort(values_.begin(), values_.end());
        least_ = values_.front();
        most_ = values_.back();
        // The 2 % at either end take the colours of the ends: one extreme value would leave all
        // others in one colour.
        low_ = values_[values_.size() / 50];
        high_ = values_[values_.size() - 1 - values_.size() / 50];
        values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
        is_scale_ = values_.size() > kKinds.size();
        for (const std::int64_t value : values_) names_.push_back(name_of(tree, value));
        const bool is_named = std::none_of(names_.begin(), names_.end(),
                                           [](const std::string& each) { return each.empty(); });
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const std::string number = std::to_string(values_[i]);
            names_[i] = is_named ? number + " " + names_[i] : number;
        }
    }

    [[nodiscard]] Rgb of(std::int64_t value) const {
        if (!is_scale_) {
            const auto place = std::lower_bound(values_.begin(), values_.end(), value);
            return kKinds[static_cast<std::size_t>(place - values_.begin())];
        }
        const double range = std::max(1.0, static_cast<double>(high_) - static_cast<double>(low_));
        const double part =
            std::clamp((static_cast<double>(value) - static_cast<double>(low_)) / range, 0.0, 1.0);
        // From a pale yellow over green to a deep blue, each step darker than the one before.
        constexpr std::array<Rgb, 4> stops = {
            {{253, 240, 180}, {120, 198, 121}, {34, 132, 150}, {20, 40, 110}}};
        const double place = part * (stops.size() - 1);
        const auto at = std::min<std::size_t>(static_cast<std::size_t>(place), stops.size() - 2);
        const double rest = place - static_cast<double>(at);
        const auto mix = [rest](int a, int b) { return static_cast<int>(a + rest * (b - a)); };
        return {mix(stops[at].red, stops[at + 1].red), mix(stops[at].green, stops[at + 1].green),
                mix(stops[at].blue, stops[at + 1].blue)};
    }

    /// Value and name of each entry of the legend.
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> legend() const {
        std::vector<std::pair<std::int64_t, std::string>> entries;
        if (!is_scale_) {
            for (std::size_t i = 0; i < values_.size(); ++i)
                entries.emplace_back(values_[i], names_[i]);
            return entries;
        }
        entries.emplace_back(
            low_, low_ > least_ ? fmt::format("{} or less", low_) : std::to_string(low_));
        for (const double part : {0.33, 0.67}) {
            const auto range = static_cast<double>(high_) - static_cast<double>(low_);
            const auto value = low_ + static_cast<std::int64_t>(part * range);
            entries.emplace_back(value, std::to_string(value));
        }
        entries.emplace_back(
            high_, high_ < most_ ? fmt::format("{} or more", high_) : std::to_string(high_));
        return entries;
    }

private:
    /// The first constant of that value: logs declare types before flags.
    static std::string name_of(const TreeSource& tree, std::int64_t value) {
        for (const auto& each : tree.schema().constants) {
            if (each.value == value) return each.name;
        }
        return "";
    }

    std::vector<std::int64_t> values_;
    std::vector<std::string> names_;
    std::int64_t least_ = 0;
    std::int64_t most_ = 0;
    std::int64_t low_ = 0;
    std::int64_t high_ = 0;
    bool is_scale_ = false;
};

std::string hex(const Rgb& colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

/// Dark text on light colours and the other way round.
const char* ink_on(const Rgb& colour) {
    const double light = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
    return light > 140 ? "#111" : "#fff";
}

std::string thousands(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

class Drawing {
public:
    Drawing(const TreeSource& tree, const TreeMapOptions& options)
        : tree_(tree), options_(options), name_(options.colour) {
        const ColumnId colour = colour_column(tree, name_);
        map_ = load(tree, colour);
        if (options.node == 0 || options.node > map_.level.size()) {
            throw Error(tree.info().name + ": there is no node " + std::to_string(options.node) +
                        "; the tree has " + std::to_string(map_.level.size()));
        }
        boxes_ = choose(map_, options.node - 1, std::max<std::size_t>(1, options.rectangles));
        boxes_[0].area = {kMargin, kHead, options.width - 2 * kMargin,
                          options.height - kHead - kMargin};
        lay_out(map_, boxes_);
    }

    std::string svg() const {
        const Palette palette(tree_, map_, boxes_);
        std::string text = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
            "height=\"{1}\" role=\"img\" aria-label=\"{2}\" font-family=\"system-ui, sans-serif\" "
            "font-size=\"11\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
            options_.width, options_.height, xml(title()));
        text += fmt::format("<text x=\"{}\" y=\"26\" font-size=\"16\" fill=\"#111\">{}</text>\n",
                            kMargin, xml(title()));
        text += legend(palette);
        for (std::size_t i = 0; i < boxes_.size(); ++i) draw(i, palette, text);
        return text + "</svg>\n";
    }

    [[nodiscard]] std::string title() const {
        const std::uint64_t root = options_.node - 1;
        std::string text = tree_.info().name;
        if (root > 0) text += ", below " + path_to(root);
        return text + ": " + thousands(map_.size[root]) + " nodes, coloured by " + name_;
    }

    [[nodiscard]] const std::string& position() const { return tree_.info().position; }

private:
    [[nodiscard]] std::string move_of(std::uint64_t node) const {
        const std::int32_t code = map_.move[node];
        return code < 0 ? std::string("node ") + std::to_string(node + 1)
                        : tree_.moves()[static_cast<std::size_t>(code)];
    }

    /// The moves from the root to a node; the ancestors are the last nodes of lower levels before.
    [[nodiscard]] std::string path_to(std::uint64_t node) const {
        std::vector<std::uint64_t> path = {node};
        std::uint32_t level = map_.level[node];
        for (std::uint64_t at = node; level > 0; --at) {
            if (map_.level[at] >= level) continue;
            path.push_back(at);
            level = map_.level[at];
        }
        std::reverse(path.begin(), path.end());
        std::string text;
        for (const std::uint64_t each : path) {
            if (each != 0) text += (text.empty() ? "" : " ") + move_of(each);
        }
        return text.empty() ? "root" : text;
    }

    std::string legend(const Palette& palette) const {
        std::string text;
        double x = kMargin;
        for (const auto& [value, name] : palette.legend()) {
            text += fmt::format(
                "<rect x=\"{:.0f}\" y=\"38\" width=\"12\" height=\"12\" fill=\"{}\" "
                "stroke=\"#333\" stroke-width=\"0.5\"/><text x=\"{:.0f}\" y=\"48\" "
                "fill=\"#111\">{}</text>\n",
                x, hex(palette.of(value)), x + 17, xml(name));
            x += 40 + kCharacter * static_cast<double>(name.size());
        }
        text += fmt::format(
            "<text x=\"{:.0f}\" y=\"48\" fill=\"#555\">{} rectangles of at most {}"
            "</text>\n",
            x, boxes_.size(), options_.rectangles);
        return text;
    }

    /// Paths of boxes, from the parent's, so that a map of deep trees stays cheap.
    [[nodiscard]] std::string path_of(std::size_t index) const {
        std::vector<std::string> moves;
        for (std::size_t at = index; at != 0 && moves.size() < 40; at = boxes_[at].parent)
            moves.push_back(move_of(boxes_[at].node));
        std::string text = options_.node > 1 ? path_to(options_.node - 1) : "root";
        if (moves.size() == 40) text += " ...";
        for (auto each = moves.rbegin(); each != moves.rend(); ++each) text += " " + *each;
        return text;
    }

    void draw(std::size_t index, const Palette& palette, std::string& text) const {
        const Box& box = boxes_[index];
        const Rectangle& area = box.area;
        if (area.width < 0.3 || area.height < 0.3) return;
        const Rgb colour = palette.of(map_.colour[box.node]);
        const bool is_framed = area.width > 4 && area.height > 4;
        text += fmt::format(
            "<g><title>{}\nnode {}: {} nodes, {} {}{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" "
            "width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"{}/>",
            xml(path_of(index)), box.node + 1, thousands(map_.size[box.node]), xml(name_),
            map_.colour[box.node], !box.is_open && map_.size[box.node] > 1 ? ", not opened" : "",
            area.x, area.y, area.width, area.height, hex(colour),
            is_framed ? " stroke=\"#222\" stroke-width=\"0.5\"" : "");
        label(box, colour, text);
        text += "</g>\n";
    }

    void label(const Box& box, const Rgb& colour, std::string& text) const {
        const Rectangle& area = box.area;
        if (area.width < 30 || area.height < 13) return;
        std::string words =
            box.node == options_.node - 1 && options_.node == 1 ? "root" : move_of(box.node);
        const std::string longer = words + "  " + thousands(map_.size[box.node]);
        const auto fits = [&area](const std::string& each) {
            return kCharacter * static_cast<double>(each.size()) + 6 <= area.width;
        };
        if (map_.size[box.node] > 1 && fits(longer)) words = longer;
        if (!fits(words)) return;
        text += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" "
            "pointer-events=\"none\">{}</text>",
            area.x + 3, area.y + 11, ink_on(colour), xml(words));
    }

    const TreeSource& tree_;
    const TreeMapOptions& options_;
    std::string name_;  // of the attribute
    MapTree map_;
    std::vector<Box> boxes_;
};

}  // namespace

std::string tree_map_svg(const TreeSource& tree, const TreeMapOptions& options) {
    return Drawing(tree, options).svg();
}

std::string tree_map_html(const TreeSource& tree, const TreeMapOptions& options) {
    const Drawing drawing(tree, options);
    std::string text =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
        xml(drawing.title()) +
        "</title>\n<style>:root{color-scheme:light dark}body{margin:0;font-family:system-ui,"
        "sans-serif;background:#fff;color:#111}.map{overflow-x:auto}svg{display:block;width:100%;"
        "min-width:760px;height:auto}svg>text{fill:currentColor}svg g:hover>rect{stroke:#000;"
        "stroke-width:2}p{margin:0 16px 16px;font-size:14px;overflow-wrap:anywhere}"
        "@media (prefers-color-scheme:dark){body{background:#16181b;color:#e6e6e6}"
        "svg g:hover>rect{stroke:#fff}}</style>\n</head>\n<body>\n<div class=\"map\">";
    text += drawing.svg() + "</div>\n";
    if (!drawing.position().empty()) text += "<p>Root: " + xml(drawing.position()) + "</p>\n";
    return text +
           "<p>A rectangle is a node, as large as its subtree; what lies in it are its "
           "children. Hold the pointer over one for its moves.</p>\n</body>\n</html>\n";
}

}  // namespace assay::reports
