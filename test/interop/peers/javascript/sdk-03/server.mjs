// A server of the official JavaScript SDK 0.3 with the behaviours of the lab.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import {
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import grpc from '@grpc/grpc-js';
import express from 'express';

const [port, grpcPort, binding] = process.argv.slice(2);
const URLS = {
  JSONRPC: `http://127.0.0.1:${port}/jsonrpc`,
  'HTTP+JSON': `http://127.0.0.1:${port}/rest`,
  GRPC: `127.0.0.1:${grpcPort}`,
};
const FILES = [
  {
    kind: 'file',
    file: {
      bytes: Buffer.from('hello, file').toString('base64'),
      name: 'hello.txt',
      mimeType: 'text/plain',
    },
  },
  {
    kind: 'file',
    file: { uri: 'https://example.com/report.pdf', name: 'report.pdf', mimeType: 'application/pdf' },
  },
  { kind: 'data', data: { answer: 42 } },
];

/** The running tasks that can be canceled, by their id. */
const running = new Map();

const executor = {
  async execute({ userMessage, task, taskId, contextId }, bus) {
    const text = userMessage.parts.map((part) => part.text ?? '').join('');
    const [word, ...words] = text.split(' ');
    const rest = words.join(' ');
    const say = (content) => ({
      kind: 'message',
      messageId: randomUUID(),
      role: 'agent',
      parts: [{ kind: 'text', text: content }],
      contextId,
    });
    const status = (state, content, final = true) =>
      bus.publish({
        kind: 'status-update',
        taskId,
        contextId,
        final,
        status: {
          state,
          timestamp: new Date().toISOString(),
          ...(content && { message: { ...say(content), taskId } }),
        },
      });
    const artifact = (artifactId, parts, flags = {}) =>
      bus.publish({
        kind: 'artifact-update',
        taskId,
        contextId,
        artifact: { artifactId, name: artifactId, parts },
        ...flags,
      });
    if (word === 'message') {
      bus.publish(say(rest));
      bus.finished();
      return;
    }
    if (task === undefined) {
      bus.publish({
        kind: 'task',
        id: taskId,
        contextId,
        history: [userMessage],
        status: { state: 'submitted', timestamp: new Date().toISOString() },
      });
    }
    if (task !== undefined) {
      artifact('answer', [{ kind: 'text', text: `you said ${text}` }]);
    } else if (word === 'stream') {
      status('working', undefined, false);
      for (const [index, number] of ['one ', 'two ', 'three'].entries()) {
        artifact('numbers', [{ kind: 'text', text: number }], {
          append: index > 0,
          lastChunk: index === 2,
        });
      }
    } else if (word === 'ask') {
      status('input-required', 'Which colour?');
      bus.finished();
      return;
    } else if (word === 'fail') {
      status('failed', 'failed on purpose');
      bus.finished();
      return;
    } else if (word === 'slow') {
      status('working', undefined, false);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 60_000);
        running.set(taskId, () => {
          clearTimeout(timer);
          status('canceled');
          bus.finished();
        });
      });
    } else if (word === 'file') {
      artifact('file', FILES);
    } else if (word === 'mirror') {
      artifact(
        'mirror',
        userMessage.parts.filter(({ kind }) => kind !== 'text'),
      );
    } else {
      artifact('echo', [{ kind: 'text', text: rest }]);
    }
    status('completed');
    bus.finished();
  },
  async cancelTask(taskId) {
    running.get(taskId)?.();
  },
};

const card = {
  name: 'Peer',
  description: 'An agent of the official JavaScript SDK.',
  version: '1.0.0',
  protocolVersion: '0.3.0',
  url: URLS[binding],
  preferredTransport: binding,
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain', 'application/octet-stream'],
  defaultOutputModes: ['text/plain', 'application/octet-stream'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Returns what you send.', tags: ['test'] }],
};
const pushStore = new InMemoryPushNotificationStore();
const requestHandler = new DefaultRequestHandler(
  card,
  new InMemoryTaskStore(),
  executor,
  undefined,
  pushStore,
  new DefaultPushNotificationSender(pushStore),
);
const common = { requestHandler, userBuilder: UserBuilder.noAuthentication };
const application = express();
application.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
application.use('/jsonrpc', jsonRpcHandler(common));
application.use('/rest', restHandler(common));
const grpcServer = new grpc.Server();
grpcServer.addService(A2AService, grpcService(common));
await new Promise((resolve, reject) => {
  grpcServer.bindAsync(`127.0.0.1:${grpcPort}`, grpc.ServerCredentials.createInsecure(), (error) =>
    error === null ? resolve() : reject(error),
  );
});
application.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
