import { describe, expect, it } from 'vitest';
import { agentCardSchema } from '../card/agent-card.ts';
import { buildAgentCard } from '../card/build-agent-card.ts';
import { type Message, type StreamResponse, streamResponseSchema, taskStateSchema } from '../model.ts';
import { toLegacyCard, v03CardToCore } from './v03-card.ts';
import { coreTaskToV03, V03_JSON } from './v03-json.ts';
import { V03_PROTO_JSON } from './v03-proto-json.ts';

const message: Message = {
  messageId: 'm-1',
  contextId: 'c-1',
  taskId: 't-1',
  role: 'ROLE_AGENT',
  parts: [
    { text: 'hello', metadata: { a: 1 } },
    { raw: '+/8=', mediaType: 'application/octet-stream', filename: 'a.bin' },
    { url: 'https://a.example/b' },
    { data: { deep: [null, 1] } },
    { data: [1, 2] },
    { data: 'text' },
  ],
  extensions: ['urn:x'],
  referenceTaskIds: ['t-0'],
};
const ids = { taskId: 't-1', contextId: 'c-1' };
const status = { state: 'TASK_STATE_WORKING', message, timestamp: '2026-01-31T12:00:00.123Z' } as const;
const artifact = { artifactId: 'a-1', name: 'n', description: 'd', parts: message.parts };

const EVENTS: StreamResponse[] = [
  { message },
  { task: { id: 't-1', contextId: 'c-1', status, artifacts: [artifact], history: [message] } },
  { artifactUpdate: { ...ids, artifact, append: true, lastChunk: false, metadata: { seq: 3 } } },
  ...taskStateSchema.options.map((state) => ({ statusUpdate: { ...ids, status: { state } } })),
];

describe('0.3 over JSON-RPC', () => {
  it.each(EVENTS)('an event survives a round trip: %#', (event) => {
    const json: unknown = JSON.parse(JSON.stringify(V03_JSON.values.events.toV03(event)));
    expect(streamResponseSchema.parse(V03_JSON.values.events.toCore(json))).toEqual(event);
  });

  it('keeps data that is not an object for readers in this process', () => {
    const task = { id: 't-1', contextId: 'c-1', status, artifacts: [artifact] };
    expect(coreTaskToV03(task, 'plain').artifacts?.[0]?.parts.slice(4)).toEqual([
      { kind: 'data', data: [1, 2] },
      { kind: 'data', data: 'text' },
    ]);
  });

  it('sends a message with its configuration', () => {
    const configuration = { returnImmediately: true, historyLength: 2, acceptedOutputModes: ['text/plain'] };
    expect(
      V03_JSON.requests.send.toV03({
        message: { ...message, parts: [{ text: 'x' }] },
        configuration,
        metadata: { a: 1 },
      }),
    ).toEqual({
      message: {
        kind: 'message',
        messageId: 'm-1',
        contextId: 'c-1',
        taskId: 't-1',
        role: 'agent',
        parts: [{ kind: 'text', text: 'x' }],
        extensions: ['urn:x'],
        referenceTaskIds: ['t-0'],
      },
      configuration: { blocking: false, historyLength: 2, acceptedOutputModes: ['text/plain'] },
      metadata: { a: 1 },
    });
  });
});

describe('0.3 over JSON-RPC', () => {
  it.each([
    [undefined, { blocking: true }],
    [{}, { blocking: true }],
    [{ returnImmediately: true }, { blocking: false }],
  ])('sets blocking, because some servers do not wait without it: %j', (configuration, expected) => {
    const request = { message: { ...message, parts: [{ text: 'x' }] }, configuration };
    expect(V03_JSON.requests.send.toV03(request)['configuration']).toEqual(expected);
  });
});

describe('0.3 over REST', () => {
  it('converts the spelling and nesting of its proto', () => {
    const part = { file: { fileWithUri: 'https://a.example/b', mimeType: 'text/html' } };
    const read = V03_PROTO_JSON.values.events.toCore({
      task: {
        id: 't-1',
        contextId: 'c-1',
        status: {
          state: 'TASK_STATE_CANCELLED',
          message: { messageId: 'm', role: 'ROLE_AGENT', content: [{ text: 'x' }] },
        },
        artifacts: [{ artifactId: 'a', parts: [part, { data: { data: { b: 2 } } }] }],
      },
    });
    expect(streamResponseSchema.parse(read)).toEqual({
      task: {
        id: 't-1',
        contextId: 'c-1',
        status: {
          state: 'TASK_STATE_CANCELED',
          message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] },
        },
        artifacts: [
          {
            artifactId: 'a',
            parts: [{ url: 'https://a.example/b', mediaType: 'text/html' }, { data: { b: 2 } }],
          },
        ],
      },
    });
  });

  it('sets blocking, because an omitted flag is false in its proto', () => {
    const request = { message: { ...message, parts: [{ text: 'x' }] } };
    expect(V03_PROTO_JSON.requests.send.toV03(request)).toMatchObject({
      message: { content: [{ text: 'x' }] },
      configuration: { blocking: true },
    });
    expect(
      V03_PROTO_JSON.requests.send.toV03({ ...request, configuration: { returnImmediately: true } })[
        'configuration'
      ],
    ).toEqual({ blocking: false });
  });
});

describe('a card of 0.3', () => {
  it('keeps its interfaces and content when it is converted to 1.0', () => {
    const card = buildAgentCard({
      name: 'n',
      description: 'd',
      skills: [{ id: 's', name: 'S', description: 'd', tags: [] }],
      extendedAgentCard: true,
      endpoints: [
        { binding: 'JSONRPC', url: 'https://a.example/rpc' },
        { binding: 'HTTP+JSON', url: 'https://a.example/rest' },
      ],
    });
    const read = agentCardSchema.parse(v03CardToCore(toLegacyCard(card)));
    expect(read).toEqual({
      ...card,
      supportedInterfaces: card.supportedInterfaces.filter(
        ({ protocolVersion }) => protocolVersion === '0.3',
      ),
    });
  });

  it('defaults to JSON-RPC', () => {
    expect(v03CardToCore({ url: 'https://a.example' })).toMatchObject({
      supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    });
  });
});
