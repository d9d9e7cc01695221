// A client of the official JavaScript SDK 1.x, for A2A 1.0 and, by its compatibility layer, 0.3.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  GetTaskRequest,
  ListTasksRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import * as cases from '../cases.mjs';

const { baseUrl, binding, version, webhook, securedUrl, key, isLegacy } = cases.readArguments();

const legacyCompat = { legacyCompat: { enabled: isLegacy } };
const resolver = new DefaultAgentCardResolver(legacyCompat);
const factory = new ClientFactory({
  transports: [
    new JsonRpcTransportFactory(legacyCompat),
    new RestTransportFactory(legacyCompat),
    new GrpcTransportFactory(legacyCompat),
  ],
  preferredTransports: [binding],
  cardResolver: resolver,
});

/** Default discovery: the factory is given the base URL and the binding. 0.3 is chosen by hiding the other interfaces. */
async function openClient(url) {
  let client;
  if (isLegacy) {
    const card = await resolver.resolve(url);
    const supportedInterfaces = card.supportedInterfaces.filter((each) =>
      each.protocolVersion.startsWith('0.3'),
    );
    client = await factory.createFromAgentCard({ ...card, supportedInterfaces });
  } else {
    client = await factory.createFromUrl(url);
  }
  assert.equal(client.transport.protocolName, binding, 'binding');
  assert.ok(client.protocolVersion.startsWith(version), `version: ${client.protocolVersion}`);
  return client;
}

const client = await openClient(baseUrl);

function requestOf(text, { parts = [], taskId, contextId, ...configuration } = {}) {
  return SendMessageRequest.fromJSON({
    message: { role: 'ROLE_USER', messageId: randomUUID(), parts: [{ text }, ...parts], taskId, contextId },
    configuration,
  });
}

async function send(text, options) {
  const answer = await client.sendMessage(requestOf(text, options));
  return 'messageId' in answer ? { message: Message.toJSON(answer) } : { task: Task.toJSON(answer) };
}

async function sendTask(text, options) {
  const { task } = await send(text, options);
  assert.ok(task !== undefined, 'expected a task, found a message');
  return task;
}

const events = async (stream) => (await cases.collect(stream)).map((event) => StreamResponse.toJSON(event));
const textOf = (parts) => parts.map(({ text }) => text ?? '').join('');
const artifactOf = (task) => textOf(task.artifacts[0].parts);
const cancel = async (id) => Task.toJSON(await client.cancelTask({ id, tenant: '' }));

function expectReason(call, ...reasons) {
  return cases.expectError(call, (error) => reasons.includes(error.reason ?? error.cause?.reason));
}

await cases.run({
  card: async () => {
    const card = await client.getAgentCard();
    assert.equal(card.name, 'Interoperability agent');
    assert.ok(card.capabilities.streaming, 'streaming is not declared');
    assert.ok(card.capabilities.pushNotifications, 'push notifications are not declared');
    assert.deepEqual(
      card.skills.map(({ id }) => id),
      ['echo'],
    );
  },
  send: async () => {
    const task = await sendTask('echo hello');
    assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(artifactOf(task), 'hello');
  },
  message: async () => {
    const { message } = await send('message hello');
    assert.equal(textOf(message?.parts ?? []), 'hello');
  },
  nonblocking: async () => {
    const task = await sendTask('slow', { returnImmediately: true });
    assert.match(task.status.state, /SUBMITTED|WORKING/);
    await cancel(task.id);
  },
  stream: async () => {
    const all = await events(client.sendMessageStream(requestOf('stream')));
    assert.ok(all[0].task !== undefined, 'the first event is not a task');
    const chunks = all.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    assert.deepEqual(
      chunks.map(({ artifact }) => textOf(artifact.parts)),
      ['one ', 'two ', 'three'],
    );
    assert.deepEqual(
      chunks.map(({ append }) => append ?? false),
      [false, true, true],
      'append',
    );
    assert.deepEqual(
      chunks.map(({ lastChunk }) => lastChunk ?? false),
      [false, false, true],
      'last chunk',
    );
    assert.equal(all.at(-1).statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
  },
  get: async () => {
    const { id } = await sendTask('echo hello');
    const whole = Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id })));
    assert.equal(artifactOf(whole), 'hello');
    assert.ok((whole.history ?? []).length >= 1, 'the history is empty');
    // A length of 0 cannot be asked for over gRPC in 0.3.
    if (isLegacy && binding === 'GRPC') return;
    const short = Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id, historyLength: 0 })));
    assert.equal((short.history ?? []).length, 0, 'length of the history');
  },
  list: async () => {
    if (isLegacy) throw new cases.Skip('A2A 0.3 cannot list tasks');
    const { contextId } = await sendTask('echo one');
    await sendTask('echo two', { contextId });
    const page = await client.listTasks(ListTasksRequest.fromJSON({ contextId, pageSize: 1 }));
    assert.deepEqual([page.tasks.length, page.totalSize, page.pageSize], [1, 2, 1]);
    const rest = await client.listTasks(
      ListTasksRequest.fromJSON({ contextId, pageToken: page.nextPageToken, includeArtifacts: true }),
    );
    assert.deepEqual(
      rest.tasks.map((task) => artifactOf(Task.toJSON(task))),
      ['one'],
    );
  },
  ask: async () => {
    const asked = await sendTask('ask');
    assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.equal(textOf(asked.status.message.parts), 'Which colour?');
    const answered = await sendTask('blue', { taskId: asked.id, contextId: asked.contextId });
    assert.deepEqual([answered.id, answered.status.state], [asked.id, 'TASK_STATE_COMPLETED']);
    assert.equal(artifactOf(answered), 'you said blue');
  },
  fail: async () => {
    const { status } = await sendTask('fail');
    assert.deepEqual(
      [status.state, textOf(status.message.parts)],
      ['TASK_STATE_FAILED', 'failed on purpose'],
    );
  },
  cancel: async () => {
    const { id } = await sendTask('slow', { returnImmediately: true });
    assert.equal((await cancel(id)).status.state, 'TASK_STATE_CANCELED');
  },
  subscribe: async () => {
    const { id } = await sendTask('slow', { returnImmediately: true });
    const seen = [];
    for await (const event of client.resubscribeTask({ id, tenant: '' })) {
      seen.push(StreamResponse.toJSON(event));
      if (seen.length === 1) await cancel(id);
    }
    assert.ok(seen[0].task !== undefined, 'the first event is not a task');
    assert.equal(seen.at(-1).statusUpdate?.status.state, 'TASK_STATE_CANCELED');
  },
  'receive-file': async () => {
    const [raw, url, data] = (await sendTask('file')).artifacts[0].parts;
    assert.equal(Buffer.from(raw.raw, 'base64').toString(), 'hello, file');
    assert.deepEqual([raw.filename, raw.mediaType], ['hello.txt', 'text/plain']);
    assert.deepEqual([url.url, url.filename], ['https://example.com/report.pdf', 'report.pdf']);
    assert.deepEqual(data.data, { answer: 42 });
  },
  'send-file': async () => {
    const raw = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).toString('base64');
    const sent = { raw, filename: 'bytes.bin', mediaType: 'application/octet-stream' };
    const [{ raw: returned, filename, mediaType }] = (await sendTask('mirror', { parts: [sent] }))
      .artifacts[0].parts;
    assert.deepEqual({ raw: returned, filename, mediaType }, sent);
  },
  'push-config': async () => {
    const { id: taskId } = await sendTask('echo hello');
    const config = { taskId, id: 'one', url: `${webhook}/unused`, token: cases.PUSH_TOKEN };
    const created = await client.createTaskPushNotificationConfig(
      TaskPushNotificationConfig.fromJSON(config),
    );
    assert.deepEqual([created.taskId, created.id], [taskId, 'one']);
    const asked = { taskId, id: 'one', tenant: '' };
    assert.equal((await client.getTaskPushNotificationConfig(asked)).url, config.url);
    const { configs } = await client.listTaskPushNotificationConfig({
      taskId,
      tenant: '',
      pageSize: 0,
      pageToken: '',
    });
    assert.deepEqual(
      configs.map(({ id }) => id),
      ['one'],
    );
    await client.deleteTaskPushNotificationConfig(asked);
    await cases.expectError(client.getTaskPushNotificationConfig(asked), () => true);
  },
  'push-delivery': async () => {
    const name = randomUUID();
    const taskPushNotificationConfig = { url: `${webhook}/${name}`, token: cases.PUSH_TOKEN };
    await sendTask('echo hello', { taskPushNotificationConfig });
    await cases.delivered(webhook, name);
  },
  'error-task-not-found': () =>
    expectReason(client.getTask(GetTaskRequest.fromJSON({ id: randomUUID() })), 'TASK_NOT_FOUND'),
  'error-not-cancelable': async () => {
    const { id } = await sendTask('echo hello');
    await expectReason(cancel(id), 'TASK_NOT_CANCELABLE');
  },
  'error-subscribe-to-ended': async () => {
    const { id } = await sendTask('echo hello');
    await expectReason(events(client.resubscribeTask({ id, tenant: '' })), 'UNSUPPORTED_OPERATION');
  },
  'error-message-to-ended': async () => {
    const { id, contextId } = await sendTask('echo hello');
    await expectReason(send('echo again', { taskId: id, contextId }), 'UNSUPPORTED_OPERATION');
  },
  'error-content-type': () =>
    expectReason(
      send('mirror', { parts: [{ raw: 'LQ==', mediaType: 'audio/ogg' }] }),
      'CONTENT_TYPE_NOT_SUPPORTED',
    ),
  'error-no-extended-card': () =>
    expectReason(
      client.transport.getExtendedAgentCard(
        { tenant: '' },
        isLegacy ? {} : { serviceParameters: { 'A2A-Version': version } },
      ),
      'UNSUPPORTED_OPERATION',
      'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    ),
  'extended-card': async () => {
    const secured = await openClient(securedUrl);
    const card = await secured.getAgentCard({ serviceParameters: { Authorization: `Bearer ${key}` } });
    assert.deepEqual(
      card.skills.map(({ id }) => id),
      ['echo', 'secret'],
    );
  },
  unauthenticated: async () => {
    const secured = await openClient(securedUrl);
    await cases.expectUnauthenticated(secured.getTask(GetTaskRequest.fromJSON({ id: randomUUID() })));
  },
});
