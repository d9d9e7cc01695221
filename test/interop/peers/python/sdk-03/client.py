"""A client of the official Python SDK 0.3, which speaks A2A 0.3."""

import asyncio
import base64
import os
import sys

import grpc.aio
import httpx

from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientHTTPError, A2AClientJSONRPCError
from a2a.types import (
    FilePart,
    FileWithBytes,
    GetTaskPushNotificationConfigParams,
    Message,
    MessageSendConfiguration,
    Part,
    PushNotificationConfig,
    Role,
    TaskArtifactUpdateEvent,
    Task,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TextPart,
)

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
import cases  # noqa: E402
from cases import PUSH_TOKEN, Arguments, Skip, check, equal, new_id  # noqa: E402

arguments = Arguments()


class Bearer(grpc.aio.UnaryUnaryClientInterceptor):
    """Adds the key to gRPC requests; the SDK leaves that to the channel."""

    async def intercept_unary_unary(self, continuation, details, request):
        metadata = grpc.aio.Metadata(*(details.metadata or ()))
        metadata.add('authorization', f'Bearer {arguments.key}')
        return await continuation(details._replace(metadata=metadata), request)


async def open_client(base_url, streaming, key=None, push=()):
    """Default discovery: the factory is given the base URL and the binding."""
    headers = {'Authorization': f'Bearer {key}'} if key else {}
    interceptors = [Bearer()] if key else []
    return await ClientFactory.connect(
        base_url,
        ClientConfig(
            streaming=streaming,
            push_notification_configs=[*push],
            supported_transports=[arguments.binding],
            httpx_client=httpx.AsyncClient(timeout=cases.TIMEOUT_SECONDS, headers=headers),
            grpc_channel_factory=lambda url: grpc.aio.insecure_channel(url, interceptors=interceptors),
        ),
    )


def text_of(parts):
    return ''.join(part.root.text for part in parts)


def message_of(text, *parts, task_id=None, context_id=None):
    return Message(
        role=Role.user,
        message_id=new_id(),
        parts=[Part(root=TextPart(text=text)), *parts],
        task_id=task_id,
        context_id=context_id,
    )


async def expect_code(code, statuses, grpc_codes, call):
    """The client has one class of errors per binding, with the code of the binding. 0.3 defines those of JSON-RPC alone."""
    kind, matches = {
        'JSONRPC': (A2AClientJSONRPCError, lambda error: error.error.code == code),
        'HTTP+JSON': (A2AClientHTTPError, lambda error: error.status_code in statuses),
        'GRPC': (grpc.aio.AioRpcError, lambda error: error.code().name in grpc_codes),
    }[arguments.binding]
    await cases.expect_error(kind, call, matches)


class Cases:
    def __init__(self, client, streaming):
        self.client = client
        self.streaming = streaming

    async def send(self, text, *parts, task_id=None, context_id=None, **configuration):
        message = message_of(text, *parts, task_id=task_id, context_id=context_id)
        [answer] = await cases.collect(
            self.client.send_message(message, configuration=MessageSendConfiguration(**configuration))
        )
        return answer

    async def send_task(self, text, *parts, **options):
        answer = await self.send(text, *parts, **options)
        check(isinstance(answer, tuple) and isinstance(answer[0], Task), f'expected a task, found {answer}')
        return answer[0]

    async def card(self):
        card = await A2ACardResolver(httpx.AsyncClient(), arguments.base_url).get_agent_card()
        equal(card.name, 'Interoperability agent', 'name')
        equal(card.protocol_version[:3], '0.3', 'version')
        check(card.capabilities.streaming, 'streaming is not declared')
        check(card.capabilities.push_notifications, 'push notifications are not declared')
        equal([skill.id for skill in card.skills], ['echo'], 'skills')

    async def send_echo(self):
        task = await self.send_task('echo hello')
        equal(task.status.state.value, 'completed', 'state')
        equal(text_of(task.artifacts[0].parts), 'hello', 'artifact')

    async def message(self):
        answer = await self.send('message hello')
        check(isinstance(answer, Message), f'expected a message, found {answer}')
        equal(text_of(answer.parts), 'hello', 'message')

    async def nonblocking(self):
        task = await self.send_task('slow', blocking=False)
        check(task.status.state.value in ('submitted', 'working'), f'state: {task.status.state}')
        await self.client.cancel_task(TaskIdParams(id=task.id))

    async def stream(self):
        # The client returns the same task with every event, and adds to it.
        events = []
        async for task, update in self.streaming.send_message(message_of('stream')):
            events.append((task.status.state.value, update))
        equal(events[0][1], None, 'update of the first event')
        chunks = [update for _, update in events if isinstance(update, TaskArtifactUpdateEvent)]
        equal([bool(chunk.append) for chunk in chunks], [False, True, True], 'append')
        equal([bool(chunk.last_chunk) for chunk in chunks], [False, False, True], 'last chunk')
        equal(text_of(task.artifacts[0].parts), 'one two three', 'artifact')
        equal((events[-1][0], events[-1][1].final), ('completed', True), 'last update')

    async def get(self):
        task = await self.send_task('echo hello')
        whole = await self.client.get_task(TaskQueryParams(id=task.id))
        equal(text_of(whole.artifacts[0].parts), 'hello', 'artifact')
        check(len(whole.history or []) >= 1, 'the history is empty')

    async def list(self):
        raise Skip('A2A 0.3 cannot list tasks')

    async def ask(self):
        asked = await self.send_task('ask')
        equal(asked.status.state.value, 'input-required', 'state')
        equal(text_of(asked.status.message.parts), 'Which colour?', 'question')
        answered = await self.send_task('blue', task_id=asked.id, context_id=asked.context_id)
        equal((answered.id, answered.status.state.value), (asked.id, 'completed'), 'answered task')
        equal(text_of(answered.artifacts[0].parts), 'you said blue', 'artifact')

    async def ask_stream(self):
        events = await cases.collect(self.streaming.send_message(message_of('ask')))
        equal((events[-1][0].status.state.value, events[-1][1].final), ('input-required', True), 'last update')

    async def fail(self):
        task = await self.send_task('fail')
        equal(task.status.state.value, 'failed', 'state')
        equal(text_of(task.status.message.parts), 'failed on purpose', 'reason')

    async def cancel(self):
        task = await self.send_task('slow', blocking=False)
        canceled = await self.client.cancel_task(TaskIdParams(id=task.id))
        equal(canceled.status.state.value, 'canceled', 'state')

    async def subscribe(self):
        task = await self.send_task('slow', blocking=False)
        states = []
        async for seen, update in self.streaming.resubscribe(TaskIdParams(id=task.id)):
            if not states:
                equal(update, None, 'update of the first event')
                await self.client.cancel_task(TaskIdParams(id=task.id))
            states.append(seen.status.state.value)
        equal(states[-1], 'canceled', 'last state')

    async def receive_file(self):
        task = await self.send_task('file')
        raw, url, data = (part.root for part in task.artifacts[0].parts)
        equal(base64.b64decode(raw.file.bytes), b'hello, file', 'bytes')
        equal((raw.file.name, raw.file.mime_type), ('hello.txt', 'text/plain'), 'file')
        equal((url.file.uri, url.file.name), ('https://example.com/report.pdf', 'report.pdf'), 'link')
        equal(data.data['answer'], 42, 'data')

    async def send_file(self):
        content = base64.b64encode(bytes(range(256))).decode()
        sent = FileWithBytes(bytes=content, name='bytes.bin', mime_type='application/octet-stream')
        task = await self.send_task('mirror', Part(root=FilePart(file=sent)))
        [part] = task.artifacts[0].parts
        equal(part.root.file.model_dump(), sent.model_dump(), 'file')

    async def push_config(self):
        task = await self.send_task('echo hello')
        config = PushNotificationConfig(id='one', url=f'{arguments.webhook}/unused', token=PUSH_TOKEN)
        created = await self.client.set_task_callback(
            TaskPushNotificationConfig(task_id=task.id, push_notification_config=config)
        )
        equal((created.task_id, created.push_notification_config.id), (task.id, 'one'), 'created')
        read = await self.client.get_task_callback(
            GetTaskPushNotificationConfigParams(id=task.id, push_notification_config_id='one')
        )
        equal(read.push_notification_config.url, config.url, 'url')
        return 'set and get; the client has no list and no delete'

    async def push_delivery(self):
        name = new_id()
        config = PushNotificationConfig(url=f'{arguments.webhook}/{name}', token=PUSH_TOKEN)
        # Per message, the client of this version breaks on a configuration over REST and gRPC.
        client = await open_client(arguments.base_url, False, push=[config])
        await cases.collect(client.send_message(message_of('echo hello')))
        await cases.delivered(arguments.webhook, name)

    async def error_task_not_found(self):
        call = self.client.get_task(TaskQueryParams(id=new_id()))
        await expect_code(-32001, [404], ['NOT_FOUND'], call)

    async def error_not_cancelable(self):
        task = await self.send_task('echo hello')
        call = self.client.cancel_task(TaskIdParams(id=task.id))
        await expect_code(-32002, [400, 409], ['FAILED_PRECONDITION', 'UNIMPLEMENTED'], call)

    async def error_subscribe_to_ended(self):
        raise Skip('A2A 0.3 does not say what happens')

    async def error_message_to_ended(self):
        task = await self.send_task('echo hello')
        call = self.send('echo again', task_id=task.id, context_id=task.context_id)
        await expect_code(-32004, [400, 501], ['FAILED_PRECONDITION', 'UNIMPLEMENTED'], call)

    async def error_content_type(self):
        file = FileWithBytes(bytes='LQ==', mime_type='audio/ogg')
        call = self.send('mirror', Part(root=FilePart(file=file)))
        await expect_code(-32005, [400, 415], ['INVALID_ARGUMENT', 'UNIMPLEMENTED'], call)

    async def error_no_extended_card(self):
        raise Skip('the client returns the public card without a request if none is declared')

    async def extended_card(self):
        client = await open_client(arguments.secured_url, False, arguments.key)
        card = await client.get_card()
        equal([skill.id for skill in card.skills], ['echo', 'secret'], 'skills')

    async def unauthenticated(self):
        client = await open_client(arguments.secured_url, False)
        await cases.expect_unauthenticated(client.get_task(TaskQueryParams(id=new_id())))


async def main():
    run = Cases(
        await open_client(arguments.base_url, False), await open_client(arguments.base_url, True)
    )
    await cases.run(
        [
            ('card', run.card),
            ('send', run.send_echo),
            ('message', run.message),
            ('nonblocking', run.nonblocking),
            ('stream', run.stream),
            ('get', run.get),
            ('list', run.list),
            ('ask', run.ask),
            ('ask-stream', run.ask_stream),
            ('fail', run.fail),
            ('cancel', run.cancel),
            ('subscribe', run.subscribe),
            ('receive-file', run.receive_file),
            ('send-file', run.send_file),
            ('push-config', run.push_config),
            ('push-delivery', run.push_delivery),
            ('error-task-not-found', run.error_task_not_found),
            ('error-not-cancelable', run.error_not_cancelable),
            ('error-subscribe-to-ended', run.error_subscribe_to_ended),
            ('error-message-to-ended', run.error_message_to_ended),
            ('error-content-type', run.error_content_type),
            ('error-no-extended-card', run.error_no_extended_card),
            ('extended-card', run.extended_card),
            ('unauthenticated', run.unauthenticated),
        ]
    )


asyncio.run(main())
