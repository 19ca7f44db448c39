// Steps before the first search: the handshake, what it declared, and commands that every program
// must survive.
#include <algorithm>
#include <string>

#include "adapters/check/compliance_lines.h"
#include "adapters/check/compliance_steps.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

using std::chrono::seconds;

// Advice where the answer to "uci" looks like that of a program with another protocol.
std::string hint_of(const Checkup& c) {
    const std::vector<std::string>& argv = c.spec().argv;
    const std::string file = argv.empty() ? "" : argv.front().substr(argv.front().rfind('/') + 1);
    const bool has_flag = std::find(argv.begin(), argv.end(), "--uci") != argv.end();
    if (file.starts_with("gnuchess") && !has_flag) return "; gnuchess wants --uci";
    for (const std::string& line : c.handshake()) {
        const std::string text = lower(line);
        const bool is_cecp = text.starts_with("feature ") ||
                             text.find("illegal move") != std::string::npos ||
                             text.starts_with("error (");
        if (is_cecp) return "; it seems to speak CECP (xboard), or needs a flag for UCI";
    }
    return {};
}

void handshake(Checkup& c, const CheckStep& /*step*/) {
    c.say("start", StepState::Ok, "started");
    const TimePoint since = c.now();
    const std::string why = c.shake_hands();
    const Micros took = micros_between(since, c.now());
    if (!why.empty()) {
        c.say("handshake", StepState::Fail, "expected uciok; " + why + hint_of(c));
        c.drop();
        c.give_up("there was no handshake");
        return;
    }
    if (took > seconds(2)) {
        c.say("handshake", StepState::Warning,
              "uciok came only after " + time_text(took) + "; a match waits for it at every start");
    } else {
        c.say("handshake", StepState::Ok, "uciok after " + time_text(took));
    }
}

void identity(Checkup& c, const CheckStep& /*step*/) {
    Identity& identity = c.report().identity;
    for (const std::string& line : c.handshake()) {
        std::string_view rest = line;
        if (take_word(rest) != "id") continue;
        const std::string_view what = take_word(rest);
        if (what == "name") identity.name = printable_utf8(trim(rest));
        if (what == "author") identity.author = printable_utf8(trim(rest));
    }
    for (const UciOption& option : c.options()) identity.option_names.push_back(option.name);
    if (identity.name.empty() || identity.author.empty()) {
        c.say("identity", StepState::Warning,
              std::string("expected 'id name' and 'id author'; there is no ") +
                  (identity.name.empty() ? "id name" : "id author"));
    } else {
        c.say("identity", StepState::Ok, identity.name + " by " + identity.author);
    }
}

void options(Checkup& c, const CheckStep& /*step*/) {
    std::string bad_line;
    for (const std::string& line : c.handshake()) {
        std::string_view rest = line;
        if (take_word(rest) != "option" || !bad_line.empty()) continue;
        bad_line = option_line_complaint(line);
    }
    c.judge("options", counted(c.options().size(), "option") + ", all well-formed", bad_line);

    std::string twice;
    for (const std::string& name : duplicate_names(c.options())) {
        twice += (twice.empty() ? "declared twice: " : ", ") + name;
    }
    c.judge("option-names", "each name once", twice);

    std::string bad_default;
    for (const UciOption& option : c.options()) {
        if (bad_default.empty()) bad_default = default_complaint(option);
    }
    c.judge("option-defaults", "all defaults are values of their options",
            bad_default.empty() ? "" : "a default that its option does not allow: " + bad_default);

    std::string spoils;
    for (const std::string& complaint : match_default_complaints(c.options())) {
        spoils += (spoils.empty() ? "" : "; ") + complaint;
    }
    if (spoils.empty()) {
        c.say("match-defaults", StepState::Ok, "no default that spoils a match");
    } else {
        c.say("match-defaults", StepState::Warning, spoils);
    }
}

void ready(Checkup& c, const CheckStep& /*step*/) {
    const TimePoint since = c.now();
    const std::string why = c.ping({}, c.limits().handshake);
    c.judge("isready", "readyok after " + time_text(micros_between(since, c.now())),
            why.empty() ? "" : "expected readyok; " + why);
    if (!why.empty()) {
        c.drop();
        c.give_up("it never became ready");
        return;
    }
    c.talk().mark_memory();
}

// Sends lines that must not change the program's state; a bestmove in answer to them is a fault.
void survives(Checkup& c, std::string_view name, std::string_view lines, std::string good) {
    const int before = c.notes().surplus_answers;
    const std::string why = c.ping(lines);
    std::string bad = why.empty() ? "" : "expected it to go on; " + why;
    if (c.notes().surplus_answers > before) {
        c.notes().surplus_answers = before;
        bad = "expected nothing; it said a bestmove";
    }
    c.judge(name, std::move(good), std::move(bad));
    if (!why.empty()) c.drop();
}

void one_uciok(Checkup& c, const CheckStep& /*step*/) {
    const std::string why = c.ping();
    std::string bad;
    if (c.more_uciok() > 0) {
        bad = "expected one uciok; it said " + std::to_string(c.more_uciok() + 1);
    }
    if (!c.first_late_option().empty()) {
        bad += (bad.empty() ? "" : ", and ") +
               std::string("expected uciok after all options; option ") +
               printable_utf8(c.first_late_option()) + " came after it";
    }
    if (!why.empty()) {
        bad = "expected readyok; " + why;
        c.drop();
    }
    c.judge("uciok-once", "uciok came once, after all options", bad);
}

void chosen_options(Checkup& c, const CheckStep& /*step*/) {
    std::string lines;
    std::string unknown;
    for (const auto& [name, value] : c.spec().options) {
        const UciOption* const option = c.option(name);
        lines += setoption_line(option, name, value);
        const std::string complaint =
            option == nullptr ? "there is no option " + name : option_complaint(*option, value);
        if (unknown.empty()) unknown = complaint;
    }
    if (c.spec().game == "chess960") {
        lines += setoption_line(c.option("UCI_Chess960"), "UCI_Chess960", "true");
        if (c.option("UCI_Chess960") == nullptr) unknown = "it does not offer UCI_Chess960";
    }
    if (lines.empty()) {
        c.say("chosen-options", StepState::Skipped, "none were given");
        return;
    }
    const std::string why = c.ping(lines, c.limits().handshake);
    if (!why.empty()) c.drop();
    if (why.empty() && unknown.empty()) {
        c.say("chosen-options", StepState::Ok, "set as given");
    } else {
        c.say("chosen-options", StepState::Fail, why.empty() ? unknown : why);
    }
}

void set_spin(Checkup& c, std::string_view name, std::string_view option_name,
              std::int64_t wanted) {
    const UciOption* const option = c.option(option_name);
    if (option == nullptr || option->type != UciOption::Type::Spin) {
        c.say(name, StepState::Skipped, "it has no option " + std::string(option_name));
        return;
    }
    const std::int64_t value =
        std::clamp(wanted, option->min.value_or(wanted),
                   std::max(option->max.value_or(wanted), option->min.value_or(wanted)));
    const std::string text = std::to_string(value);
    survives(c, name, setoption_line(option, option_name, text),
             option->name + " was set to " + text);
}

void hash(Checkup& c, const CheckStep& /*step*/) {
    set_spin(c, "hash", "Hash", 32);
    if (c.has_talk()) c.talk().mark_memory();
}

void threads(Checkup& c, const CheckStep& /*step*/) {
    set_spin(c, "threads", "Threads", 2);
    const UciOption* const option = c.option("Threads");
    if (option == nullptr || !c.has_talk()) return;
    const std::string why = c.ping(setoption_line(option, "Threads", "1"));
    if (!why.empty()) c.drop();
}

void unknown_option(Checkup& c, const CheckStep& /*step*/) {
    survives(c, "unknown-option", "setoption name No Such Option value 1\n",
             "an unknown option was ignored");
}

void unknown_command(Checkup& c, const CheckStep& /*step*/) {
    survives(c, "unknown-command", "xyzzy 12\n", "an unknown command was ignored");
}

void empty_line(Checkup& c, const CheckStep& /*step*/) {
    survives(c, "empty-line", "\n  \n", "empty lines were ignored");
}

void crlf_input(Checkup& c, const CheckStep& /*step*/) {
    c.talk().send("isready\r\n");
    const TimePoint limit = c.now() + seconds(2);
    while (const auto line = c.talk().line(limit)) {
        if (trim(line->text) != "readyok") continue;
        c.say("crlf-input", StepState::Ok, "a line that ends with CR LF was understood");
        return;
    }
    const std::string why = c.ping();
    c.say(
        "crlf-input", why.empty() ? StepState::Warning : StepState::Fail,
        "expected readyok to a line that ends with CR LF; " + (why.empty() ? "nothing came" : why));
    if (!why.empty()) c.drop();
}

void new_game(Checkup& c, const CheckStep& /*step*/) {
    // The second one finds programs that fail at the end of a game.
    const bool is_first_well = c.ping("ucinewgame\n").empty();
    survives(c, "ucinewgame", is_first_well ? "ucinewgame\n" : "", "ready for a new game, twice");
}

void stray_stop(Checkup& c, const CheckStep& /*step*/) {
    survives(c, "stray-stop", "stop\n", "stop without a search was ignored");
}

// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
constexpr CheckStep kHandshakeSteps[] = {
    {.names = "start handshake", .run = handshake, .needs_ready = false},
    {.names = "identity", .run = identity},
    {.names = "isready", .run = ready},
    {.names = "uciok-once", .run = one_uciok},
    {.names = "options option-names option-defaults match-defaults", .run = options},
    {.names = "chosen-options", .run = chosen_options},
    {.names = "hash", .run = hash},
    {.names = "threads", .run = threads},
    {.names = "unknown-option", .run = unknown_option},
    {.names = "unknown-command", .run = unknown_command},
    {.names = "empty-line", .run = empty_line},
    {.names = "crlf-input", .run = crlf_input},
    {.names = "ucinewgame", .run = new_game},
    {.names = "stray-stop", .run = stray_stop},
};

}  // namespace

std::span<const CheckStep> handshake_steps() {
    return kHandshakeSteps;
}

}  // namespace assay::adapters
