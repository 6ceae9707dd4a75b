"""A network that loses answers: every request reaches the server and is carried out, and then one answer in three is dropped
and the connection closed, so that the client can't know."""

import contextlib
import http.client
import http.server
import random
import threading
import urllib.parse

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"}


@contextlib.contextmanager
def losing_answers(upstream, share=1 / 3, seed=1):
    """Serves a proxy in front of `upstream`; yields its URL and the counts of what it did."""
    target = urllib.parse.urlsplit(upstream)
    counts = {"passed": 0, "dropped": 0}
    dice, lock = random.Random(seed), threading.Lock()

    class Proxy(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
            server = http.client.HTTPConnection(target.hostname, target.port, timeout=60)
            server.request(self.command, self.path, body, headers)
            answer = server.getresponse()
            content = answer.read()
            server.close()
            with lock:
                lost = dice.random() < share
                counts["dropped" if lost else "passed"] += 1
            if lost:
                self.close_connection = True
                return
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP_BY_HOP | {"content-length"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_DELETE = forward

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", counts
    finally:
        server.shutdown()
        server.server_close()
