"""Asks the receiver in Python that the guide offers for copying, whose file is the argument.

One case a line of JSON on standard input: {"url": as configured, "secrets": {api key: secret}, "ownKey": text or null,
"headers": {lower-case name: value}, "body": base64}. Each is answered with a line {"accepted": true or false}.
"""

import base64
import importlib.util
import json
import sys


def loaded(path):
    spec = importlib.util.spec_from_file_location("receiver", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def accepts(receiver, case):
    body = base64.b64decode(case["body"])
    try:
        event = receiver.verified(case["headers"], body, case["url"], case["secrets"], case["ownKey"])
    except Exception as error:  # a receiver that raises has not accepted the delivery
        print(type(error).__name__, error, file=sys.stderr)
        return False
    return event is not None


def main():
    receiver = loaded(sys.argv[1])
    for line in sys.stdin.buffer:
        print(json.dumps({"accepted": accepts(receiver, json.loads(line))}), flush=True)


main()
