#pragma once
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rules/multigame/compile/environment.h"
#include "rules/multigame/compile/set_walk.h"
#include "rules/multigame/compile/shape.h"
#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// Writes the derivations of a form as C functions.
class Derivation {
public:
    /// REQUIRES: the form outlives this.
    explicit Derivation(const Form& form) : form_(form), shape_(form), sets_(form, shape_) {}

    /// The name of a function that calls `out` for each output of a rule.
    [[nodiscard]] std::string list(int rule, int mover);
    /// The name of a function that answers whether a rule succeeds without a finger.
    [[nodiscard]] std::string question(int rule, int own);
    /// The name of a function that answers whether a rule has an output that changes something or
    /// passes: it stops at the first. Empty where the program is too large for a second set of
    /// functions. REQUIRES: functions() has written those of list().
    [[nodiscard]] std::string move_question(int rule, int mover);

    /// All functions that were asked for since the last call, each declared before all. Throws
    /// Error where the program is too large.
    [[nodiscard]] std::string functions();

    /// Tables that the functions use.
    [[nodiscard]] const std::string& tables() const { return tables_; }

private:
    struct Wanted {
        std::string name;
        Environment at;
        Next body;
    };

    using Body = std::function<void(CText&, const Environment&)>;

    [[nodiscard]] Next next(int weight, Body write);
    /// What a test of a rule writes.
    [[nodiscard]] Next question_body(int rule, int own);
    /// What ends a test.
    [[nodiscard]] Next success();
    /// The same continuation, written as a function unless it is short.
    [[nodiscard]] Next shared(const Next& after);
    [[nodiscard]] Environment entry(const Environment& caller) const;
    [[nodiscard]] std::string function_of(const Next& body, const Environment& caller,
                                          const char* prefix);
    void write_call(CText& code, const Environment& at, const std::string& call);
    void write_function(const Wanted& wanted, std::string& declarations, std::string& bodies);

    void write(int statement, CText& code, const Environment& at, const Next& after);
    void write_next(CText& code, const Environment& at, const Next& after);
    void rest_of(const Statement& s, int n, CText& code, const Environment& at, const Next& after);
    [[nodiscard]] Next rest_after(const Statement& s, int n, const Next& after);
    void sequence(const Statement& s, int n, CText& code, const Environment& at, const Next& after);
    void if_true(const std::string& condition, CText& code, const Environment& at,
                 const Next& after);

    // control.cpp
    void attempt(const Statement& s, CText& code, const Environment& at, const Next& after);
    void question(const Statement& s, CText& code, const Environment& at, const Next& after);
    void as_enemy(const Statement& s, CText& code, const Environment& at, const Next& after);
    void repeat(const Statement& s, CText& code, const Environment& at, const Next& after);
    void unroll(const Statement& s, int left, CText& code, const Environment& at,
                const Next& after);
    void loop(const Statement& s, CText& code, const Environment& at, const Next& after);
    void recursive_repeat(const Statement& s, CText& code, const Environment& at,
                          const Next& after);
    void call(const Statement& s, CText& code, const Environment& at, const Next& after);
    void spread(const Statement& s, CText& code, const Environment& at, const Next& after);
    void most(const Statement& s, CText& code, const Environment& at, const Next& after);
    void random(const Statement& s, CText& code, const Environment& at, const Next& after);
    [[nodiscard]] std::string frame(CText& code, Environment& at);

    // operations.cpp
    void operation(const Statement& s, CText& code, const Environment& at, const Next& after);
    void count_round(CText& code, const Environment& at);
    /// `filter`: the C of a set of fields that alone are found; empty: all.
    void find(const Statement& s, CText& code, const Environment& at, const Next& after,
              const std::string& filter = "");
    void change_field(const Statement& s, CText& code, const Environment& at, const Next& after);
    void set_slot(CText& code, const Environment& at, int slot, const std::string& value,
                  bool may_overflow, const Next& after);
    void directions(const Statement& s, CText& code, const Environment& at, const Next& after);
    void step(CText& code, const Environment& at, const Next& after);
    void record(CText& code, const Environment& at, const std::string& event, const Next& after);
    void verdict(const Statement& s, CText& code, const Environment& at, const Next& after);
    void variable(const Statement& s, CText& code, const Environment& at, const Next& after);
    void undoing(CText& code, const Environment& at, const std::string& undo, const Next& after);
    /// The C of a statement that only asks; empty: it does more.
    [[nodiscard]] std::string condition(const Statement& s, const Environment& at);

    // static_walk.cpp
    bool first_of(const Statement& s, std::vector<const Statement*>& found) const;
    using Walk = std::vector<const Statement*>;
    /// Walks, and the contents that are looked for behind them.
    using Sought = std::vector<std::pair<Walk, std::set<Content>>>;
    [[nodiscard]] std::string reach_table(const Walk& walk, bool by_direction,
                                          const Environment& at);
    [[nodiscard]] std::string reached_fields(const Walk& walk, const Environment& at);
    [[nodiscard]] std::string hold_one(const std::string& fields,
                                       const std::set<Content>& contents) const;
    [[nodiscard]] std::string look_at_once(const Statement& s, int from, const Environment& at,
                                           const Next& after);
    [[nodiscard]] std::string set_function(const std::vector<const Statement*>& statements,
                                           int most_steps, const Environment& at);
    [[nodiscard]] int steps_worth(const Statement& find, int own) const;
    bool find_at_once(const Statement& s, int from, CText& code, const Environment& at,
                      const Next& after);
    [[nodiscard]] std::string asked_before(const Statement& asked, const Environment& at);
    [[nodiscard]] std::string must_reach(const Statement& s, int from, const Environment& at);
    [[nodiscard]] bool surely_ends(const Statement& s) const;
    [[nodiscard]] bool takes_long(const Statement& s) const;
    bool add_sought(const Statement& s, Walk walk, const Environment& at, Sought& sought) const;
    [[nodiscard]] std::string must_stand(const Statement& s, int from, const Environment& at,
                                         const Next& after);

    // expressions.cpp
    [[nodiscard]] std::string expression(int index, int own);
    [[nodiscard]] std::string count(const Expression& e, int own);
    [[nodiscard]] std::string is_content(const Pattern& pattern, int own, const std::string& x);
    [[nodiscard]] std::string in_zone(int zone, int side, const std::string& f);
    [[nodiscard]] std::string word_of(const Pattern& pattern, int own, int word,
                                      const std::string& i) const;
    [[nodiscard]] std::string zone_words(int zone, int side, std::vector<std::uint64_t>& words);
    [[nodiscard]] std::string slot_of(int variable, Owner owner, int own, bool writes) const;

    [[nodiscard]] std::string fresh(const char* letter) {
        return letter + std::to_string(++names_);
    }

    [[nodiscard]] const Statement& at_index(int statement) const {
        return form_.statements[static_cast<std::size_t>(statement)];
    }

    [[nodiscard]] int child_index(const Statement& s, int n) const {
        return form_.children[static_cast<std::size_t>(s.first + n)];
    }

    const Form& form_;
    Shape shape_;
    SetWalk sets_;
    std::string tables_;
    std::map<std::string, std::string> known_tables_;
    std::map<std::string, std::string> functions_;  // by what they are
    std::map<std::pair<int, int>, Next> rules_;     // of calls at run time, by rule and own
    std::map<std::tuple<int, int>, Next> questions_;
    std::vector<std::shared_ptr<Next>> rounds_;  // of repeats, which call themselves
    std::deque<Wanted> wanted_;
    int names_ = 0;
    int continuations_ = 0;
    int written_ = 0;
};

}  // namespace assay::rules::multigame
