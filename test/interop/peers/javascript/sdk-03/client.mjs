// A client of the official JavaScript SDK 0.3, which speaks A2A 0.3.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  ContentTypeNotSupportedError,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import * as cases from '../cases.mjs';

const { baseUrl, binding, webhook, securedUrl, key } = cases.readArguments();

/** Default discovery: the factory is given the base URL and the binding. */
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory(), new RestTransportFactory(), new GrpcTransportFactory()],
  preferredTransports: [binding],
});
const client = await factory.createFromUrl(baseUrl);

function paramsOf(text, { parts = [], taskId, contextId, ...configuration } = {}) {
  return {
    message: {
      kind: 'message',
      role: 'user',
      messageId: randomUUID(),
      parts: [{ kind: 'text', text }, ...parts],
      ...(taskId && { taskId, contextId }),
    },
    configuration,
  };
}

const send = (text, options) => client.sendMessage(paramsOf(text, options));

async function sendTask(text, options) {
  const task = await send(text, options);
  assert.equal(task.kind, 'task');
  return task;
}

const textOf = (parts) => parts.map(({ text }) => text ?? '').join('');
const artifactOf = (task) => textOf(task.artifacts[0].parts);
const expectClass = (call, type) =>
  cases.expectError(call, (error) => error instanceof type || error.cause instanceof type);

await cases.run({
  card: async () => {
    const card = await client.getAgentCard();
    assert.equal(card.name, 'Interoperability agent');
    assert.match(card.protocolVersion, /^0\.3/);
    assert.ok(card.capabilities.streaming, 'streaming is not declared');
    assert.ok(card.capabilities.pushNotifications, 'push notifications are not declared');
    assert.deepEqual(
      card.skills.map(({ id }) => id),
      ['echo'],
    );
    const transports = { JSONRPC: 'JsonRpcTransport', 'HTTP+JSON': 'RestTransport', GRPC: 'GrpcTransport' };
    assert.equal(client.transport.constructor.name.replace('_', ''), transports[binding]);
  },
  send: async () => {
    const task = await sendTask('echo hello');
    assert.deepEqual([task.status.state, artifactOf(task)], ['completed', 'hello']);
  },
  message: async () => {
    const message = await send('message hello');
    assert.deepEqual([message.kind, textOf(message.parts ?? [])], ['message', 'hello']);
  },
  nonblocking: async () => {
    const task = await sendTask('slow', { blocking: false });
    assert.match(task.status.state, /submitted|working/);
    await client.cancelTask({ id: task.id });
  },
  stream: async () => {
    const all = await cases.collect(client.sendMessageStream(paramsOf('stream')));
    assert.equal(all[0].kind, 'task');
    const chunks = all.filter(({ kind }) => kind === 'artifact-update');
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
    const last = all.at(-1);
    assert.deepEqual([last.kind, last.status.state, last.final], ['status-update', 'completed', true]);
  },
  get: async () => {
    const { id } = await sendTask('echo hello');
    const whole = await client.getTask({ id });
    assert.equal(artifactOf(whole), 'hello');
    assert.ok((whole.history ?? []).length >= 1, 'the history is empty');
  },
  list: () => {
    throw new cases.Skip('A2A 0.3 cannot list tasks');
  },
  ask: async () => {
    const asked = await sendTask('ask');
    assert.equal(asked.status.state, 'input-required');
    assert.equal(textOf(asked.status.message.parts), 'Which colour?');
    const answered = await sendTask('blue', { taskId: asked.id, contextId: asked.contextId });
    assert.deepEqual([answered.id, answered.status.state], [asked.id, 'completed']);
    assert.equal(artifactOf(answered), 'you said blue');
  },
  'ask-stream': async () => {
    const last = (await cases.collect(client.sendMessageStream(paramsOf('ask')))).at(-1);
    assert.deepEqual([last.kind, last.status.state, last.final], ['status-update', 'input-required', true]);
  },
  fail: async () => {
    const { status } = await sendTask('fail');
    assert.deepEqual([status.state, textOf(status.message.parts)], ['failed', 'failed on purpose']);
  },
  cancel: async () => {
    const { id } = await sendTask('slow', { blocking: false });
    assert.equal((await client.cancelTask({ id })).status.state, 'canceled');
  },
  subscribe: async () => {
    const { id } = await sendTask('slow', { blocking: false });
    const seen = [];
    for await (const event of client.resubscribeTask({ id })) {
      seen.push(event);
      if (seen.length === 1) await client.cancelTask({ id });
    }
    assert.equal(seen[0].kind, 'task');
    assert.equal(seen.at(-1).status.state, 'canceled');
  },
  'receive-file': async () => {
    const [raw, url, data] = (await sendTask('file')).artifacts[0].parts;
    assert.equal(Buffer.from(raw.file.bytes, 'base64').toString(), 'hello, file');
    assert.deepEqual([raw.file.name, raw.file.mimeType], ['hello.txt', 'text/plain']);
    assert.deepEqual([url.file.uri, url.file.name], ['https://example.com/report.pdf', 'report.pdf']);
    assert.deepEqual(data.data, { answer: 42 });
  },
  'send-file': async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).toString('base64');
    const file = { bytes, name: 'bytes.bin', mimeType: 'application/octet-stream' };
    const [part] = (await sendTask('mirror', { parts: [{ kind: 'file', file }] })).artifacts[0].parts;
    const { bytes: returned, name, mimeType } = part.file;
    assert.deepEqual({ bytes: returned, name, mimeType }, file);
  },
  'push-config': async () => {
    const { id: taskId } = await sendTask('echo hello');
    const pushNotificationConfig = { id: 'one', url: `${webhook}/unused`, token: cases.PUSH_TOKEN };
    const created = await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig });
    assert.deepEqual([created.taskId, created.pushNotificationConfig.id], [taskId, 'one']);
    const asked = { id: taskId, pushNotificationConfigId: 'one' };
    const read = await client.getTaskPushNotificationConfig(asked);
    assert.equal(read.pushNotificationConfig.url, pushNotificationConfig.url);
    const listed = await client.listTaskPushNotificationConfig({ id: taskId });
    assert.deepEqual(
      listed.map((each) => each.pushNotificationConfig.id),
      ['one'],
    );
    await client.deleteTaskPushNotificationConfig(asked);
    await cases.expectError(client.getTaskPushNotificationConfig(asked), () => true);
  },
  'push-delivery': async () => {
    const name = randomUUID();
    await sendTask('echo hello', {
      pushNotificationConfig: { url: `${webhook}/${name}`, token: cases.PUSH_TOKEN },
    });
    await cases.delivered(webhook, name);
  },
  'error-task-not-found': () => expectClass(client.getTask({ id: randomUUID() }), TaskNotFoundError),
  'error-not-cancelable': async () => {
    const { id } = await sendTask('echo hello');
    await expectClass(client.cancelTask({ id }), TaskNotCancelableError);
  },
  'error-subscribe-to-ended': () => {
    throw new cases.Skip('A2A 0.3 does not say what happens');
  },
  'error-message-to-ended': async () => {
    const { id, contextId } = await sendTask('echo hello');
    await expectClass(send('echo again', { taskId: id, contextId }), UnsupportedOperationError);
  },
  'error-content-type': () =>
    expectClass(
      send('mirror', { parts: [{ kind: 'file', file: { bytes: 'LQ==', mimeType: 'audio/ogg' } }] }),
      ContentTypeNotSupportedError,
    ),
  'error-no-extended-card': async () => {
    await cases.expectError(client.transport.getExtendedAgentCard(), (error) =>
      /AuthenticatedExtendedCardNotConfigured|UnsupportedOperation/.test(error.name + error.constructor.name),
    );
  },
  'extended-card': async () => {
    const secured = await factory.createFromUrl(securedUrl);
    const card = await secured.getAgentCard({ serviceParameters: { Authorization: `Bearer ${key}` } });
    assert.deepEqual(
      card.skills.map(({ id }) => id),
      ['echo', 'secret'],
    );
  },
  unauthenticated: async () => {
    const secured = await factory.createFromUrl(securedUrl);
    await cases.expectUnauthenticated(secured.getTask({ id: randomUUID() }));
  },
});
