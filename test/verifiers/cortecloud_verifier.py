"""A receiver of Cortecloud webhooks in Python, as their documentation tells one to be.

It shares no code with the sender, and reads URLs as Python does. One case a line of JSON on standard input:
{"url": as configured, "secrets": {api key: secret}, "ownKey": text or null, "headers": {lower-case name: value},
"body": base64}. Each is answered with a line {"faults": [...]}, empty when the delivery is accepted.
The standard library is enough.
"""

import base64
import hashlib
import hmac
import json
import re
import sys
from urllib.parse import parse_qsl, quote, urlsplit

AUTHORIZATION = re.compile(
    r'SB1-HMAC-SHA256 api-key="([^"]*)", signed-headers="host", signature="([^"]*)"'
)


def hex_hmac(key, message):
    return hmac.new(key.encode("utf-8"), message, hashlib.sha256).hexdigest()


def encoded(text):
    """Leaves the characters alone that JavaScript's encodeURIComponent leaves alone."""
    return quote(text, safe="~!*'()")


def signed_text(url, body):
    """What the sender signs: nothing of the URL is normalised, its query is sorted by code point."""
    target = urlsplit(url)
    parameters = sorted(parse_qsl(target.query, keep_blank_values=True))
    query = "&".join(encoded(name) + "=" + encoded(value) for name, value in parameters)
    path = target.path if target.path else "/"
    digest = hashlib.sha256(body).hexdigest()
    return "\n".join(["POST", path, query, "host:" + target.netloc, "", "host", digest])


def faults_of(case):
    headers = case["headers"]
    body = base64.b64decode(case["body"])

    match = AUTHORIZATION.fullmatch(headers.get("authorization", ""))
    if match is None:
        return ["Authorization is malformed"]
    api_key, signature = match.groups()
    secret = case["secrets"].get(api_key)
    if secret is None:
        return ["the api key is unknown"]
    expected = hex_hmac(secret, signed_text(case["url"], body).encode("utf-8"))
    if not hmac.compare_digest(expected, signature):
        return ["the signature does not match"]

    event = json.loads(body.decode("utf-8"))
    faults = []
    token = headers.get("x-webhook-client-token")
    if case["ownKey"] is None:
        if token is not None:
            faults.append("X-Webhook-Client-Token comes without an own key")
    elif token != "sha256=" + hex_hmac(case["ownKey"], event["id"].encode("utf-8")):
        faults.append("X-Webhook-Client-Token does not match")
    return faults


def main():
    for line in sys.stdin.buffer:
        try:
            faults = faults_of(json.loads(line))
        except Exception as error:  # a receiver that raises has not accepted the delivery
            faults = [type(error).__name__ + ": " + str(error)]
        print(json.dumps({"faults": faults}), flush=True)


main()
