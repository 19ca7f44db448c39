"""Receives notices on 127.0.0.1: HTTP posts and mail. Prints its ports as one line of JSON, then each
message as one line, before it is answered."""

import http.server
import json
import socketserver
import sys
import threading

LOCK = threading.Lock()


def tell(message):
    with LOCK:
        print(json.dumps(message), flush=True)


class Web(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        tell({"kind": "post", "path": self.path, "type": self.headers["Content-Type"], "body": body})
        self.send_response(500 if self.path == "/refuse" else 204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Mail(socketserver.StreamRequestHandler):
    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        self.say("220 test")
        message = {"kind": "mail", "to": []}
        while line := self.rfile.readline().decode().strip():
            word = line.upper()
            if word.startswith("MAIL FROM:"):
                message["from"] = line[10:].split(">")[0].strip("< ")
            elif word.startswith("RCPT TO:"):
                message["to"].append(line[8:].strip("<> "))
            elif word == "DATA":
                self.say("354 go on")
                lines = []
                while (text := self.rfile.readline().decode().rstrip("\r\n")) != ".":
                    lines.append(text)
                message["body"] = "\n".join(lines)
                tell(message)
            elif word == "QUIT":
                self.say("221 bye")
                return
            self.say("250 ok")


web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail)
mail.daemon_threads = True
threading.Thread(target=mail.serve_forever, daemon=True).start()
tell({"http": web.server_address[1], "smtp": mail.server_address[1]})
try:
    web.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
