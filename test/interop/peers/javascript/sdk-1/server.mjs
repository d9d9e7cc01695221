// A server of the official JavaScript SDK 1.x with the behaviours of the lab.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { AgentCard, Message, Part, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import {
  AgentEvent,
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import grpc from '@grpc/grpc-js';
import express from 'express';

const [port, grpcPort, binding, version] = process.argv.slice(2);
const URLS = {
  JSONRPC: `http://127.0.0.1:${port}/jsonrpc`,
  'HTTP+JSON': `http://127.0.0.1:${port}/rest`,
  GRPC: `127.0.0.1:${grpcPort}`,
};
const FILES = [
  { raw: Buffer.from('hello, file').toString('base64'), filename: 'hello.txt', mediaType: 'text/plain' },
  { url: 'https://example.com/report.pdf', filename: 'report.pdf', mediaType: 'application/pdf' },
  { data: { answer: 42 } },
];

/** The running tasks that can be canceled, by their id. */
const running = new Map();

const executor = {
  async execute({ userMessage, task, taskId, contextId }, bus) {
    const ids = { taskId, contextId };
    const parts = userMessage.parts.map((part) => Part.toJSON(part));
    const text = parts.map((part) => part.text ?? '').join('');
    const [word, ...words] = text.split(' ');
    const rest = words.join(' ');
    const say = (content) => ({
      messageId: randomUUID(),
      role: 'ROLE_AGENT',
      parts: [{ text: content }],
      ...ids,
    });
    const status = (state, content) =>
      bus.publish(
        AgentEvent.statusUpdate(
          TaskStatusUpdateEvent.fromJSON({
            ...ids,
            status: {
              state: `TASK_STATE_${state}`,
              timestamp: new Date().toISOString(),
              ...(content && { message: say(content) }),
            },
          }),
        ),
      );
    const artifact = (artifactId, content, flags = {}) =>
      bus.publish(
        AgentEvent.artifactUpdate(
          TaskArtifactUpdateEvent.fromJSON({
            ...ids,
            artifact: { artifactId, name: artifactId, parts: content },
            ...flags,
          }),
        ),
      );
    if (word === 'message') {
      const { messageId, role, parts: content } = say(rest);
      bus.publish(AgentEvent.message(Message.fromJSON({ messageId, role, parts: content, contextId })));
      bus.finished();
      return;
    }
    const isAnswer = task !== undefined;
    // The SDK wants the task as the first event of every turn.
    bus.publish(
      AgentEvent.task(
        Task.fromJSON({
          id: taskId,
          contextId,
          history: [...(task?.history ?? []), userMessage].map((each) => Message.toJSON(each)),
          status: { state: 'TASK_STATE_WORKING', timestamp: new Date().toISOString() },
        }),
      ),
    );
    if (isAnswer) {
      artifact('answer', [{ text: `you said ${text}` }]);
    } else if (word === 'stream') {
      for (const [index, number] of ['one ', 'two ', 'three'].entries()) {
        artifact('numbers', [{ text: number }], { append: index > 0, lastChunk: index === 2 });
      }
    } else if (word === 'ask') {
      status('INPUT_REQUIRED', 'Which colour?');
      bus.finished();
      return;
    } else if (word === 'fail') {
      status('FAILED', 'failed on purpose');
      bus.finished();
      return;
    } else if (word === 'slow') {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 60_000);
        running.set(taskId, () => {
          clearTimeout(timer);
          status('CANCELED');
          bus.finished();
        });
      });
    } else if (word === 'file') {
      artifact('file', FILES);
    } else if (word === 'mirror') {
      artifact(
        'mirror',
        parts.filter((part) => part.text === undefined),
      );
    } else {
      artifact('echo', [{ text: rest }]);
    }
    status('COMPLETED');
    bus.finished();
  },
  async cancelTask(taskId) {
    running.get(taskId)?.();
  },
};

const card = AgentCard.fromJSON({
  name: 'Peer',
  description: 'An agent of the official JavaScript SDK.',
  version: '1.0.0',
  supportedInterfaces: [{ url: URLS[binding], protocolBinding: binding, protocolVersion: version }],
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain', 'application/octet-stream'],
  defaultOutputModes: ['text/plain', 'application/octet-stream'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Returns what you send.', tags: ['test'] }],
});
const pushStore = new InMemoryPushNotificationStore();
const requestHandler = new DefaultRequestHandler(
  card,
  new InMemoryTaskStore(),
  executor,
  undefined,
  pushStore,
  new DefaultPushNotificationSender(pushStore),
);
const common = {
  requestHandler,
  userBuilder: UserBuilder.noAuthentication,
  legacyCompat: { enabled: true },
};
const application = express();
application.use(
  '/.well-known/agent-card.json',
  agentCardHandler({ agentCardProvider: requestHandler, legacyCompat: { enabled: version === '0.3' } }),
);
application.use('/jsonrpc', jsonRpcHandler(common));
application.use('/rest', restHandler(common));
const grpcServer = new grpc.Server();
grpcServer.addService(A2AService, grpcService(common));
grpcServer.addService(LegacyA2AService, legacyGrpcService(common));
await new Promise((resolve, reject) => {
  grpcServer.bindAsync(`127.0.0.1:${grpcPort}`, grpc.ServerCredentials.createInsecure(), (error) =>
    error === null ? resolve() : reject(error),
  );
});
application.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
