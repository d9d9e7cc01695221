"""A server of the official Python SDK 1.x with the behaviours of the lab."""

import asyncio
import sys

import grpc.aio
import httpx
import uvicorn

from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.helpers import new_task_from_user_message, new_text_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import a2a_pb2_grpc
from a2a.types.a2a_pb2 import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Part,
    TaskState,
)
from google.protobuf.struct_pb2 import Struct, Value
from starlette.applications import Starlette

port, grpc_port, binding, version = sys.argv[1:5]
URLS = {
    'JSONRPC': f'http://127.0.0.1:{port}/jsonrpc',
    'HTTP+JSON': f'http://127.0.0.1:{port}/rest',
    'GRPC': f'127.0.0.1:{grpc_port}',
}


def files():
    data = Struct()
    data.update({'answer': 42})
    return [
        Part(raw=b'hello, file', filename='hello.txt', media_type='text/plain'),
        Part(url='https://example.com/report.pdf', filename='report.pdf', media_type='application/pdf'),
        Part(data=Value(struct_value=data)),
    ]


class Agent(AgentExecutor):
    async def execute(self, context, event_queue):
        text = context.get_user_input('')
        word, _, rest = text.partition(' ')
        if word == 'message':
            return await event_queue.enqueue_event(new_text_message(rest, context_id=context.context_id))
        if context.current_task is None:
            await event_queue.enqueue_event(new_task_from_user_message(context.message))
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        say = lambda words: updater.new_agent_message([Part(text=words)])  # noqa: E731
        asked = context.current_task
        if asked is not None and asked.status.state == TaskState.TASK_STATE_INPUT_REQUIRED:
            await updater.add_artifact([Part(text=f'you said {text}')], 'answer', 'answer')
        elif word == 'stream':
            await updater.start_work()
            for index, number in enumerate(['one ', 'two ', 'three']):
                await updater.add_artifact(
                    [Part(text=number)], 'numbers', 'numbers', append=index > 0, last_chunk=index == 2
                )
        elif word == 'ask':
            return await updater.requires_input(say('Which colour?'))
        elif word == 'fail':
            return await updater.failed(say('failed on purpose'))
        elif word == 'slow':
            await updater.start_work()
            await asyncio.sleep(60)
        elif word == 'file':
            await updater.add_artifact(files(), 'file', 'file')
        elif word == 'mirror':
            parts = [part for part in context.message.parts if not part.HasField('text')]
            await updater.add_artifact(parts, 'mirror', 'mirror')
        else:
            await updater.add_artifact([Part(text=rest)], 'echo', 'echo')
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def card():
    return AgentCard(
        name='Peer',
        description='An agent of the official Python SDK.',
        version='1.0.0',
        supported_interfaces=[
            AgentInterface(url=URLS[binding], protocol_binding=binding, protocol_version=version)
        ],
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
        card(),
        push_config_store=push_configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), push_configs),
    )
    app = Starlette(
        routes=[
            *create_agent_card_routes(card()),
            *create_jsonrpc_routes(handler, '/jsonrpc', enable_v0_3_compat=True),
            *create_rest_routes(handler, enable_v0_3_compat=True, path_prefix='/rest'),
        ]
    )
    grpc_server = grpc.aio.server()
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), grpc_server)
    a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), grpc_server)
    grpc_server.add_insecure_port(f'127.0.0.1:{grpc_port}')
    await grpc_server.start()
    server = uvicorn.Server(uvicorn.Config(app, port=int(port), log_level='warning'))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    print(f'http://127.0.0.1:{port}', flush=True)
    await serving


asyncio.run(main())
