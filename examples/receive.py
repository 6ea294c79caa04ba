"""Receives webhooks with Python's standard library: verifies each delivery, drops those that come again, and prints the event."""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
MAX_BYTES = 65_536


def verify(body, headers, secret):
    """The event of a delivery, or ValueError if the service has not sent it within the last five minutes."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,11}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("webhook-timestamp is more than 5 minutes away. Check the clock of this machine.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While the secret is rotated, there is a signature for the old and one for the new.
    signatures = headers.get("webhook-signature", "").encode().split()
    if not any(hmac.compare_digest(expected, signature) for signature in signatures):
        raise ValueError("No signature was made with this secret for this body.")
    return json.loads(body)


# In production, a table with the id as its primary key, written in the transaction that stores what the event leads to.
received = set()
lock = threading.Lock()


def receive(event):
    """Store the event before you respond: a 2xx says that you have it. Do what takes longer than a second afterwards."""
    with lock:
        if event["id"] in received:
            return
        # Accept types that you don't know: an event that is not accepted holds up all others.
        pet = event["data"].get("pet")
        if pet:
            status = pet.get("status", "without a status")
            print(f"{event['type']}: {pet['id']} {pet['name']} is {status}, version {pet['version']}", flush=True)
        else:
            print(f"{event['type']}: {event['subject']}", flush=True)
        received.add(event["id"])


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open
    timeout = 60

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if self.path != "/hooks":
            return self.reject(404, "Webhooks are received at /hooks.")
        if not re.fullmatch("[0-9]{1,6}", length) or int(length) > MAX_BYTES:
            return self.reject(413, f"The body must have a Content-Length of at most {MAX_BYTES}.")
        body = self.rfile.read(int(length))
        try:
            event = verify(body, self.headers, SECRET)
        except ValueError as error:
            return self.reject(400, str(error))
        receive(event)  # if this fails, there is no response, and the event comes again
        self.send_response(204)
        self.end_headers()

    def log_request(self, *_):
        pass  # prints events only

    def reject(self, status, message):
        print(f"rejected: {message}", file=sys.stderr)
        content = message.encode()
        self.send_response(status)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.send_header("content-length", str(len(content)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(content)


SECRET = os.environ.get("WEBHOOK_SECRET", "")
if not SECRET.startswith("whsec_"):
    sys.exit("Set WEBHOOK_SECRET to the secret of the webhook, whsec_….")
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}/hooks", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
