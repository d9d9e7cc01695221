import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamResponse } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { readFrom, readRecording, verifyRecording } from './read-recording.ts';
import { DigestChain, recordingHeader, type RecordedEvent } from './recording-format.ts';
import { writeEvents, writeRecordingFile } from './write-recording.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-recording-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const ids = { taskId: 't', contextId: 'c' };
const input = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'go' }] };
const EVENTS: readonly RecordedEvent[] = [
  {
    sequence: 1,
    time: '2026-11-18T10:00:00.000Z',
    input,
    event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' }, history: [input] } },
  },
  {
    sequence: 2,
    event: {
      artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text: 'línea\u2028"digest"' }] } },
    },
  },
  {
    sequence: 3,
    time: '2026-11-18T10:00:01.500Z',
    event: { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } },
  },
];

async function writeSample(events: readonly RecordedEvent[] = EVENTS): Promise<string> {
  const path = join(await makeFolder(), 'task.jsonl');
  const header = recordingHeader({ task: { id: 't', contextId: 'c' } });
  await writeRecordingFile(path, (writer) => writeEvents(writer, { header, events: inOrder(events) }));
  return path;
}

async function* inOrder(events: readonly RecordedEvent[]) {
  yield* events;
}

async function all(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const read: RecordedEvent[] = [];
  for await (const { sequence, time, input: said, event } of events) {
    read.push(JSON.parse(JSON.stringify({ sequence, time, input: said, event })) as RecordedEvent);
  }
  return read;
}

test('a recording is read as it was written', async () => {
  const path = await writeSample();
  const offsets: number[] = [];
  const found = await verifyRecording(path, ({ offset }) => offsets.push(offset));
  expect(found).toEqual({
    header: { format: 'holdword-recording', version: 1, task: { id: 't', contextId: 'c' } },
    events: 3,
  });
  expect(await all(readRecording(path))).toEqual(EVENTS);
  expect(await all(readFrom(path, offsets[1] ?? 0))).toEqual(EVENTS.slice(1));
});

test('its digests can be checked with nothing but SHA-256', async () => {
  const [first = '', second = ''] = (await readFile(await writeSample(), 'utf8')).split('\n');
  const { createHash } = await import('node:crypto');
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const digest = sha(`\n${first.slice(0, first.lastIndexOf(',"digest"'))}`);
  expect(JSON.parse(first)).toMatchObject({ digest });
  expect(JSON.parse(second)).toMatchObject({
    digest: sha(`${digest}\n${second.slice(0, second.lastIndexOf(',"digest"'))}`),
  });
});

const DAMAGES: Record<string, [damage: (lines: string[]) => string[], message: RegExp]> = {
  'a changed character': [
    (lines) => lines.map((line, index) => (index === 2 ? line.replace('línea', 'linea') : line)),
    /line 3: its digest does not match/,
  ],
  'a changed header': [
    (lines) => lines.map((line, index) => (index === 0 ? line.replace('"c"', '"d"') : line)),
    /line 1: its digest does not match/,
  ],
  'a missing line': [
    (lines) => lines.filter((_, index) => index !== 2),
    /line 3: expected event 2 of task t, found 3: a line is missing or moved/,
  ],
  'two lines in the wrong order': [
    ([header = '', one = '', two = '', ...rest]) => [header, two, one, ...rest],
    /line 2: expected event 1 of task t, found 2/,
  ],
  'a repeated line': [
    ([header = '', one = '', ...rest]) => [header, one, one, ...rest],
    /line 3: expected event 2 of task t, found 1/,
  ],
  'a lost end': [(lines) => [...lines.slice(0, -2), ''], /the file ends after line 4, without the last line/],
  'a cut line': [
    (lines) => [...lines.slice(0, 3), (lines[3] ?? '').slice(0, 40)],
    /line 4: it is cut off, or is no line of a recording/,
  ],
  'something after the end': [
    (lines) => [...lines.slice(0, -1), lines[1] ?? '', ''],
    /line 6: there is something after the last line/,
  ],
  'nothing at all': [() => [''], /the file is empty/],
  'another file': [() => ['# Notes', 'Nothing.'], /line 1: it is not a recording/],
  'a newer version': [
    () => [new DigestChain().seal({ format: 'holdword-recording', version: 2 }), ''],
    /line 1: it has version 2 of the format, and this program reads version 1/,
  ],
  'an event of an unknown kind': [
    () => sealed([{ format: 'holdword-recording', version: 1 }, { event: { surprise: {} } }]),
    /line 2: it is no event of a recording/,
  ],
  'a wrong count': [
    () => sealed([{ format: 'holdword-recording', version: 1 }, { end: { events: 3 } }]),
    /line 2: it counts 3 events, and there are 0/,
  ],
};

function sealed(values: readonly object[]): string[] {
  const chain = new DigestChain();
  return [...values.map((value) => chain.seal(value)), ''];
}

test.each(Object.entries(DAMAGES))(
  '%s is noticed, and the line is named',
  async (_name, [damage, message]) => {
    const path = await writeSample();
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, damage(lines).join('\n'));
    await expect(verifyRecording(path)).rejects.toThrow(message);
  },
);

test('bytes that are no text are noticed', async () => {
  const path = await writeSample();
  const bytes = await readFile(path);
  bytes[bytes.indexOf('go')] = 0xff;
  await writeFile(path, bytes);
  await expect(verifyRecording(path)).rejects.toThrow(/line 2: it is not valid UTF-8/);
});

test('an existing file is kept unless it may be replaced', async () => {
  const path = await writeSample();
  const before = await readFile(path, 'utf8');
  const write = (options: { force?: boolean }) =>
    writeRecordingFile(path, (writer) => writer.begin(recordingHeader({})), options);
  await expect(write({})).rejects.toThrow(/the file exists/);
  expect(await readFile(path, 'utf8')).toBe(before);
  await write({ force: true });
  expect(await readFile(path, 'utf8')).not.toBe(before);
});

test('half a file never has the name of the whole', async () => {
  const path = join(await makeFolder(), 'task.jsonl');
  const failing = writeRecordingFile(path, async (writer) => {
    await writer.begin(recordingHeader({}));
    throw new Error('lost');
  });
  await expect(failing).rejects.toThrow('lost');
  await expect(readFile(path)).rejects.toThrow(/ENOENT/);
});

test('a message without a task has no number', async () => {
  const event: StreamResponse = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } };
  const path = await writeSample([{ input, event }]);
  expect(await all(readRecording(path))).toEqual([{ input, event }]);
});
