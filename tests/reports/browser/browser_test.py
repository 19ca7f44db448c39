"""Drives the pages in a headless Chromium: usage: browser_test.py PAGE_SAMPLES [CHROMIUM].

PAGE_SAMPLES writes the pages into a folder. Without Chromium the test says so and ends with 77.
"""
import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile

from devtools import Browser

WIDTHS = (390, 1280, 1000, 700)
LOADED_WIDTHS = (390, 1280)
IS_LONG = os.environ.get("ASSAY_LONG", "0") != "0"
failures = []


def check(is_true, what):
    if not is_true:
        failures.append(what)
        print("FAILED: " + what, flush=True)


def same(found, expected, what):
    check(found == expected, "%s: %r, expected %r" % (what, found, expected))


OVERFLOW = """(() => { const wide = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return wide;
  document.querySelectorAll('main *').forEach((e) => {
    const b = e.getBoundingClientRect();
    if (b.width && b.right > width + 0.5) wide.push(e.tagName + '.' + e.className + ' ' + b.right); });
  return wide.length ? wide.slice(0, 5) : ['something']; })()"""

# Text of a picture that leaves it, or lies over other text of it.
LOST_TEXT = """(() => { const lost = [];
  document.querySelectorAll('.ch svg, .curve svg, .bd svg').forEach((svg) => {
    const box = svg.viewBox.baseVal;
    if (!svg.getBoundingClientRect().width) return;
    svg.querySelectorAll('text').forEach((text) => { const b = text.getBBox();
      if (b.width && (b.x < -1 || b.x + b.width > box.width + 1 || b.y < -1 || b.y + b.height > box.height + 1))
        lost.push(text.textContent + ' in ' + svg.getAttribute('aria-label')); }); });
  return lost.slice(0, 5); })()"""

# Words with a hyphen ("ci-7") that go over two lines of a table.
BROKEN_NAMES = """(() => { const broken = [];
  document.querySelectorAll('%s td').forEach((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const word of node.data.matchAll(/\\S*\\w-\\w\\S*/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set(Array.from(range.getClientRects()).map((r) => Math.round(r.top)));
        if (lines.size > 1) broken.push(word[0]); } } });
  return broken; })()"""

# Words that are not long, and go over two lines of a cell all the same.
BROKEN_WORDS = """(() => { const broken = [];
  document.querySelectorAll('td, th').forEach((cell) => {
    if (!cell.getBoundingClientRect().width) return;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement.closest('pre, code, svg')) continue;
      for (const word of node.data.matchAll(/[^\\s-]+/g)) {
        if (word[0].length > 24) continue;
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set(Array.from(range.getClientRects()).map((r) => Math.round(r.top)));
        if (lines.size > 1) broken.push(word[0]); } } });
  return broken.slice(0, 8); })()"""

# Names that go under the bars beside them.
COVERED_NAMES = """(() => { const covered = [];
  document.querySelectorAll('section[id^=sides] svg').forEach((svg) => {
    if (!svg.getBoundingClientRect().width) return;
    const bars = Array.from(svg.querySelectorAll('rect')).map((r) => r.getBBox()).filter((r) => r.width);
    svg.querySelectorAll('text.h.b').forEach((text) => { const b = text.getBBox();
      if (bars.some((r) => b.x + b.width > r.x && b.x < r.x + r.width && b.y < r.y + r.height && b.y + b.height > r.y))
        covered.push(text.textContent); }); });
  return covered; })()"""

# The lowest contrast of any text with what is behind it (WCAG 2.1).
CONTRAST = """(() => {
  const channel = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const colour = (text) => { const m = text.match(/[\\d.]+/g).map(Number); return m.length > 3 && m[3] === 0 ? null : m; };
  const light = (c) => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const ratio = (a, b) => { const x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const behind = (e) => { for (; e; e = e.parentElement) {
      const c = colour(getComputedStyle(e).backgroundColor); if (c) return c; } return [255, 255, 255]; };
  const shapes = (svg) => Array.from(svg.querySelectorAll('rect, polygon, circle'));
  const under = (text) => { const svg = text.ownerSVGElement, b = text.getBBox();
    const at = svg.createSVGPoint(); at.x = b.x + b.width / 2; at.y = b.y + b.height / 2;
    let found = null;
    shapes(svg).forEach((s) => { if (text.compareDocumentPosition(s) & Node.DOCUMENT_POSITION_FOLLOWING) return;
      const fill = getComputedStyle(s).fill; if (fill !== 'none' && s.isPointInFill(at)) found = colour(fill) || found; });
    const style = getComputedStyle(text);
    if (text.classList.contains('halo')) found = colour(style.stroke);
    return found || behind(svg.parentElement); };
  const low = [];
  document.querySelectorAll('main *').forEach((e) => {
    if (!e.getBoundingClientRect().width || e.closest('use')) return;
    const own = Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own) return;
    const is_svg = e instanceof SVGElement, style = getComputedStyle(e);
    const ink = colour(is_svg ? style.fill : style.color), ground = is_svg ? under(e) : behind(e);
    const r = ratio(ink, ground);
    if (r < 4.5) low.push(e.textContent.trim().slice(0, 40) + ' ' + r.toFixed(2)); });
  return Array.from(new Set(low)).slice(0, 8); })()"""


def look(browser, name, url):
    """What holds of every page at every width, light and dark. Loaded narrow in the light and wide
    in the dark; the others follow in the page that is open, as a window is resized and a system
    turns dark. In a long run each is loaded."""
    for width in WIDTHS:
        for scheme in ("light", "dark") if width == 390 else ("dark", "light"):
            browser.scheme(scheme)
            browser.size(width)
            is_first = width in LOADED_WIDTHS and scheme == ("light" if width == 390 else "dark")
            if is_first or IS_LONG:
                browser.open(url)
            where = "%s at %d, %s" % (name, width, scheme)
            same(browser.run(OVERFLOW), [], where + ": nothing overflows sideways")
            same(browser.run(LOST_TEXT), [], where + ": text stays in its picture")
            if width in LOADED_WIDTHS:
                same(browser.run(CONTRAST), [], where + ": contrast")
    browser.scheme("light")
    same(browser.complaints, [], name + ": the console has no error")
    browser.complaints = []


def state(browser):
    return browser.run("document.querySelector('#state').textContent")


def pieces(browser):
    return browser.run("document.querySelectorAll('#board use').length")


def step_through(browser, url):
    browser.size(1280)
    browser.open(url)
    plies = browser.run("run.game.names.length")
    check(plies > 10, "the first game has moves")
    check(state(browser).startswith("ply %d of %d" % (plies, plies)), "a game opens at its end")
    browser.click("[data-step=start]")
    check(state(browser).startswith("ply 0 of"), "the first button goes to the start")
    same(pieces(browser), 32, "the start position has all pieces")
    cells = "Array.from(document.querySelectorAll('#board use')).map((u) => u.getAttribute('x') + ',' + u.getAttribute('y')).sort().join(' ')"
    start = browser.run(cells)
    for ply in range(1, 8):
        browser.click("[data-step=on]")
        check(state(browser).startswith("ply %d of" % ply), "a click steps to ply %d" % ply)
    check(browser.run(cells) != start, "the pieces move")
    for _ in range(7):
        browser.key("ArrowLeft")
    same(browser.run(cells), start, "the left key steps back to the start")
    browser.key("ArrowRight")
    browser.key("ArrowRight")
    check(state(browser).startswith("ply 2 of"), "the right key steps on")
    same(browser.run("document.querySelector('#moves a.on').dataset.ply"), "2", "the move is marked")
    same(browser.run("document.querySelectorAll('#board .x').length"), 2, "its squares are marked")
    browser.click("#moves a[data-ply='6']")
    check(state(browser).startswith("ply 6 of"), "a click on a move goes there")
    browser.click("#scores svg")
    ply = int(re.match(r"ply (\d+)", state(browser)).group(1))
    check(abs(ply - plies / 2) < plies / 4 + 8, "a click on the curve goes to the ply below it")
    same(browser.run("location.hash"), "#game?n=%s&ply=%d" % (browser.run("run.game.id"), ply),
         "the address holds game and ply")
    browser.open(url + "#game?n=%s&ply=3" % browser.run("run.data.games[2].id"))
    check(state(browser).startswith("ply 3 of"), "an address opens its game at its ply")
    same(browser.run("run.game.id === run.data.games[2].id"), True, "and it is that game")
    browser.click("#gt tbody tr:nth-child(2)")
    same(browser.run("run.game.id"), browser.run("run.data.games[1].id"), "a row opens its game")
    same(browser.complaints, [], "stepping: the console has no error")


SHOWN = "Array.from(document.querySelectorAll('#gt tbody tr')).filter((r) => !r.hidden).length"


def filter_games(browser, url):
    browser.open(url)
    everything = browser.run("document.querySelectorAll('#gt tbody tr').length")
    same(browser.run(SHOWN), everything, "all games are shown at first")
    kind = browser.run("document.querySelector('#gt tbody tr').dataset.kind")
    of_kind = browser.run("document.querySelectorAll('#gt tr[data-kind=%s]').length" % kind)
    browser.click("[data-f='kind=%s']" % kind)
    same(browser.run(SHOWN), of_kind, "a button shows its kind")
    check(0 < of_kind < everything, "which is a part of all")
    same(browser.run("location.hash"), "#games?kind=" + kind, "the address holds the filter")
    browser.open(url + "#games?kind=" + kind)
    same(browser.run(SHOWN), of_kind, "the address filters")
    browser.click("[data-f='']")
    browser.click("#games input")
    browser.type("shortest")
    same(browser.run(SHOWN), 2, "words filter")
    browser.open(url)
    browser.click("#ends [data-filter]")
    ended = browser.run("document.querySelector('#ends [data-filter]').dataset.filter.slice(6)")
    same(browser.run(SHOWN), browser.run("document.querySelectorAll('#gt tr[data-ended=%s]').length" % ended),
         "a termination shows its games")
    same(browser.run("document.querySelector('#gt tr:not([hidden]) a').getAttribute('href')"), "#game",
         "rows are links too")
    same(browser.complaints, [], "filters: the console has no error")


def without_script(browser, name, url, parts):
    browser.size(1280)
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(url)
    document = browser.call("DOM.getDocument", depth=0)["root"]["nodeId"]
    for selector in parts:
        node = browser.call("DOM.querySelector", nodeId=document, selector=selector)["nodeId"]
        check(node != 0, "%s without script has %s" % (name, selector))
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def print_page(browser, name, url, most):
    browser.open(url)
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True,
                                        preferCSSPageSize=True)["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    check(0 < pages <= most, "%s prints on %d pages, at most %d" % (name, pages, most))


def change_night(browser, url):
    browser.size(1280)
    browser.open(url)
    title = "document.querySelector('#ntitle').textContent"
    count = browser.run("nights.data.nights.length")
    last = browser.run(title)
    check("night %d" % count in last, "the last night is selected: " + last)
    browser.click("#before")
    check("night %d:" % (count - 1) in browser.run(title), "a button goes to the night before")
    browser.key("ArrowLeft")
    check("night %d:" % (count - 2) in browser.run(title), "a key does too")
    browser.key("ArrowRight")
    browser.click("#after")
    same(browser.run(title), last, "and back")
    browser.click("#nt tr:nth-child(5)")
    check("night %d:" % (count - 4) in browser.run(title), "a row opens its night")
    same(browser.run("location.hash"), "#night?n=%d" % (count - 4), "the address holds the night")
    place = browser.run("""(() => { const s = document.querySelector('#elo svg.w');
        s.scrollIntoView({block: 'center'}); const b = s.getBoundingClientRect(), c = s.querySelector('.cur');
        return [b.left + (+c.dataset.left + 3 * c.dataset.step) / s.viewBox.baseVal.width * b.width, b.top + b.height / 2]; })()""")
    browser.click_at(*place)
    check("night 4:" in browser.run(title), "a point of the chart opens its night: " + browser.run(title))
    browser.open(url + "#night?n=2")
    check("night 2:" in browser.run(title), "an address opens its night")
    same(browser.complaints, [], "nights: the console has no error")


def keep_names(browser, name, url, table):
    browser.open(url)
    for width in WIDTHS:
        browser.size(width)
        same(browser.run(BROKEN_NAMES % table), [],
             "%s at %d: no name is broken at its hyphen" % (name, width))


def keep_words(browser, name, url):
    """On a phone, in a page whose names and reasons are long."""
    browser.size(390)
    browser.open(url)
    same(browser.run(BROKEN_WORDS), [], name + ": a cell of a table ends its lines between words")
    same(browser.run(COVERED_NAMES), [], name + ": no name goes under the bars")


def main():
    chromium = sys.argv[2] if len(sys.argv) > 2 else shutil.which("chromium") or ""
    if not os.access(chromium, os.X_OK):
        print("skipped: there is no chromium; apt-get install chromium")
        return 77
    folder = tempfile.mkdtemp(prefix="assay-pages-")
    subprocess.run([sys.argv[1], folder], check=True)
    browser = Browser(chromium)
    try:
        address = lambda name: "file://%s/%s.html" % (folder, name)
        for name in ("run", "hostile", "empty", "history", "histories", "index", "matches", "three",
                     "stopped", "playing", "tainted", "crashes", "troubled", "solving", "robin",
                     "robin-open", "robin-wide",
                     "swiss", "knockout", "unplayed", "list"):
            look(browser, name, address(name))
        step_through(browser, address("run"))
        filter_games(browser, address("run"))
        change_night(browser, address("history"))
        for name in ("crashes", "troubled", "tainted", "history"):
            keep_words(browser, name, address(name))
        keep_names(browser, "history", address("history"), "#steps")
        keep_names(browser, "histories", address("histories"), "#steps")
        without_script(browser, "run", address("run"),
                       ("h1", "dl.parts .v", "#gt tbody tr", "#board use", "#moves a", "#test svg"))
        without_script(browser, "history", address("history"),
                       ("h1", "#nt tr", "#nfacts dd", "#elo svg"))
        print_page(browser, "run", address("run"), 8)
        print_page(browser, "history", address("history"), 4)
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    print("%d checks failed" % len(failures) if failures else "all holds")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
