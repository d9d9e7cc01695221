"""A server of the official Python SDK 0.3 with the behaviours of the lab."""

import asyncio
import base64
import sys

import grpc.aio
import httpx
import uvicorn

from a2a.grpc import a2a_pb2_grpc
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    FilePart,
    FileWithBytes,
    FileWithUri,
    Part,
    TaskState,
    TextPart,
)
from a2a.utils import new_agent_text_message, new_task
from starlette.applications import Starlette
from starlette.routing import Mount

port, grpc_port, binding, _version = sys.argv[1:5]
URLS = {
    'JSONRPC': f'http://127.0.0.1:{port}/jsonrpc',
    'HTTP+JSON': f'http://127.0.0.1:{port}/rest',
    'GRPC': f'127.0.0.1:{grpc_port}',
}


def text_part(text):
    return Part(root=TextPart(text=text))


def files():
    content = base64.b64encode(b'hello, file').decode()
    file = FileWithBytes(bytes=content, name='hello.txt', mime_type='text/plain')
    link = FileWithUri(
        uri='https://example.com/report.pdf', name='report.pdf', mime_type='application/pdf'
    )
    return [
        Part(root=FilePart(file=file)),
        Part(root=FilePart(file=link)),
        Part(root=DataPart(data={'answer': 42})),
    ]


class Agent(AgentExecutor):
    async def execute(self, context, event_queue):
        text = context.get_user_input('')
        word, _, rest = text.partition(' ')
        if word == 'message':
            return await event_queue.enqueue_event(new_agent_text_message(rest, context.context_id))
        asked = context.current_task
        was_asked = asked is not None and asked.status.state == TaskState.input_required
        if asked is None:
            await event_queue.enqueue_event(new_task(context.message))
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        say = lambda words: updater.new_agent_message([text_part(words)])  # noqa: E731
        if was_asked:
            await updater.add_artifact([text_part(f'you said {text}')], 'answer', 'answer')
        elif word == 'stream':
            await updater.start_work()
            for index, number in enumerate(['one ', 'two ', 'three']):
                await updater.add_artifact(
                    [text_part(number)], 'numbers', 'numbers', append=index > 0, last_chunk=index == 2
                )
        elif word == 'ask':
            return await updater.requires_input(say('Which colour?'), final=True)
        elif word == 'fail':
            return await updater.failed(say('failed on purpose'))
        elif word == 'slow':
            await updater.start_work()
            await asyncio.sleep(60)
        elif word == 'file':
            await updater.add_artifact(files(), 'file', 'file')
        elif word == 'mirror':
            parts = [part for part in context.message.parts if part.root.kind != 'text']
            await updater.add_artifact(parts, 'mirror', 'mirror')
        else:
            await updater.add_artifact([text_part(rest)], 'echo', 'echo')
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card():
    return AgentCard(
        name='Peer',
        description='An agent of the official Python SDK.',
        version='1.0.0',
        protocol_version='0.3.0',
        url=URLS[binding],
        preferred_transport=binding,
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=['text/plain', 'application/octet-stream'],
        default_output_modes=['text/plain', 'application/octet-stream'],
        skills=[AgentSkill(id='echo', name='Echo', description='Returns what you send.', tags=['test'])],
    )


async def main():
    push_configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        Agent(),
        InMemoryTaskStore(),
        push_config_store=push_configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), push_configs),
    )
    app = Starlette(
        routes=[
            *A2AStarletteApplication(card(), handler).routes(rpc_url='/jsonrpc'),
            Mount('/rest', A2ARESTFastAPIApplication(card(), handler).build()),
        ]
    )
    grpc_server = grpc.aio.server()
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(card(), handler), grpc_server)
    grpc_server.add_insecure_port(f'127.0.0.1:{grpc_port}')
    await grpc_server.start()
    server = uvicorn.Server(uvicorn.Config(app, port=int(port), log_level='warning'))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    print(f'http://127.0.0.1:{port}', flush=True)
    await serving


asyncio.run(main())
