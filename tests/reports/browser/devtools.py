"""A headless Chromium driven over its DevTools pipe, with the standard library alone."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

LIMIT = 600  # seconds that any answer may take


class Browser:
    """One browser with one tab. Messages are JSON, each ended by a zero byte, on descriptors 3 and 4."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="assay-browser-")
        to_browser, self.out = os.pipe()
        self.incoming, from_browser = os.pipe()

        def place():  # in the child, where the pipes become 3 and 4
            kept_in, kept_out = os.dup(to_browser), os.dup(from_browser)
            os.dup2(kept_in, 3)
            os.dup2(kept_out, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
             "--user-data-dir=" + self.profile, "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=place)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        self.complaints = []  # what the console was told
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self):
        end = time.monotonic() + LIMIT
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.incoming], [], [], max(0, end - time.monotonic()))
            chunk = os.read(self.incoming, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(values["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
            self.complaints.append(json.dumps(values["args"])[:500])
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.complaints.append(values["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append("a dialog opened: " + values["message"])
        self.events.append(method)

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.note(answer)

    def open(self, url):
        # Over an empty page, so that an address that differs in its fragment alone is loaded too.
        for address in ("about:blank", url):
            self.events = []
            self.call("Page.navigate", url=address)
            while "Page.loadEventFired" not in self.events:
                self.note(self.read())

    def size(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        # The page is told of its new size in a frame that comes later: it has drawn its curves anew
        # before the frame after that.
        self.run("""new Promise((done) => {
          const look = () => requestAnimationFrame(
            () => { if (innerWidth !== %d) look(); else requestAnimationFrame(() => done()); });
          look(); })""" % width)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": name}])

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(script + "\n" + json.dumps(answer["exceptionDetails"])[:1000])
        return answer["result"].get("value")

    def click(self, selector):
        """A real click in the middle of the element."""
        place = self.run("""(() => { const e = document.querySelector(%s); if (!e) return null;
            e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();
            return [b.left + b.width / 2, b.top + b.height / 2]; })()""" % json.dumps(selector))
        if place is None:
            raise RuntimeError("there is no " + selector)
        self.click_at(*place)

    def click_at(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def type(self, text):
        self.call("Input.insertText", text=text)
