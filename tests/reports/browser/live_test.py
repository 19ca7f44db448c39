"""A run that is being played, in a headless Chromium: usage: live_test.py ASSAY PLAYER [CHROMIUM].

The page of `assay serve` must follow the run by server-sent events, without being loaded again, and
say so when the run is stopped. PLAYER is the instant one. Without Chromium: 77.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from devtools import Browser

LIMIT = 60  # seconds that anything may take

CONFIG = """programs:
  a: {command: [%s], options: {SleepMs: 5}}
  b: {command: [%s], options: {SleepMs: 5}}
match: {between: [a, b], time: 60+1, pairs: 100000, seed: 1, concurrency: 1,
        adjudicate: {length: 8}}
"""


def until(what, look):
    """The first true answer of `look`."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        answer = look()
        if answer:
            return answer
        time.sleep(0.1)
    raise RuntimeError("waited in vain: " + what)


def pairs_stored(assay, folder):
    listed = subprocess.run([assay, "runs", "--json"], cwd=folder, capture_output=True, text=True)
    return listed.returncode == 0 and listed.stdout and json.loads(listed.stdout)["matches"][0]["pairs"]


def follow_games(browser):
    """The game in play: its board, moves and clocks change without the page being loaded again."""
    until("a board", lambda: browser.run("document.querySelectorAll('#in-play article .bd svg use').length > 1"))
    for what in (".mvs", ".ck[data-ends]"):
        text = "(document.querySelector('#in-play %s') || {}).textContent" % what
        first = until(what, lambda: browser.run(text))
        until(what + " changes", lambda: browser.run(text) not in (None, first))
    for width in (390, 1280):
        browser.size(width)
        assert browser.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
    browser.run("document.querySelector('#in-play article a').click()")
    assert browser.run("location.hash") == "#live-1"


def live_state(folder):
    """What the run says of its games; None where it says nothing now."""
    try:
        with open(os.path.join(folder, "assay.db.live")) as file:
            file.readline()  # what kind of file it is, and its sum
            return json.load(file)
    except (OSError, ValueError):
        return None


def clock_shows(browser):
    """Seconds on the running clock, or None."""
    text = browser.run("(document.querySelector('#in-play .ck[data-ends]') || {}).textContent")
    if not text:
        return None
    parts = [float(part) for part in text.split(":")]
    return sum(part * 60 ** i for i, part in enumerate(reversed(parts)))


def open_late(assay, player, browser):
    """A page that is opened in a long think shows the clock that the program has, also after the
    server has sent the markup that it made for an earlier page."""
    folder = tempfile.mkdtemp(prefix="assay-late-")
    with open(os.path.join(folder, "late.yaml"), "w") as config:
        config.write((CONFIG % (player, player)).replace("SleepMs: 5", "SleepMs: 50000")
                     .replace("60+1", "600+1"))
    played = subprocess.Popen([assay, "run", "late.yaml"], cwd=folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    server = subprocess.Popen([assay, "serve", "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().split()[0]
        until("a clock runs", lambda: (live_state(folder) or {}).get("games") and live_state(folder)["games"][0]["is_open"])
        browser.open(address + "/run/1")
        first = until("the clock of the first page", lambda: clock_shows(browser))
        until("the think lasts", lambda: (clock_shows(browser) or first) < first - 5)
        browser.open(address + "/run/1")
        # Another reader of the same news is told after the page's own.
        browser.run("window.isTold = false, new EventSource('/events/run/1').onmessage = "
                    "() => { window.isTold = true; }, 0")
        until("news", lambda: browser.run("window.isTold"))
        before = clock_shows(browser)
        assert before is not None and before <= first - 5 + 0.2, (first, before)
    finally:
        played.send_signal(signal.SIGINT)
        played.wait(LIMIT)
        server.send_signal(signal.SIGINT)
        server.wait(LIMIT)
        shutil.rmtree(folder, ignore_errors=True)


def follow(browser, assay, folder, player_run):
    server = subprocess.Popen([assay, "serve", "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().split()[0]
        browser.size(1000)
        browser.open(address + "/")
        assert "a" in browser.run("document.querySelector('main').textContent")
        browser.open(address + "/run/1")
        browser.run("window.isTheSamePage = true")
        shown = "document.querySelector('main').textContent"
        first = browser.run(shown)
        second = until("the page follows the run", lambda: browser.run(shown) != first and browser.run(shown))
        until("and again", lambda: browser.run(shown) != second)
        follow_games(browser)
        player_run.send_signal(signal.SIGINT)
        player_run.wait(LIMIT)
        until("it says that the run was stopped", lambda: "stopped by a signal" in browser.run(shown))
        assert browser.run("window.isTheSamePage"), "the page was loaded anew"
        assert browser.complaints == [], browser.complaints
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(LIMIT)


def main():
    assay, player = sys.argv[1:3]
    chromium = sys.argv[3] if len(sys.argv) > 3 else shutil.which("chromium") or ""
    if not os.access(chromium, os.X_OK):
        print("skipped: there is no chromium; apt-get install chromium")
        return 77
    folder = tempfile.mkdtemp(prefix="assay-live-")
    browser = Browser(chromium)
    played = None
    try:
        with open(os.path.join(folder, "live.yaml"), "w") as config:
            config.write(CONFIG % (player, player))
        played = subprocess.Popen([assay, "run", "live.yaml"], cwd=folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        until("a pair is stored", lambda: pairs_stored(assay, folder))
        follow(browser, assay, folder, played)
        open_late(assay, player, browser)
    finally:
        if played is not None and played.poll() is None:
            played.kill()
            played.wait()
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    print("all holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
