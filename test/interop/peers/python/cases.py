"""Runs the cases of a client and prints one line of JSON for each, as README.md of the lab describes."""

import asyncio
import json
import sys
import urllib.error
import urllib.request
import uuid

TIMEOUT_SECONDS = 30
PUSH_TOKEN = 'token-of-the-lab'


class Skip(Exception):
    """The SDK has nothing for this case; the text says what is missing."""


class Arguments:
    """What the harness gives to every client."""

    def __init__(self):
        (self.base_url, self.binding, self.version, self.webhook, self.secured_url, self.key) = sys.argv[1:7]
        self.is_legacy = self.version == '0.3'


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def equal(actual, expected, what):
    check(actual == expected, f'{what}: expected {expected!r:.120}, found {actual!r:.120}')


def new_id():
    return str(uuid.uuid4())


def shorten(error):
    text = ' '.join(str(error).split()) or 'no message'
    return f'{type(error).__name__}: {text}'[:400]


async def expect_error(kind, call, matches=lambda error: True):
    """Awaits a call that must fail with an exception of the SDK's class for it."""
    try:
        answer = await call
    except kind as error:
        check(matches(error), f'another error: {shorten(error)}')
        return
    except Exception as error:
        raise AssertionError(f'expected {kind.__name__}, found {shorten(error)}') from error
    raise AssertionError(f'expected {kind.__name__}, found an answer: {str(answer)[:100]}')


async def expect_unauthenticated(call):
    try:
        await call
    except Exception as error:
        text = shorten(error).upper()
        check('401' in text or 'UNAUTHENTICATED' in text, f'the error does not say 401: {shorten(error)}')
        return
    raise AssertionError('the call succeeded without a key')


async def collect(stream):
    return [event async for event in stream]


async def delivered(webhook, name):
    """Asks the harness for the notifications of a task; it answers when the last one has arrived."""

    def ask():
        try:
            with urllib.request.urlopen(f'{webhook}/{name}', timeout=TIMEOUT_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    received = await asyncio.to_thread(ask)
    equal(received['token'], PUSH_TOKEN, 'token of the notification')
    return received


async def run(cases):
    """Runs (name, coroutine function) pairs in order."""
    for name, case in cases:
        line = {'case': name, 'ok': True, 'detail': ''}
        try:
            line['detail'] = (await asyncio.wait_for(case(), TIMEOUT_SECONDS)) or ''
        except Skip as reason:
            line = {'case': name, 'ok': False, 'skipped': True, 'detail': str(reason)}
        except asyncio.TimeoutError:
            line = {'case': name, 'ok': False, 'detail': f'no answer within {TIMEOUT_SECONDS} s'}
        except Exception as error:
            line = {'case': name, 'ok': False, 'detail': shorten(error)}
        print(json.dumps(line), flush=True)
