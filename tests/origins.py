"""What a page of another origin can send to a server on this machine, by hand and by a real browser."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx


def foreign(address):
    """Give headers of requests by name that a server must refuse, whatever they ask for."""
    place = httpx.URL(address).netloc.decode()
    port = place.rpartition(":")[2]
    return {
        "another site's page": {"Origin": "https://evil.example"},
        "a page of another port": {"Origin": "http://127.0.0.1:1"},
        "the same port by another name": {"Origin": f"http://localhost:{port}"},
        "a page in a sandbox": {"Origin": "null"},
        "an own page beside a foreign one": {"Origin": f"http://{place}, https://evil.example"},
        "a name that was rebound": {"Host": "evil.example"},
        "a name that was rebound, with the port": {"Host": f"evil.example:{port}"},
        "a rebound page to itself": {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"},
        "a name that begins as ours": {"Host": f"127.0.0.1.evil.example:{port}"},
        "an address with a login": {"Host": f"evil@{place}"},
    }


def refused_for_others(address, method, path, body=None, **options):
    """Check that a request is refused when a page of another origin makes it, in each way that one can."""
    content = b"" if body is None else json.dumps(body).encode()
    given = options.pop("headers", {})
    with httpx.Client(base_url=address, timeout=60, **options) as client:
        for name, headers in foreign(address).items():
            for kind in ("text/plain", "application/json", "application/x-www-form-urlencoded"):
                sent = {"content-type": kind} | given | headers
                reply = client.request(method, path, content=content, headers=sent)
                assert reply.status_code == 403, (name, kind, reply.status_code, reply.text)
                assert "access-control-allow-origin" not in reply.headers, name
        if method != "GET":
            sent = given | {"sec-fetch-site": "same-site", "content-type": "application/json"}
            assert client.request(method, path, content=content, headers=sent).status_code == 403
        asked = {"access-control-request-method": method, "access-control-request-headers": "content-type"}
        for origin in ("https://evil.example", "http://127.0.0.1:1", "null"):
            reply = client.options(path, headers=asked | {"Origin": origin})
            assert reply.status_code == 403
            assert "access-control-allow-origin" not in reply.headers


@contextmanager
def evil_page():
    """Serve an empty page of another origin; gives its address."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!DOCTYPE html><title>elsewhere</title>")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


ATTACK = """(async () => {
    const [url, body] = %s, seen = [];
    const kinds = ["text/plain", "application/json", "application/x-www-form-urlencoded"];
    for (const mode of ["no-cors", "cors"]) for (const kind of kinds) {
        const sent = { method: "POST", mode, body, credentials: "include", headers: { "Content-Type": kind } };
        try { const reply = await fetch(url, sent); seen.push(reply.type === "opaque" ? "unread" : reply.status); }
        catch (error) { seen.push(String(error.name)); }
    }
    navigator.sendBeacon(url, new Blob([body], { type: "text/plain" }));
    const form = Object.assign(document.createElement("form"), { method: "POST", action: url, enctype: "text/plain" });
    const frame = Object.assign(document.createElement("iframe"), { name: "sink" });
    const end = body.lastIndexOf("}");
    form.append(Object.assign(document.createElement("input"), { name: body.slice(0, end) + ', "x": "', value: '"}' }));
    form.target = "sink";
    document.body.append(frame, form);
    const sent = new Promise(done => { frame.onload = done; setTimeout(done, 3000); });
    form.submit();
    await sent;
    return seen;
})()"""


def attacked(tab, page, url, body):
    """Let a page of another origin post to an address in each way that it can; gives what its script could see."""
    tab.open(page)
    tab.until("document.title === 'elsewhere'")
    return tab.run(ATTACK % json.dumps([url, json.dumps(body)]))
