"""Google's Agent Development Kit as a client: a remote agent in a runner, as a program of the kit uses it."""

import asyncio
import logging
import os
import sys

import httpx

from a2a.client import ClientConfig, ClientFactory
from google.adk.a2a.agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
import cases  # noqa: E402
from cases import Arguments, check, equal  # noqa: E402

logging.disable(logging.CRITICAL)
arguments = Arguments()
CARD = f'{arguments.base_url}/.well-known/agent-card.json'


class Conversation:
    """A session of the runner with the remote agent."""

    def __init__(self):
        config = ClientConfig(
            streaming=True,
            supported_protocol_bindings=[arguments.binding],
            httpx_client=httpx.AsyncClient(timeout=cases.TIMEOUT_SECONDS),
        )
        agent = RemoteA2aAgent(
            name='remote', agent_card=CARD, a2a_client_factory=ClientFactory(config)
        )
        self.agent = agent
        self.runner = InMemoryRunner(agent=agent)
        self.session = None

    async def send(self, text, *parts):
        """The events of the kit that answer a message."""
        if self.session is None:
            self.session = await self.runner.session_service.create_session(
                app_name=self.runner.app_name, user_id='user'
            )
        content = types.Content(role='user', parts=[types.Part(text=text), *parts])
        events = []
        async for event in self.runner.run_async(
            user_id='user', session_id=self.session.id, new_message=content
        ):
            check(not event.error_message, f'error event: {event.error_message}')
            events.append(event)
        return events


def parts_of(events):
    return [part for event in events if event.content for part in event.content.parts or []]


def texts_of(events):
    return [part.text for part in parts_of(events) if part.text]


async def card():
    conversation = Conversation()
    await conversation.send('echo hello')
    description = 'Has the behaviours that clients of the lab rely on.'
    check(description in conversation.agent.description, conversation.agent.description)


async def send():
    texts = texts_of(await Conversation().send('echo hello'))
    check('hello' in texts, f'texts: {texts}')


async def message():
    equal(texts_of(await Conversation().send('message hello')), ['hello'], 'texts')


async def stream():
    texts = texts_of(await Conversation().send('stream'))
    check('one two three' in ''.join(texts), f'texts: {texts}')


async def ask():
    """The kit shows a question as the call of a function, and takes the answer as its response."""
    conversation = Conversation()
    [call] = [part.function_call for part in parts_of(await conversation.send('ask')) if part.function_call]
    equal(call.args, {'input_required': 'Which colour?'}, 'question')
    answer = types.FunctionResponse(id=call.id, name=call.name, response={'result': 'blue'})
    texts = texts_of(await conversation.send('blue', types.Part(function_response=answer)))
    check(any(text.startswith('you said') for text in texts), f'answer: {texts}')


async def fail():
    texts = texts_of(await Conversation().send('fail'))
    check('failed on purpose' in texts, f'texts: {texts}')


async def receive_file():
    parts = parts_of(await Conversation().send('file'))
    files = [part.inline_data for part in parts if part.inline_data]
    links = [part.file_data for part in parts if part.file_data]
    check(any(file.data == b'hello, file' for file in files), f'files: {files}')
    check(any(link.file_uri == 'https://example.com/report.pdf' for link in links), f'links: {links}')


async def send_file():
    sent = types.Blob(data=bytes(range(256)), mime_type='application/octet-stream')
    parts = parts_of(await Conversation().send('mirror', types.Part(inline_data=sent)))
    received = [part.inline_data.data for part in parts if part.inline_data]
    check(sent.data in received, f'{len(received)} other files came back')


asyncio.run(
    cases.run(
        [
            ('card', card),
            ('send', send),
            ('message', message),
            ('stream', stream),
            ('ask', ask),
            ('fail', fail),
            ('receive-file', receive_file),
            ('send-file', send_file),
        ]
    )
)
