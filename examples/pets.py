#!/usr/bin/env python3
"""Adds a pet and walks the list, with nothing but the standard library."""

import http.client
import json
import os
import random
import re
import sys
import time
import urllib.error
import urllib.request
import uuid

BASE_URL = os.environ.get("PETSTORE_URL", "http://127.0.0.1:8080/v1")
KEY = os.environ["PETSTORE_KEY"]
ATTEMPTS = 5
ATTEMPT_TIMEOUT_S = 12


class PetstoreError(Exception):
    """An error of the service: `code` is for programs, the message says how to fix the request."""

    def __init__(self, status, body, request_id):
        super().__init__(f"{body['code']} (request {request_id}): {body['message']}")
        self.status = status
        self.code = body["code"]


def request(method, url, body=None, headers=None):
    """Sends a request until it succeeds; 429, 503 and lost connections are retried. Returns the body and the headers."""
    data = None if body is None else json.dumps(body).encode()
    all_headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **(headers or {})}
    for attempt in range(1, ATTEMPTS + 1):
        sent = urllib.request.Request(url, data=data, method=method, headers=all_headers)
        wait = random.uniform(0, 0.2 * 2**attempt)
        try:
            with urllib.request.urlopen(sent, timeout=ATTEMPT_TIMEOUT_S) as response:
                # Python's int has no limit, so json keeps every digit of a 64-bit id.
                return json.load(response), response.headers
        except urllib.error.HTTPError as error:
            failure = PetstoreError(error.code, json.load(error), error.headers["Request-Id"])
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                raise failure from None
            wait += float(error.headers.get("Retry-After", 0))
        except (OSError, http.client.HTTPException):
            # The pet may have been added: the Idempotency-Key makes it safe to ask again.
            if attempt == ATTEMPTS:
                raise
        time.sleep(wait)


def create_pet(pet):
    # Chosen once, and sent with every attempt: however often the request is retried, one pet is added.
    created, _ = request("POST", f"{BASE_URL}/pets", pet, {"Idempotency-Key": str(uuid.uuid4())})
    return created


def list_pets():
    """Follows the Link header, which has the URL of the next page; the last page has none."""
    url = f"{BASE_URL}/pets?limit=100"
    while url:
        pets, headers = request("GET", url)
        yield from pets
        following = re.search(r'<([^>]+)>; rel="next"', headers.get("Link", ""))
        url = following and following[1]


def main():
    momo = create_pet({"name": "Momo", "categoryId": 9223372036854775807, "status": "pending"})
    print("added", momo["id"], momo["name"], momo["categoryId"])
    print(sum(1 for _ in list_pets()), "pets")


if __name__ == "__main__":
    try:
        main()
    except PetstoreError as error:
        sys.exit(str(error))
