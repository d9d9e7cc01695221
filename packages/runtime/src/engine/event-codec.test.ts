import { RESUME_EXTENSION } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { checkEventSize, encodeEvent, EventTooLarge, type JournalEvent } from './event-codec.ts';

const ODD_TEXT = 'quote " backslash \\ line\nbreak \u2028 é 💬';
const STATUS = {
  state: 'TASK_STATE_WORKING' as const,
  timestamp: '2026-01-01T00:00:00.000Z',
  message: { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text: ODD_TEXT }] },
};

const EVENTS: Record<string, JournalEvent> = {
  'a task': {
    task: { id: ODD_TEXT, contextId: 'c', status: STATUS, history: [STATUS.message], metadata: { own: 1 } },
  },
  'a task without metadata': { task: { id: 't', contextId: 'c', status: STATUS } },
  'a status': { statusUpdate: { taskId: ODD_TEXT, contextId: ODD_TEXT, status: STATUS } },
  'a status with metadata': {
    statusUpdate: { taskId: 't', contextId: 'c', status: STATUS, metadata: { [ODD_TEXT]: ODD_TEXT } },
  },
  'an artifact': {
    artifactUpdate: {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [{ text: ODD_TEXT }] },
    },
  },
  'a chunk of an artifact': {
    artifactUpdate: {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [{ data: { deep: [1, null, ODD_TEXT] } }] },
      append: true,
      lastChunk: true,
      metadata: { own: true },
    },
  },
};

function metadataOf(event: JournalEvent): object {
  const body = Object.values(event)[0] as { metadata?: object };
  return body.metadata ?? {};
}

test.each(Object.entries(EVENTS))('%s is read back unchanged, from one line', (_name, event) => {
  const { json } = encodeEvent(event, undefined);
  expect(JSON.parse(json)).toEqual(event);
  expect(json).not.toContain('\n');
});

test.each(Object.entries(EVENTS))(
  '%s includes its sequence number in addition to its own metadata',
  (_name, event) => {
    const before = structuredClone(event);
    const read = JSON.parse(encodeEvent(event, 17).json) as JournalEvent;
    expect(metadataOf(read)).toEqual({ ...metadataOf(event), [RESUME_EXTENSION]: { seq: 17 } });
    expect(event).toEqual(before);
  },
);

test('a status update returns the JSON of its status for the commit', () => {
  const { statusJson } = encodeEvent(EVENTS['a status'] as JournalEvent, 3);
  expect(statusJson).toBe(JSON.stringify(STATUS));
  expect(encodeEvent(EVENTS['an artifact'] as JournalEvent, 3).statusJson).toBeUndefined();
});

test('an event that cannot be encoded as JSON is rejected', () => {
  const event: JournalEvent = {
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ data: 1n }] } },
  };
  expect(() => encodeEvent(event, 1)).toThrow(TypeError);
});

test('measures bytes, not characters', () => {
  expect(() => checkEventSize('x'.repeat(100), 100)).not.toThrow();
  expect(() => checkEventSize('x'.repeat(101), 100)).toThrow(EventTooLarge);
  expect(() => checkEventSize('€'.repeat(33), 100)).not.toThrow();
  expect(() => checkEventSize('€'.repeat(34), 100)).toThrow('an event of 102 bytes; at most 100');
});
