"""A client of the official Python SDK 1.x, for A2A 1.0 and, by its compatibility layer, 0.3."""

import asyncio
import os
import sys

import grpc.aio
import httpx

from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.client import ClientCallContext
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils import errors

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
import cases  # noqa: E402
from cases import PUSH_TOKEN, Arguments, Skip, check, equal, new_id  # noqa: E402

arguments = Arguments()


async def open_client(base_url, streaming):
    """Default discovery: the factory is given the base URL and the binding. 0.3 is chosen by hiding the other interfaces."""
    config = ClientConfig(
        streaming=streaming,
        supported_protocol_bindings=[arguments.binding],
        grpc_channel_factory=grpc.aio.insecure_channel,
        httpx_client=httpx.AsyncClient(timeout=cases.TIMEOUT_SECONDS),
    )
    factory = ClientFactory(config)
    if not arguments.is_legacy:
        return await factory.create_from_url(base_url)
    card = await A2ACardResolver(config.httpx_client, base_url).get_agent_card()
    legacy = [each for each in card.supported_interfaces if each.protocol_version.startswith('0.3')]
    del card.supported_interfaces[:]
    card.supported_interfaces.extend(legacy)
    return factory.create(card)


def request(text, *parts, task_id=None, context_id=None, **configuration):
    message = Message(
        role=Role.ROLE_USER,
        message_id=new_id(),
        parts=[Part(text=text), *parts],
        task_id=task_id,
        context_id=context_id,
    )
    return SendMessageRequest(message=message, configuration=SendMessageConfiguration(**configuration))


def text_of(parts):
    return ''.join(part.text for part in parts)


def state_of(task):
    return TaskState.Name(task.status.state)


class Cases:
    def __init__(self, client, streaming):
        self.client = client
        self.streaming = streaming

    async def send(self, text, *parts, **options):
        [answer] = await cases.collect(self.client.send_message(request(text, *parts, **options)))
        return answer

    async def send_task(self, text, *parts, **options):
        answer = await self.send(text, *parts, **options)
        check(answer.HasField('task'), f'expected a task, found {answer}')
        return answer.task

    async def card(self):
        card = await A2ACardResolver(httpx.AsyncClient(), arguments.base_url).get_agent_card()
        equal(card.name, 'Interoperability agent', 'name')
        check(card.capabilities.streaming, 'streaming is not declared')
        check(card.capabilities.push_notifications, 'push notifications are not declared')
        equal([skill.id for skill in card.skills], ['echo'], 'skills')

    async def send_echo(self):
        task = await self.send_task('echo hello')
        equal(state_of(task), 'TASK_STATE_COMPLETED', 'state')
        equal(text_of(task.artifacts[0].parts), 'hello', 'artifact')

    async def message(self):
        answer = await self.send('message hello')
        check(answer.HasField('message'), f'expected a message, found {answer}')
        equal(text_of(answer.message.parts), 'hello', 'message')

    async def nonblocking(self):
        task = await self.send_task('slow', return_immediately=True)
        check(state_of(task) in ('TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'), f'state: {state_of(task)}')
        await self.client.cancel_task(CancelTaskRequest(id=task.id))

    async def stream(self):
        events = await cases.collect(self.streaming.send_message(request('stream')))
        equal(events[0].WhichOneof('payload'), 'task', 'first event')
        chunks = [event.artifact_update for event in events if event.HasField('artifact_update')]
        equal([text_of(chunk.artifact.parts) for chunk in chunks], ['one ', 'two ', 'three'], 'chunks')
        equal([chunk.append for chunk in chunks], [False, True, True], 'append')
        equal([chunk.last_chunk for chunk in chunks], [False, False, True], 'last chunk')
        equal(TaskState.Name(events[-1].status_update.status.state), 'TASK_STATE_COMPLETED', 'last state')

    async def get(self):
        task = await self.send_task('echo hello')
        whole = await self.client.get_task(GetTaskRequest(id=task.id))
        equal(text_of(whole.artifacts[0].parts), 'hello', 'artifact')
        check(len(whole.history) >= 1, 'the history is empty')
        if arguments.is_legacy and arguments.binding == 'GRPC':
            return 'without a history of length 0, which 0.3 cannot ask for over gRPC'
        short = await self.client.get_task(GetTaskRequest(id=task.id, history_length=0))
        equal(len(short.history), 0, 'length of the history')

    async def list(self):
        if arguments.is_legacy:
            raise Skip('A2A 0.3 cannot list tasks')
        first = await self.send_task('echo one')
        await self.send_task('echo two', context_id=first.context_id)
        listed = await self.client.list_tasks(ListTasksRequest(context_id=first.context_id, page_size=1))
        equal((len(listed.tasks), listed.total_size, listed.page_size), (1, 2, 1), 'page')
        rest = await self.client.list_tasks(
            ListTasksRequest(
                context_id=first.context_id, page_token=listed.next_page_token, include_artifacts=True
            )
        )
        equal([text_of(task.artifacts[0].parts) for task in rest.tasks], ['one'], 'second page')

    async def ask(self):
        asked = await self.send_task('ask')
        equal(state_of(asked), 'TASK_STATE_INPUT_REQUIRED', 'state')
        equal(text_of(asked.status.message.parts), 'Which colour?', 'question')
        answered = await self.send_task('blue', task_id=asked.id, context_id=asked.context_id)
        equal((answered.id, state_of(answered)), (asked.id, 'TASK_STATE_COMPLETED'), 'answered task')
        equal(text_of(answered.artifacts[0].parts), 'you said blue', 'artifact')

    async def fail(self):
        task = await self.send_task('fail')
        equal(state_of(task), 'TASK_STATE_FAILED', 'state')
        equal(text_of(task.status.message.parts), 'failed on purpose', 'reason')

    async def cancel(self):
        task = await self.send_task('slow', return_immediately=True)
        canceled = await self.client.cancel_task(CancelTaskRequest(id=task.id))
        equal(state_of(canceled), 'TASK_STATE_CANCELED', 'state')

    async def subscribe(self):
        task = await self.send_task('slow', return_immediately=True)
        events = []
        async for event in self.streaming.subscribe(SubscribeToTaskRequest(id=task.id)):
            if not events:
                await self.client.cancel_task(CancelTaskRequest(id=task.id))
            events.append(event)
        equal(events[0].WhichOneof('payload'), 'task', 'first event')
        equal(TaskState.Name(events[-1].status_update.status.state), 'TASK_STATE_CANCELED', 'last state')

    async def receive_file(self):
        task = await self.send_task('file')
        raw, url, data = task.artifacts[0].parts
        equal((raw.raw, raw.filename, raw.media_type), (b'hello, file', 'hello.txt', 'text/plain'), 'file')
        equal((url.url, url.filename), ('https://example.com/report.pdf', 'report.pdf'), 'link')
        equal(data.data.struct_value['answer'], 42, 'data')

    async def send_file(self):
        sent = Part(raw=bytes(range(256)), filename='bytes.bin', media_type='application/octet-stream')
        task = await self.send_task('mirror', sent)
        [part] = task.artifacts[0].parts
        equal((part.filename, part.media_type), (sent.filename, sent.media_type), 'file')
        equal(part.raw, sent.raw, 'bytes')

    async def push_config(self):
        task = await self.send_task('echo hello')
        created = await self.client.create_task_push_notification_config(
            TaskPushNotificationConfig(
                task_id=task.id, id='one', url=f'{arguments.webhook}/unused', token=PUSH_TOKEN
            )
        )
        equal((created.task_id, created.id), (task.id, 'one'), 'created')
        asked = GetTaskPushNotificationConfigRequest(task_id=task.id, id='one')
        read = await self.client.get_task_push_notification_config(asked)
        equal(read.url, f'{arguments.webhook}/unused', 'url')
        if arguments.is_legacy and arguments.binding == 'HTTP+JSON':
            return 'create and get; the client has no list and no delete over REST'
        listed = await self.client.list_task_push_notification_configs(
            ListTaskPushNotificationConfigsRequest(task_id=task.id)
        )
        equal([config.id for config in listed.configs], ['one'], 'list')
        await self.client.delete_task_push_notification_config(
            DeleteTaskPushNotificationConfigRequest(task_id=task.id, id='one')
        )
        await cases.expect_error(
            errors.A2AError, self.client.get_task_push_notification_config(asked)
        )

    async def push_delivery(self):
        name = new_id()
        config = TaskPushNotificationConfig(url=f'{arguments.webhook}/{name}', token=PUSH_TOKEN)
        await self.send_task('echo hello', task_push_notification_config=config)
        await cases.delivered(arguments.webhook, name)

    async def error_task_not_found(self):
        await cases.expect_error(
            errors.TaskNotFoundError, self.client.get_task(GetTaskRequest(id=new_id()))
        )

    async def error_not_cancelable(self):
        task = await self.send_task('echo hello')
        await cases.expect_error(
            errors.TaskNotCancelableError, self.client.cancel_task(CancelTaskRequest(id=task.id))
        )

    async def error_subscribe_to_ended(self):
        task = await self.send_task('echo hello')
        await cases.expect_error(
            errors.UnsupportedOperationError,
            cases.collect(self.streaming.subscribe(SubscribeToTaskRequest(id=task.id))),
        )

    async def error_message_to_ended(self):
        task = await self.send_task('echo hello')
        await cases.expect_error(
            errors.UnsupportedOperationError,
            self.send('echo again', task_id=task.id, context_id=task.context_id),
        )

    async def error_content_type(self):
        audio = Part(raw=b'-', media_type='audio/ogg')
        await cases.expect_error(errors.ContentTypeNotSupportedError, self.send('mirror', audio))

    async def error_no_extended_card(self):
        call = self.client.get_extended_agent_card(GetExtendedAgentCardRequest())
        try:
            await call
        except (errors.UnsupportedOperationError, errors.ExtendedAgentCardNotConfiguredError):
            return
        raise Skip('the client returns the public card without a request if none is declared')

    async def extended_card(self):
        client = await open_client(arguments.secured_url, False)
        context = ClientCallContext(service_parameters={'Authorization': f'Bearer {arguments.key}'})
        card = await client.get_extended_agent_card(GetExtendedAgentCardRequest(), context=context)
        equal([skill.id for skill in card.skills], ['echo', 'secret'], 'skills')

    async def unauthenticated(self):
        client = await open_client(arguments.secured_url, False)
        await cases.expect_unauthenticated(client.get_task(GetTaskRequest(id=new_id())))


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
