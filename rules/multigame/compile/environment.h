#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace assay::rules::multigame {

/// What is known while the file is read, at one place of the C that is written.
enum class Known : std::uint8_t { No, Yes, Maybe };

/// What a derivation that succeeds does.
enum class Mode : std::uint8_t {
    List,  // it is an output: names and changes are recorded, and the search goes on
    Test,  // it answers a question: the search stops
    Walk,  // it is looked at, and the search goes on: spread, and the first run of most
};

/// Where a test that has succeeded goes on: `flag` is set, then `label` is next.
struct Exit {
    std::string flag;
    std::string label;
    bool is_used = false;
};

/// A loop over the fields of a `find`, in the function that is being written.
struct FieldLoop {
    std::string field;                        // the name of the loop's variable
    int most_steps = 0;                       // of sets that are worth it
    std::string before;                       // C that is to stand before the loop
    std::map<std::string, std::string> sets;  // by the function that gives them: their names
};

/// The names and facts that hold at one place of the C.
struct Environment {
    int own = 0;
    int mover = 0;
    Mode mode = Mode::List;
    bool counts = false;  // a test for a move, which counts changes and passes in m->real
    Known finger = Known::No;
    std::string f = "-1";
    std::string d = "0";
    int direction = 0;  // where it is constant, else kNone
    Known hand = Known::No;
    std::string h = "0";
    std::vector<std::string> frames;  // expressions of the frames, the innermost last
    int closure = -1;                 // the frame of the innermost call that is made at run time
    std::shared_ptr<Exit> exit;       // of the innermost test
    /// The innermost loop, where the board differs from that before it on the loop's field alone.
    std::shared_ptr<FieldLoop> loop;
    int depth = 1;    // of braces
    int choices = 0;  // two to the power of it: how often one listing may come here, about
};

struct CText;

/// What follows a statement: code for each position that the statement leaves.
struct Continuation {
    int id = 0;
    int weight = 0;
    std::function<void(CText&, const Environment&)> write;
    bool is_success = false;  // the end of a test, whatever the finger is
};

using Next = std::shared_ptr<const Continuation>;

/// The text of a function that is being written.
struct CText {
    std::string text;

    void line(const Environment& at, const std::string& words) {
        text.append(static_cast<std::size_t>(at.depth) * 2, ' ');
        text += words;
        text += '\n';
    }
};

}  // namespace assay::rules::multigame
